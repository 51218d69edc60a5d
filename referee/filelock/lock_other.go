//go:build !unix && !windows

package filelock

import (
	"errors"
	"os"
)

func lock(*os.File, bool) (bool, error) { return false, errors.ErrUnsupported }
