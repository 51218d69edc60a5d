// Package scope asks the user's service manager, systemd, for a control group in which
// the user may make others: a transient scope with delegation, as that of
// `systemd-run --user --scope --property=Delegate=yes`. It moves processes and knows
// nothing of what they do.
package scope

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

// Request describes a transient scope unit and the processes to move into it.
type Request struct {
	Unit  string // the unit's name, which ends in .scope
	About string // the unit's description
	PIDs  []int  // processes to move into it
	// Stop is the signal that systemd sends to all processes of the scope when the scope
	// is stopped; those still alive after its timeout are killed.
	Stop  syscall.Signal
	Until time.Time // deadline for the answer
}

// ErrRefused is the error of a request that the manager rejected.
var ErrRefused = errors.New("refused")

// Buses are the addresses of D-Bus at which the user's manager may be, the likeliest first.
func Buses() []string {
	own := "unix:path=/run/user/" + fmt.Sprint(os.Geteuid()) + "/bus"
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		own = "unix:path=" + url.PathEscape(filepath.Join(dir, "bus"))
	}
	if given := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); given != "" && given != own {
		return []string{given, own}
	}
	return []string{own}
}

// Ask asks the manager at the first of the buses at which one answers, and returns when
// the processes are in the scope.
func (r Request) Ask(buses ...string) (err error) {
	for _, bus := range buses {
		if err = r.askAt(bus); err == nil || errors.Is(err, ErrRefused) {
			return err
		}
	}
	return err
}

func (r Request) askAt(bus string) error {
	path, err := socketOf(bus)
	if err != nil {
		return err
	}
	dialer := net.Dialer{Deadline: r.Until}
	socket, err := dialer.Dial("unix", path)
	if err != nil {
		return r.answer(err)
	}
	if err := errors.Join(checkPeer(socket.(*net.UnixConn)), socket.SetDeadline(r.Until)); err != nil {
		socket.Close()
		return err
	}
	return r.ask(socket)
}

// socketOf returns the socket that an address of D-Bus names, or the first if there are
// several.
func socketOf(bus string) (string, error) {
	for address := range strings.SplitSeq(bus, ";") {
		fields, isUnix := strings.CutPrefix(address, "unix:")
		for field := range strings.SplitSeq(fields, ",") {
			name, value, _ := strings.Cut(field, "=")
			value, err := url.PathUnescape(value)
			switch {
			case !isUnix || err != nil:
			case name == "path":
				return value, nil
			case name == "abstract":
				return "@" + value, nil
			}
		}
	}
	return "", fmt.Errorf("D-Bus address: found %q, expected unix:path=", bus)
}

// checkPeer refuses a bus to which the numbers of processes mean others, since it is in
// another namespace of them.
func checkPeer(socket *net.UnixConn) error {
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	var peer *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) { peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return err
	}
	if failed == nil && peer.Pid == 0 {
		failed = errors.New("the D-Bus is outside this container")
	}
	return failed
}

const (
	managerName = "org.freedesktop.systemd1"
	managerPath = "/org/freedesktop/systemd1"
	managerType = managerName + ".Manager"
)

// ask asks the manager that is behind a socket, which it closes.
func (r Request) ask(socket net.Conn) error {
	bus, err := dbus.NewConn(socket)
	if err != nil {
		socket.Close()
		return err
	}
	defer bus.Close()
	if err := bus.Auth(nil); err != nil {
		return r.answer(err)
	}
	if err := bus.Hello(); err != nil {
		return r.answer(err)
	}
	signals := make(chan *dbus.Signal, 16)
	bus.Signal(signals)
	if err := bus.AddMatchSignal(dbus.WithMatchSender(managerName), dbus.WithMatchInterface(managerType),
		dbus.WithMatchMember("JobRemoved"), dbus.WithMatchArg(2, r.Unit)); err != nil {
		return r.answer(err)
	}
	manager := bus.Object(managerName, managerPath)
	if err := manager.Call(managerType+".Subscribe", 0).Err; err != nil {
		return r.answer(err)
	}
	var job dbus.ObjectPath
	err = manager.Call(managerType+".StartTransientUnit", 0, r.Unit, "fail", r.properties(), []auxiliary{}).Store(&job)
	if err != nil {
		return r.answer(err)
	}
	for signal := range signals { // closed with the bus, which is at Until
		if len(signal.Body) < 4 || signal.Body[1] != job {
			continue
		}
		if result := signal.Body[3]; result != "done" {
			return fmt.Errorf("%w: systemd did not start %s: %v", ErrRefused, r.Unit, result)
		}
		return nil
	}
	return r.answer(dbus.ErrClosed)
}

// property is a unit property as StartTransientUnit takes it: D-Bus type (sv).
type property struct {
	Name  string
	Value dbus.Variant
}

type auxiliary struct {
	Name       string
	Properties []property
}

func (r Request) properties() []property {
	pids := make([]uint32, len(r.PIDs))
	for i, pid := range r.PIDs {
		pids[i] = uint32(pid)
	}
	list := []property{
		{"Description", dbus.MakeVariant(r.About)},
		{"PIDs", dbus.MakeVariant(pids)},
		{"Delegate", dbus.MakeVariant(true)},
		{"CollectMode", dbus.MakeVariant("inactive-or-failed")}, // nothing is kept of it
	}
	if r.Stop != 0 {
		list = append(list, property{"KillSignal", dbus.MakeVariant(int32(r.Stop))})
	}
	return list
}

// answer says what an error of a call means.
func (r Request) answer(err error) error {
	_, isRefusal := errors.AsType[dbus.Error](err)
	switch {
	case isRefusal:
		return fmt.Errorf("%w by systemd: %w", ErrRefused, err)
	case !time.Now().Before(r.Until):
		return errors.New("no answer from systemd in time")
	}
	return fmt.Errorf("ask systemd: %w", err)
}
