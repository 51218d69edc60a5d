package shell

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"umpire/referee/report"
)

// defaultColumns is the width of a terminal that does not tell its own, and of
// help that does not go to a terminal.
const defaultColumns = 80

// Status is a terminal whose last line shows what is going on. Other output to
// the terminal goes above that line.
type Status struct {
	columns func() int // the terminal's width

	one     sync.Mutex // guards the terminal and what follows
	out     io.Writer
	line    string // what the last line shows; "" if nothing
	partial bool   // other output has not ended its line
}

// NewStatus returns the status line of a terminal.
func NewStatus(f *os.File) *Status { return &Status{out: f, columns: ColumnsOf(f)} }

// CanRedraw reports whether a file is a terminal that can move its cursor.
func CanRedraw(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" && movesCursor(f)
}

// HasScreen reports whether a file is a terminal on which lines can be shown in place of
// others.
func HasScreen(f *os.File) bool { return CanRedraw(f) && isNamed() }

// ColumnsOf returns a function that returns the width of a terminal, which may
// change at any time.
func ColumnsOf(f *os.File) func() int {
	return func() int {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
		return defaultColumns
	}
}

// RowsOf returns a function that returns the height of a terminal, which may change
// at any time; 0 if it has none.
func RowsOf(f *os.File) func() int {
	return func() int {
		_, rows, _ := term.GetSize(int(f.Fd()))
		return rows
	}
}

// Show replaces the status; "" removes it. It takes at most one line.
func (s *Status) Show(status string) {
	s.one.Lock()
	defer s.one.Unlock()
	if s.partial {
		return
	}
	// Terminals wrap only when a character follows the last column, but not all
	// of them agree where the cursor is until then.
	status = report.Cut(status, s.columns()-1)
	_, _ = io.WriteString(s.out, s.erase()+status)
	s.line = status
}

// erase returns what removes the status. A terminal that was made narrower has
// wrapped it.
func (s *Status) erase() string {
	if s.line == "" {
		return ""
	}
	up := ""
	if rows := (report.Width(s.line) - 1) / max(1, s.columns()); rows > 0 {
		up = fmt.Sprintf("\x1b[%dA", rows)
	}
	return "\r" + up + "\x1b[J"
}

// Above returns a writer to the terminal whose text goes above the status.
func (s *Status) Above(w io.Writer) io.Writer { return aboveStatus{s, w} }

type aboveStatus struct {
	status *Status
	w      io.Writer
}

func (a aboveStatus) Write(text []byte) (int, error) {
	s := a.status
	s.one.Lock()
	defer s.one.Unlock()
	_, _ = io.WriteString(s.out, s.erase())
	n, err := a.w.Write(text)
	if s.partial = !strings.HasSuffix(string(text), "\n"); s.partial {
		s.line = ""
	} else {
		_, _ = io.WriteString(s.out, s.line)
	}
	return n, err
}
