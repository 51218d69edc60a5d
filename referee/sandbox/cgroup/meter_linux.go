package cgroup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Meter reads the CPU time of this process and of all that it starts from then on,
// those included that nobody waits for: that of a control group.
type Meter struct {
	usage int    // open descriptor of the CPU time
	group string // v1: a group of this process's own; it was in the one above
}

// NewMeter finds this process's group. With version 1 it makes one, since this
// process is seldom alone in its own; with version 2 whoever starts it has to.
func NewMeter() (*Meter, error) {
	mounts, err := Mounts()
	if err != nil {
		return nil, err
	}
	if m, ok := mounts["cpuacct"]; ok {
		return newMeter1(m.Own)
	}
	m, ok := mounts[""]
	if !ok || m.Own == m.Top {
		return nil, errors.New("start it in a group of its own: systemd-run --user --scope -p Delegate=yes …")
	}
	fd, err := unix.Open(filepath.Join(m.Own, "cpu.stat"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	return &Meter{usage: fd}, err
}

func newMeter1(own string) (*Meter, error) {
	m := &Meter{group: filepath.Join(own, fmt.Sprintf("umpire-bench-%d", os.Getpid()))}
	if err := os.Mkdir(m.group, 0o755); err != nil {
		return nil, err
	}
	err := Write(m.group+"/cgroup.procs", strconv.Itoa(os.Getpid()))
	if err == nil {
		m.usage, err = unix.Open(m.group+"/cpuacct.usage", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close leaves the group, with all that was started.
func (m *Meter) Close() {
	unix.Close(m.usage)
	if m.group == "" {
		return
	}
	RemoveAll(Prefix(os.Getpid())) // level strict has made them in here
	for range 1000 {               // a process that has ended may still be on its way out
		// The helpers are in the group, too.
		procs, _ := os.ReadFile(m.group + "/cgroup.procs")
		for _, pid := range bytes.Fields(procs) {
			_ = Write(filepath.Dir(m.group)+"/cgroup.procs", string(pid))
		}
		if unix.Rmdir(m.group) != unix.EBUSY {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Read returns the CPU time up to this moment.
func (m *Meter) Read() time.Duration {
	// Asking for its own clock makes the kernel account for the running slice.
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts)
	return cpuTime(m.usage)
}
