package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/report"
)

func (a *app) verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "recompute every record's outcome from its case and events",
		ArgsUsage: "FILE...",
		Flags:     []cli.Flag{jsonFlag(), &cli.BoolFlag{Name: "quiet", Usage: "print nothing: the exit code alone"}},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("found no file, expected `umpire verify FILE...` (- is standard input)")
			}
			return a.verify(c.Args().Slice(), c.Bool("json"), c.Bool("quiet"))
		},
	}
}

func (a *app) verify(files []string, asJSON, quiet bool) error {
	valid, invalid := 0, 0
	for line, err := range a.lines(files) {
		if err != nil {
			return err
		}
		judged, err := record.Verify(line, a.games)
		if errors.Is(err, record.ErrTorn) {
			a.note("umpire: %v: passed over\n", err)
			continue
		}
		if err != nil {
			return usage(err)
		}
		if judged.Valid {
			valid++
		} else {
			invalid++
		}
		switch {
		case quiet:
		case asJSON:
			if err := json.NewEncoder(a.out).Encode(judged); err != nil {
				return err
			}
		case !judged.Valid:
			a.printf("%s:%d: record %s is not valid: %s\n", line.File, line.Number, report.Safe(judged.ID), report.Safe(judged.Why))
		}
	}
	if !asJSON && !quiet {
		a.printf("%d records: %d valid, %d not\n", valid+invalid, valid, invalid)
	}
	if invalid > 0 {
		return errNo
	}
	return nil
}

// lines yields the lines of results files; "-" is standard input.
func (a *app) lines(files []string) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		for _, name := range files {
			in := io.NopCloser(a.in)
			if name != "-" {
				f, err := os.Open(name)
				if err != nil {
					yield(record.Line{}, usage(err))
					return
				}
				in = f
			}
			for line, err := range record.Lines(name, in) {
				if !yield(line, err) || err != nil {
					in.Close()
					return
				}
			}
			in.Close()
		}
	}
}

func (a *app) replayCommand() *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "step through a record: the positions and who played what",
		ArgsUsage: "FILE",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "id", Usage: "only the record `ID`"}, jsonFlag(),
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("found %d arguments, expected one results file", c.NArg())
			}
			a.dress(c)
			return a.replay(c.Args().First(), c.String("id"), c.Bool("json"))
		},
	}
}

func (a *app) replay(file, id string, asJSON bool) error {
	found := 0
	for line, err := range a.lines([]string{file}) {
		if err != nil {
			return err
		}
		r, err := line.Record()
		if errors.Is(err, record.ErrTorn) {
			a.note("umpire: %v: passed over\n", err)
			continue
		}
		if err != nil {
			return usage(err)
		}
		if id != "" && r.ID != id {
			continue
		}
		found++
		show := a.replayText
		if asJSON {
			show = a.replayJSON
		}
		if err := show(r); err != nil {
			return usagef("%s:%d: record %s is not valid: %w", line.File, line.Number, r.ID, err)
		}
	}
	if found == 0 && id != "" {
		return usagef("%s: found no record with id %q", file, id)
	}
	return nil
}

// position is a line of `replay --json`. With a seat, but neither a reply nor a
// failure, it is that after a move made without asking the seat.
type position struct {
	ID    string `json:"id"`
	Step  int    `json:"step"`
	Seat  int    `json:"seat,omitempty"`
	Reply string `json:"reply,omitempty"`
	Fail  string `json:"fail,omitempty"`
	State any    `json:"state"`
}

func (a *app) replayJSON(r record.Record) error {
	_, c, err := r.Parse(a.games)
	if err != nil {
		return err
	}
	out := json.NewEncoder(a.out)
	out.SetEscapeHTML(false)
	m := c.Start(max(1, len(r.Seats)))
	if t, ok := m.(protocols.Tracer); ok {
		step := 0
		for state := range t.Trace() {
			if err := out.Encode(position{ID: r.ID, Step: step, State: state}); err != nil {
				return err
			}
			step++
		}
		_, err := r.Again(a.games, referee.Watcher{})
		return err
	}
	if err := out.Encode(position{ID: r.ID, State: m.State()}); err != nil {
		return err
	}
	step := 0
	show := func(p position) {
		step++
		p.ID, p.Step = r.ID, step
		_ = out.Encode(p)
	}
	_, err = r.Again(a.games, referee.Watcher{
		Event: func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
			p := position{Seat: e.Seat, Reply: strings.ToValidUTF8(e.Reply, "�"), State: m.State()}
			switch {
			case e.Fail != nil:
				p.Fail = string(e.Fail.Kind)
			case foul != nil:
				p.Fail = string(protocols.KindFoul)
			}
			show(p)
		},
		AutoMove: func(seat int, at protocols.Position) { show(position{Seat: seat, State: at.State()}) },
	})
	return err
}

func (a *app) replayText(r record.Record) error {
	g, c, err := r.Parse(a.games)
	if err != nil {
		return err
	}
	a.printf("%s\n", a.style(bold, fmt.Sprintf("%s, case %s, record %s", g.Title, r.Case.Name, r.ID)))
	seats := len(r.Seats)
	if seats < g.MinSeats || seats > g.MaxSeats {
		return fmt.Errorf("seats: found %d, expected %s", seats, seatRange(g))
	}
	a.printf("%s\n", c.Start(seats))
	_, err = r.Again(a.games, referee.Watcher{
		Event: func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
			who := fmt.Sprintf("seat %d %s", e.Seat, report.Safe(r.Seats[e.Seat-1].Bot))
			a.printf("\n%s %s\n%s\n", a.style(bold, who+":"), a.deed(e.Reply, e.Fail, foul, e.Wall), m)
		},
		AutoMove: func(seat int, at protocols.Position) {
			a.printf("\n%s\n%s\n", a.unasked(seat, r.Seats[seat-1].Bot), at)
		},
	})
	if err != nil {
		return err
	}
	a.printf("\n%s\n", a.result(r))
	return nil
}
