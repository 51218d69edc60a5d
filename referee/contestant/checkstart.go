package contestant

import "runtime"

// CheckStart starts b and kills it at once. The error says why it can't be
// started.
func CheckStart(b Bot, opts Options) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := Start(b, opts)
	if err != nil {
		return err
	}
	c.kill()
	c.closePipes()
	return nil
}
