//go:build unix

package procfs

import "golang.org/x/sys/unix"

// Read reads the beginning of a file, as much of it as the kernel gives at once
// and buf has room for.
func Read(path string, buf []byte) []byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	n, _ := unix.Read(fd, buf)
	return buf[:max(n, 0)]
}

// links is how many links a file has; 0 if there is none.
func links(path string) int {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return 0
	}
	return int(st.Nlink)
}
