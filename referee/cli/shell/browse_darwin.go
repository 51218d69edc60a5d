package shell

// opener opens a file with the program that the user has chosen for its kind.
const opener = "open"

func hasDisplay() bool { return true }
