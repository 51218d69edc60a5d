package cli

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

// screen is a terminal whose last line shows the status of what is going on.
// Other output to the terminal goes above that line.
type screen struct {
	columns func() int // the terminal's width

	one     sync.Mutex // guards the terminal and what follows
	out     io.Writer
	status  string // what the last line shows; "" if nothing
	partial bool   // other output has not ended its line
}

// isScreen reports whether a file is a terminal that can move its cursor.
func isScreen(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// columnsOf returns a function that returns the width of a terminal, which may
// change at any time.
func columnsOf(f *os.File) func() int {
	return func() int {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
		return defaultColumns
	}
}

// show replaces the status; "" removes it. It takes at most one line.
func (s *screen) show(status string) {
	s.one.Lock()
	defer s.one.Unlock()
	if s.partial {
		return
	}
	// Terminals wrap only when a character follows the last column, but not all
	// of them agree where the cursor is until then.
	status = report.Cut(status, s.columns()-1)
	_, _ = io.WriteString(s.out, s.erase()+status)
	s.status = status
}

// erase returns what removes the status. A terminal that was made narrower has
// wrapped it.
func (s *screen) erase() string {
	if s.status == "" {
		return ""
	}
	up := ""
	if rows := (report.Width(s.status) - 1) / max(1, s.columns()); rows > 0 {
		up = fmt.Sprintf("\x1b[%dA", rows)
	}
	return "\r" + up + "\x1b[J"
}

// above returns a writer to the terminal whose text goes above the status.
func (s *screen) above(w io.Writer) io.Writer { return aboveStatus{s, w} }

type aboveStatus struct {
	screen *screen
	w      io.Writer
}

func (a aboveStatus) Write(text []byte) (int, error) {
	s := a.screen
	s.one.Lock()
	defer s.one.Unlock()
	_, _ = io.WriteString(s.out, s.erase())
	n, err := a.w.Write(text)
	if s.partial = !strings.HasSuffix(string(text), "\n"); s.partial {
		s.status = ""
	} else {
		_, _ = io.WriteString(s.out, s.status)
	}
	return n, err
}
