package sandbox

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"umpire/referee"
)

// program32 is an executable of the 32-bit kind that the processor may run as well. It ends
// with status 7, by a call whose number means something else among the 64-bit calls.
func program32() []byte {
	machine, flags := uint16(3), uint32(0)
	code := []byte{0xb8, 1, 0, 0, 0, 0xbb, 7, 0, 0, 0, 0xcd, 0x80} // mov eax, 1; mov ebx, 7; int 0x80
	if runtime.GOARCH == "arm64" {
		machine, flags = 40, 5<<24
		code = []byte{1, 0x70, 0xa0, 0xe3, 7, 0, 0xa0, 0xe3, 0, 0, 0, 0xef} // mov r7, #1; mov r0, #7; svc 0
	}
	const headers, at, large = 52 + 32, 0x10000, 0x10000
	size := uint32(headers + len(code))
	le := binary.LittleEndian
	b := append([]byte("\x7fELF\x01\x01\x01"), make([]byte, 9)...)
	b = le.AppendUint16(le.AppendUint16(b, 2), machine)
	for _, n := range []uint32{1, at + headers, 52, 0, flags} {
		b = le.AppendUint32(b, n)
	}
	for _, n := range []uint16{52, 32, 1, 0, 0, 0} {
		b = le.AppendUint16(b, n)
	}
	for _, n := range []uint32{1, 0, at, at, size, size, 5, large} {
		b = le.AppendUint32(b, n)
	}
	return append(b, code...)
}

// TestForeignCalls runs a 32-bit program, which from basic on its first call kills.
func TestForeignCalls(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("what 32-bit programs of " + runtime.GOARCH + " look like stands nowhere here")
	}
	path := filepath.Join(publicDir(t), "program32")
	must(t, os.WriteFile(path, program32(), 0o755))
	atEachLevel(t, levels(), func(t *testing.T, l Launcher) {
		o, err := try(l, Command{Path: path, Args: []string{path}, Dir: "/", Read: []string{path}}, "")
		switch {
		case errors.Is(err, unix.ENOEXEC):
			t.Skip("32-bit programs do not run here")
		case err != nil:
			t.Fatal(err)
		case l.Level() == referee.LevelNone && o.exit.Status.ExitStatus() != 7:
			t.Errorf("ended with %#x, expected status 7", int(o.exit.Status))
		case l.Level() != referee.LevelNone && (!o.exit.Status.Signaled() || o.exit.Status.Signal() != unix.SIGSYS):
			t.Errorf("ended with %#x, expected SIGSYS", int(o.exit.Status))
		}
	})
}
