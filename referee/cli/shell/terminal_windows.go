package shell

import (
	"errors"
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// terminal is the console that umpire was started in.
type terminal struct {
	in, out *os.File
	end     windows.Handle // an event that ends the reading
	unread  []byte         // keys that are not yet taken
}

// openTerminal opens the console, which is read and written by two files.
func openTerminal() (*terminal, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, err
	}
	t := &terminal{in: in, out: out}
	if t.end, err = windows.CreateEvent(nil, 1, 0, nil); err == nil && !movesCursor(out) {
		err = errors.New("this console can't show lines in place of others")
	}
	if err != nil {
		t.close(nil)
		return nil, err
	}
	return t, nil
}

// close ends the reading, which closes read, and the console.
func (t *terminal) close(read <-chan struct{}) {
	if read != nil && windows.SetEvent(t.end) == nil {
		<-read
	}
	if t.end != 0 {
		windows.CloseHandle(t.end)
	}
	t.in.Close()
	t.out.Close()
}

func (t *terminal) write(text string) error {
	_, err := t.out.WriteString(text)
	return err
}

// makeRaw has keys read one by one, until restore is called.
func (t *terminal) makeRaw() (restore func(), err error) {
	before, err := term.MakeRaw(int(t.in.Fd()))
	return func() { _ = term.Restore(int(t.in.Fd()), before) }, err
}

// size returns how many cells the console is wide and high; 0 if that is unknown.
func (t *terminal) size() (width, height int) {
	width, height, _ = term.GetSize(int(t.out.Fd()))
	return width, height
}

// inputRecord is INPUT_RECORD with a KEY_EVENT_RECORD.
type inputRecord struct {
	kind          uint16
	down          int32
	times         uint16
	key, scanCode uint16
	char          uint16
	control       uint32
}

var readConsoleInput = windows.NewLazySystemDLL("kernel32.dll").NewProc("ReadConsoleInputW")

// read reads keys, in the bytes that other systems' terminals send for them.
func (t *terminal) read(b []byte) (int, error) {
	handle := windows.Handle(t.in.Fd())
	for len(t.unread) == 0 {
		if event, err := windows.WaitForMultipleObjects([]windows.Handle{t.end, handle}, false, windows.INFINITE); err != nil {
			return 0, err
		} else if event == windows.WAIT_OBJECT_0 {
			return 0, io.EOF
		}
		var records [32]inputRecord
		var n uint32
		if ok, _, err := readConsoleInput.Call(uintptr(handle), uintptr(unsafe.Pointer(&records[0])), uintptr(len(records)), uintptr(unsafe.Pointer(&n))); ok == 0 {
			return 0, err
		}
		for _, r := range records[:n] {
			t.unread = append(t.unread, r.bytes()...)
		}
	}
	n := copy(b, t.unread)
	t.unread = t.unread[n:]
	return n, nil
}

// withoutChar are the keys that are no character, by their virtual-key codes.
var withoutChar = map[uint16]string{
	windows.VK_PRIOR: "\x1b[5~", windows.VK_NEXT: "\x1b[6~", windows.VK_END: "\x1b[F", windows.VK_HOME: "\x1b[H",
	windows.VK_LEFT: "\x1b[D", windows.VK_UP: "\x1b[A", windows.VK_RIGHT: "\x1b[C", windows.VK_DOWN: "\x1b[B",
}

// bytes returns what a terminal sends for a key that is pressed; "" for all else. A
// console that sends sequences itself sends them character by character.
func (r inputRecord) bytes() string {
	const keyEvent, backspaceHere = 1, 8
	switch {
	case r.kind != keyEvent || r.down == 0:
		return ""
	case r.char == backspaceHere:
		return string(rune(backspace))
	case r.char != 0:
		return string(rune(r.char))
	}
	return withoutChar[r.key]
}

// movesCursor has a console understand what moves its cursor and colours its text, and
// reports whether it does.
func movesCursor(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console, mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

// isNamed reports whether the environment need not say what the terminal is.
func isNamed() bool { return true }

// endOfInput are the keys that end what is typed.
const endOfInput = "Ctrl-Z and Enter"

// notifyResize does nothing: no signal tells of it. The next line is drawn as wide as the
// console is then.
func notifyResize(chan<- os.Signal) {}

// interruptSelf sends the programs of this console, umpire among them, a Ctrl-C.
func interruptSelf() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0) }

// stopSelf does nothing: no key stops a program.
func stopSelf() error { return nil }
