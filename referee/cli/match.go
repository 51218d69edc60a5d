package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/report"
)

func (a *app) matchCommand() *cli.Command {
	return &cli.Command{
		Name: "match", Usage: "play one match, with the board drawn as it goes",
		ArgsUsage:   "GAME BOT...",
		Description: "Without --case, the first of the standard cases. Free seats go to a built-in bot.",
		Flags:       flags(caseFlags(), limitFlags(), runFlags(), outputFlags(), []cli.Flag{htmlFlag()}),
		Action: func(c *cli.Context) error {
			s, err := a.open(c)
			if err != nil {
				return err
			}
			return s.match()
		},
	}
}

func (s *session) match() error {
	f, err := s.seated()
	if err != nil {
		return err
	}
	page, err := htmlTarget(s.c)
	if err != nil {
		return err
	}
	quiet := s.c.Bool("quiet") || s.c.Bool("json") || page == "-"
	s.runner.Watch = func(f arena.Fixture) referee.Watcher {
		var w referee.Watcher
		if s.c.Bool("verbose") {
			w = s.exchange(f)
		}
		if !quiet {
			w.Event = both(w.Event, s.drawEvent(f))
			w.AutoMove = s.drawAutoMove(f)
		}
		return w
	}
	if !quiet {
		s.printf("%s\n", s.style(dim, fmt.Sprintf("%s, case %s, %s", s.game.Title, f.Case.Name, s.under())))
		s.printf("%s\n", s.set.Cases[0].Start(len(f.Seats)))
	}
	s.runner.Jobs = 1
	records, err := s.play(s.c.Context, []arena.Fixture{f}, nil)
	if err != nil {
		return s.stopped(err, records)
	}
	if s.c.Bool("json") {
		if err := s.json().Encode(records[0]); err != nil {
			return err
		}
	} else if page != "-" {
		s.printf("\n%s", s.result(records[0]))
	}
	if page != "" {
		if err := s.writePage(page, records[0]); err != nil {
			return err
		}
	}
	if records[0].Error != "" {
		return fmt.Errorf("play match: %s", records[0].Error)
	}
	return nil
}

// seated makes the match of the bots as named, in order; the house takes what
// seats are free.
func (s *session) seated() (arena.Fixture, error) {
	if n := len(s.bots); n == 0 || n > s.game.MaxSeats {
		return arena.Fixture{}, usagef("found %d bots, %s has %s seats", n, s.game.Name, seatRange(s.game))
	}
	f := s.fixture(s.set.Cases[0], max(len(s.bots), s.game.MinSeats))
	for _, bot := range s.bots {
		f.Seats = append(f.Seats, seatOf(bot, false))
	}
	for len(f.Seats) < s.game.MinSeats {
		f.Seats = append(f.Seats, seatOf(s.house, true))
	}
	return f, nil
}

func both(f, g func(referee.Event, *protocols.Foul, protocols.Match)) func(referee.Event, *protocols.Foul, protocols.Match) {
	if f == nil {
		return g
	}
	return func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
		f(e, foul, m)
		g(e, foul, m)
	}
}

// drawEvent draws the position after every event, with who did what and how
// long it took.
func (s *session) drawEvent(f arena.Fixture) func(referee.Event, *protocols.Foul, protocols.Match) {
	return func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
		who := fmt.Sprintf("seat %d %s", e.Seat, report.SafeLine(f.Seats[e.Seat-1].Bot))
		s.printf("\n%s %s\n", s.style(bold, who+":"), s.deed(e.Reply, e.Fail, foul, e.Wall))
		s.printf("%s\n", m)
	}
}

// drawAutoMove draws the position after every move that was made without a
// reply.
func (s *session) drawAutoMove(f arena.Fixture) func(int, protocols.Position) {
	return func(seat int, at protocols.Position) {
		s.printf("\n%s\n%s\n", s.unasked(seat, f.Seats[seat-1].Bot), at)
	}
}

