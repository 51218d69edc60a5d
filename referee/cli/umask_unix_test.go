//go:build unix

package cli_test

import "syscall"

func init() { letOthersRead = func() { syscall.Umask(0o022) } }
