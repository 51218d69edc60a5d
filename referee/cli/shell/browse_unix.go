//go:build unix

package shell

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// Browse shows a page in the user's browser, if there is one to be seen; to root it
// shows none.
func Browse(page string) error {
	if os.Geteuid() == 0 || !hasDisplay() {
		return nil
	}
	path, err := exec.LookPath(opener)
	if errors.Is(err, exec.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = exec.CommandContext(context.Background(), path, page).Start()
	}
	return err
}
