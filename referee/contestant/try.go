package contestant

import (
	"runtime"

	"umpire/referee/contestant/sandbox"
)

// Try starts b and kills it at once: the error says why it can't be started.
func Try(b Bot, launcher sandbox.Launcher) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := Start(b, Options{Launcher: launcher, Seat: 1})
	if err != nil {
		return err
	}
	c.kill()
	c.closePipes()
	return nil
}
