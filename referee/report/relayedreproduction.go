package report

import (
	"fmt"
	"strings"

	"umpire/referee"
	"umpire/referee/record"
)

// RelayedReproduction prints how a submission compares with that of a recorded match of a
// problem package.
type RelayedReproduction struct {
	Reproduction
	Process       int // of several, from 1, the one that differs; 0: none does, or it is the only one
	Lines         int // that are as recorded
	Same          bool
	AskedFixed    bool // the question was whether it is fixed
	Fixed         bool
	Recorded, Now string             // what both did where they differ, or last
	End           string             // how it ended now
	Seen          []referee.Exchange // now
	Usage         referee.Usage
}

// JSON prints the comparison for other programs.
func (v RelayedReproduction) JSON() error {
	out := reproduced{
		ID: v.Record.ID, Seat: v.Seat, Bot: v.Bot, Replies: v.Lines, Same: v.Same, Recorded: done{Detail: validText(v.Recorded)}, Now: done{Detail: validText(v.Now)}, Process: v.Process,
	}
	if v.AskedFixed {
		out.Fixed = &v.Fixed
	}
	return v.Printer.JSON().Encode(out)
}

// Print prints the comparison: where it differs, with what was said before.
func (v RelayedReproduction) Print() {
	v.head()
	if !v.Same || v.AskedFixed && !v.Fixed {
		v.talk()
	}
	if !v.Same {
		v.Printf("%sdiffers after %s as recorded:\n  recorded: %s\n  now:      %s\n", v.who(), Plural(v.Lines, "line"), SafeLine(v.Recorded), SafeLine(v.Now))
	}
	switch {
	case v.AskedFixed && v.Fixed:
		v.Printf("%s\n", v.Style(Green, "fixed: it no longer does what it did"))
	case v.AskedFixed:
		v.Printf("%s\n", v.Style(Red, "not fixed: "+v.End))
	case v.Same:
		v.Printf("%s\n", v.Style(Green, "as recorded: "+Plural(v.Lines, "line")+", then "+v.Now))
	}
}

// who names the process that differs, before what it does; "": it is the only one.
func (v RelayedReproduction) who() string {
	if v.Process == 0 {
		return ""
	}
	return fmt.Sprintf("process %d ", v.Process-1)
}

// talk prints the lines said last, and standard error.
func (v RelayedReproduction) talk() {
	if v.Quiet {
		return
	}
	lines := []string{TalkHead}
	for _, e := range v.Seen {
		lines = append(lines, TalkLines(e, v.Process > 0 || Several(v.Seen))...)
	}
	first := max(1, len(lines)-failureLines)
	v.Printf("%s\n", strings.Join(append(lines[:1:1], lines[first:]...), "\n"))
	var now record.Seat
	now.SetUsage(v.Usage)
	v.passages("", standardError(now, "", stderrLines))
}
