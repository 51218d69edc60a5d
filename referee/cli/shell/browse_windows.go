package shell

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"
)

// Browse shows a page in the user's browser, if there is one.
func Browse(page string) error {
	file, err := windows.UTF16PtrFromString(page)
	if err == nil {
		err = windows.ShellExecute(0, nil, file, nil, nil, windows.SW_SHOWNORMAL)
	}
	if errors.Is(err, windows.ERROR_NO_ASSOCIATION) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", page, err)
	}
	return nil
}
