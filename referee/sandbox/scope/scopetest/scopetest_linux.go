// Package scopetest is a D-Bus with a service manager on it, as tests need it where
// there is no systemd.
package scopetest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
)

// Asked is a request for a scope.
type Asked struct {
	Unit     string
	PIDs     []int
	Delegate bool
	Stop     syscall.Signal
}

// Manager answers a request: by the result of its job, or an error.
type Manager func(Asked) (result string, err error)

// Serve is a bus in a folder, up to the end of the test, and returns its address. All
// that it is asked goes to the manager.
func Serve(t testing.TB, dir string, m Manager) (address string) {
	t.Helper()
	path := filepath.Join(dir, "bus")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	serving.Go(func() {
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer socket.Close()
				if err := m.serve(socket); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) {
					t.Errorf("bus: %v", err)
				}
			})
		}
	})
	return "unix:path=" + path
}

// serve speaks with a client until that leaves, and returns how.
func (m Manager) serve(socket net.Conn) error {
	in := bufio.NewReader(socket)
	for begun := false; !begun; {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		words := strings.Fields(strings.TrimLeft(line, "\x00"))
		answer := ""
		switch {
		case words[0] == "BEGIN":
			begun = true
		case words[0] == "AUTH" && len(words) == 1:
			answer = "REJECTED EXTERNAL\r\n"
		case words[0] == "AUTH":
			answer = "DATA\r\n"
		default:
			answer = "OK 0123456789abcdef0123456789abcdef\r\n"
		}
		if _, err := io.WriteString(socket, answer); err != nil {
			return err
		}
	}
	for {
		call, err := dbus.DecodeMessage(in)
		if err != nil {
			return err
		}
		for _, message := range m.answers(call) {
			if err := message.EncodeTo(socket, binary.LittleEndian); err != nil {
				return err
			}
		}
	}
}

const job = dbus.ObjectPath("/org/freedesktop/systemd1/job/1")

// answers returns what a call is answered with.
func (m Manager) answers(call *dbus.Message) []*dbus.Message {
	switch call.Headers[dbus.FieldMember].Value() {
	case "Hello":
		return []*dbus.Message{reply(call, ":1.1")}
	case "StartTransientUnit":
		a := asked(call.Body)
		result, err := m(a)
		if err != nil {
			refusal := reply(call, err.Error())
			refusal.Type = dbus.TypeError
			refusal.Headers[dbus.FieldErrorName] = dbus.MakeVariant("org.freedesktop.DBus.Error.AccessDenied")
			return []*dbus.Message{refusal}
		}
		removed := message(dbus.TypeSignal, uint32(1), job, a.Unit, result)
		removed.Headers[dbus.FieldPath] = dbus.MakeVariant(dbus.ObjectPath("/org/freedesktop/systemd1"))
		removed.Headers[dbus.FieldInterface] = dbus.MakeVariant("org.freedesktop.systemd1.Manager")
		removed.Headers[dbus.FieldMember] = dbus.MakeVariant("JobRemoved")
		return []*dbus.Message{reply(call, job), removed}
	}
	return []*dbus.Message{reply(call)}
}

func reply(call *dbus.Message, body ...any) *dbus.Message {
	m := message(dbus.TypeMethodReply, body...)
	m.Headers[dbus.FieldReplySerial] = dbus.MakeVariant(call.Serial())
	return m
}

func message(kind dbus.Type, body ...any) *dbus.Message {
	m := &dbus.Message{Type: kind, Body: body, Headers: map[dbus.HeaderField]dbus.Variant{}}
	if len(body) > 0 {
		m.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(body...))
	}
	return m
}

// asked reads the arguments of StartTransientUnit.
func asked(body []any) (a Asked) {
	a.Unit = body[0].(string)
	for _, p := range body[2].([][]any) {
		switch value := p[1].(dbus.Variant).Value().(type) {
		case []uint32:
			for _, pid := range value {
				a.PIDs = append(a.PIDs, int(pid))
			}
		case bool:
			a.Delegate = value
		case int32:
			a.Stop = syscall.Signal(value)
		}
	}
	return a
}
