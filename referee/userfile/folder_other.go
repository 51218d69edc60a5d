//go:build !windows

package userfile

import "os"

func openFolder(dir string) (*os.File, error) { return os.Open(dir) }
