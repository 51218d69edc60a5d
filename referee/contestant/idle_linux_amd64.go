package contestant

import "golang.org/x/sys/unix"

// parkedLegacy is parked for the calls that only older architectures have.
func (c call) parkedLegacy(dir string) bool {
	switch c.number {
	case unix.SYS_POLL:
		return int32(c.args[2]) < 0 && onlyPipes(dir)
	case unix.SYS_SELECT:
		return c.args[4] == 0 && onlyPipes(dir)
	}
	return false
}
