//go:build linux && !amd64

package contestant

// Calls that this architecture does not have: numbers of none.
const sysPoll, sysSelect, sysEpollWait = 1 << 32, 1<<32 + 1, 1<<32 + 2
