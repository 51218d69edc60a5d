//go:build unix

package cli_test

import "syscall"

// letOthersRead has other users read what the tests make: some of it is for them.
func letOthersRead() { syscall.Umask(0o022) }
