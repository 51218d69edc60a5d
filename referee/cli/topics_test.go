package cli

import (
	"slices"
	"strings"
	"testing"
)

// TestEnvironmentOfSystem: the topic names the variables by which a system's folders are
// found and a browser is shown, and not those of others.
func TestEnvironmentOfSystem(t *testing.T) {
	of := map[string]string{
		"linux":   "DISPLAY WAYLAND_DISPLAY XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS",
		"freebsd": "DISPLAY WAYLAND_DISPLAY XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME",
		"darwin":  "HOME XDG_STATE_HOME",
		"windows": "LocalAppData AppData XDG_STATE_HOME",
	}
	for system, want := range of {
		topic := environmentText(system)
		for _, name := range strings.Fields(of["linux"] + " HOME LocalAppData AppData") {
			if got, want := strings.Contains(topic, "- `"+name+"`: "), slices.Contains(strings.Fields(want), name); got != want {
				t.Errorf("%s: names %s: %v, expected %v", system, name, got, want)
			}
		}
	}
}
