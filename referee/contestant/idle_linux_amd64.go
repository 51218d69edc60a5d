package contestant

import "golang.org/x/sys/unix"

// parkedLegacy is parked for the calls that only older architectures have.
func (c call) parkedLegacy(dir string, ends pipeEnds) (parked bool, reads []string) {
	switch c.number {
	case unix.SYS_POLL:
		return polls(int32(c.args[2]) < 0, dir, ends)
	case unix.SYS_SELECT:
		return polls(c.args[4] == 0, dir, ends)
	}
	return false, nil
}