// unasked is the headline of a move that was played for a seat.
func (a *app) unasked(seat int, bot string) string {
	return a.style(bold, fmt.Sprintf("seat %d %s:", seat, report.SafeLine(bot))) + " not asked, played for it"
}

// deed says what a seat did: its reply, or how it failed.
func (s *app) deed(reply string, fail *protocols.Failure, foul *protocols.Foul, wall time.Duration) string {
	if fail != nil {
		return s.style(red, string(fail.Kind)) + " " + report.Safe(fail.Detail)
	}
	if strings.Contains(strings.TrimRight(reply, "\n"), "\n") {
		reply = fmt.Sprintf("%d lines", strings.Count(strings.TrimRight(reply, "\n"), "\n")+1)
	}
	text := fmt.Sprintf("%s (%s)", report.Safe(shorten(strings.TrimRight(reply, "\n"))), millis(wall))
	if foul != nil {
		text += " " + s.style(red, "foul") + " " + report.Safe(foul.Reason)
	}
	return text
}

func shorten(text string) string {
	const limit = 200
	if len(text) > limit {
		return text[:limit] + "…"
	}
	return text
}

// millis prints a time in milliseconds.
func millis(d time.Duration) string { return fmt.Sprintf("%.3f ms", float64(d.Microseconds())/1000) }

// exchange prints every line that goes to and fro to standard error.
func (s *session) exchange(f arena.Fixture) referee.Watcher {
	start := time.Now()
	line := func(seat int, arrow, text, more string) {
		for part := range strings.SplitSeq(text, "\n") {
			s.note("%8.3f %s seat %d %s %s %s%s\n", time.Since(start).Seconds(), f.Case.Name, seat,
				f.Seats[seat-1].Bot, arrow, report.Safe(part), more)
		}
	}
	return referee.Watcher{
		Sent: func(seat int, text string) { line(seat, "→", strings.TrimSuffix(text, "\n"), "") },
		Event: func(e referee.Event, foul *protocols.Foul, _ protocols.Match) {
			switch {
			case e.Fail != nil:
				line(e.Seat, "←", e.Fail.Error(), "")
			case foul != nil:
				line(e.Seat, "←", e.Reply, " (foul: "+report.Safe(foul.Reason)+")")
			default:
				line(e.Seat, "←", strings.TrimSuffix(e.Reply, "\n"), " ("+millis(e.Wall)+")")
			}
		},
	}
}

// result is how a match ended, as a table.
func (a *app) result(r record.Record) string {
	if r.Error != "" {
		return "umpire could not play this match: " + report.Safe(r.Error) + "\n"
	}
	t := report.Table{
		Header: []string{"seat", "bot", "verdict", "score", "place", "time", "memory"},
		Right:  []bool{true, false, false, true, true, true, true},
	}
	for i, s := range r.Seats {
		t.Add(i+1, report.Safe(s.Bot), s.Verdict, s.Score, s.Place, millis(time.Duration(s.WallUS)*time.Microsecond), mib(s.PeakBytes))
	}
	var b strings.Builder
	_ = t.Write(&b, func(row, column int, text string) string {
		if row >= 0 && column == 2 {
			return a.verdictStyle(text)
		}
		return text
	})
	for i, s := range r.Seats {
		if s.Verdict != "ok" {
			fmt.Fprintf(&b, "seat %d %s: %s: %s\n", i+1, report.SafeLine(s.Bot), report.SafeLine(s.Verdict), report.Safe(s.Detail))
			b.WriteString(indent(lastLines(s.Stderr, 6)))
			b.WriteString(isolationHint(r.Isolation, s.Stderr))
		}
	}
	return b.String()
}

func mib(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// lastLines are the last n lines of a text, made safe for a terminal.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return report.Safe(strings.Join(lines[max(0, len(lines)-n):], "\n"))
}

func indent(text string) string {
	if text == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}
