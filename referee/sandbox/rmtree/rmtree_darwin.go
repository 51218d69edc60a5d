package rmtree

import "os"

// Remove removes a folder and everything in it, or a file. What is gone already
// is no error.
func Remove(path string) error { return os.RemoveAll(path) }
