package stall

import (
	"bytes"
	"context"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// thread locks the calling goroutine to its thread until end, and returns how
// to read its clocks, which any thread may do, and how it sleeps, until ctx ends
// at the latest.
func thread(ctx context.Context) (read func() reading, sleep func(time.Duration), end func()) {
	runtime.LockOSThread()
	schedstat := procfs.OwnThread() + "/schedstat"
	read = func() reading {
		var mono, boot unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &mono)
		_ = unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot)
		var buf [128]byte
		_, delay, _ := bytes.Cut(procfs.Read(schedstat, buf[:]), []byte(" "))
		return reading{time.Duration(mono.Nano()), time.Duration(boot.Nano()), time.Duration(procfs.Number(delay))}
	}
	// By the kernel: a timer of Go's would also wait for whoever has Go's processors.
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		wake = -1 // which is never ready
	}
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_, _ = unix.Write(wake, []byte{7: 1})
		close(woken)
	})
	sleep = func(d time.Duration) {
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(wake), Events: unix.POLLIN}}, int(d.Milliseconds()))
	}
	return read, sleep, func() {
		if !stop() {
			<-woken
		}
		_ = unix.Close(wake)
		runtime.UnlockOSThread()
	}
}
