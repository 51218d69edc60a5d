//go:build unix && !darwin

package shell

import "os"

// opener opens a file with the program that the user has chosen for its kind.
const opener = "xdg-open"

func hasDisplay() bool { return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" }
