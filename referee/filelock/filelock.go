// Package filelock keeps other processes from what a file stands for, until the file is
// closed. It doesn't know what that is. Who reads or writes the file is not kept from it.
package filelock

import "os"

// Try locks a file. It reports false if somebody else has locked it, who may be of this
// process. An error is the file system's, which may have no locks.
func Try(f *os.File) (locked bool, err error) { return lock(f, false) }

// Lock is Try, but waits until the file can be locked.
func Lock(f *os.File) error {
	_, err := lock(f, true)
	return err
}
