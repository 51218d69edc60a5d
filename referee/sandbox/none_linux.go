package sandbox

import "golang.org/x/sys/unix"

// none fences the program in by nothing. It has a session of its own, which
// has no terminal, and a supervisor, which adopts and ends what it leaves
// behind, fork chains that have left the session included.
func (s *start) none() error {
	if s.cell == nil {
		s.supervisor().adopt()
	}
	it := s.contestant()
	it.limit("core", unix.RLIMIT_CORE, noCore)
	if n := s.command.Limits.Files; n > 0 {
		it.limit("descriptors", unix.RLIMIT_NOFILE, uint64(n))
	}
	it.dieWithSupervisor()
	it.unblock()
	it.exec(s.command)
	return nil
}
