package sandbox

// Main must be the first call of a main function, and of TestMain. There are no
// helper processes on this system.
func Main() {}
