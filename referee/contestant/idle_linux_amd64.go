package contestant

import "golang.org/x/sys/unix"

// Calls that only older architectures have.
const sysPoll, sysSelect, sysEpollWait = unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_WAIT
