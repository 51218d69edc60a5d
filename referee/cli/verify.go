package cli

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
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
	var sum verified
	for line, err := range a.lines(files) {
		if err != nil {
			return err
		}
		judged, err := record.Verify(line, a.games)
		if errors.Is(err, record.ErrTorn) {
			a.note("umpire: %v: passed over\n", err)
			continue
		}
		sum.add(judged)
		switch {
		case quiet:
		case asJSON:
			if err := a.json().Encode(judged); err != nil {
				return err
			}
		case err != nil:
			a.printf("%s\n", report.Safe(err.Error()))
		default:
			a.showJudged(line, judged)
		}
	}
	if !asJSON && !quiet {
		a.printf("%s\n", sum)
	}
	if sum.invalid > 0 {
		return errNo
	}
	return nil
}

// showJudged says what there is to say of a record beyond its being valid.
func (a *app) showJudged(line record.Line, j record.Judged) {
	at := report.SafeLine(fmt.Sprintf("%s:%d: record %s", line.File, line.Number, j.ID))
	switch {
	case !j.Valid:
		a.printf("%s is not valid: %s\n", at, report.Safe(j.Why))
	case j.Error != "":
		a.printf("%s: umpire could not play this match: %s\n", at, report.Safe(j.Error))
	case j.Unchecked != "":
		a.printf("%s can be judged in part only: %s\n", at, report.Safe(j.Unchecked))
	}
}

// verified counts records by what became of them.
type verified struct{ valid, invalid, failed, partly int }

func (v *verified) add(j record.Judged) {
	switch {
	case !j.Valid:
		v.invalid++
	case j.Error != "":
		v.failed++
	default:
		v.valid++
		if j.Unchecked != "" {
			v.partly++
		}
	}
}

func (v verified) String() string {
	text := fmt.Sprintf("%d records: %d valid, %d not", v.valid+v.invalid+v.failed, v.valid, v.invalid)
	if v.failed > 0 {
		text += fmt.Sprintf(", %d that umpire could not play", v.failed)
	}
	if v.partly > 0 {
		text += fmt.Sprintf("; %d of the valid can be judged in part only", v.partly)
	}
	return text
}

// lines yields the lines of results files and of those in run folders; "-" is
// standard input. Errors are the user's.
func (a *app) lines(files []string) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		for _, name := range files {
			in := io.NopCloser(a.in)
			if name != "-" {
				name = resultsIn(name)
				f, err := os.Open(name)
				if err != nil {
					yield(record.Line{}, usage(err))
					return
				}
				in = f
			}
			for line, err := range record.Lines(name, in) {
				if !yield(line, usage(err)) || err != nil {
					in.Close()
					return
				}
			}
			in.Close()
		}
	}
}

// resultsIn is the results file of a run folder; any other name stays.
func resultsIn(name string) string {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return filepath.Join(name, resultsFile)
	}
	return name
}

func (a *app) replayCommand() *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "step through a record: the positions and who played what",
		ArgsUsage: "FILE",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "id", Usage: "only the record `ID`"}, jsonFlag(),
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"}, htmlFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("found %d arguments, expected one results file", c.NArg())
			}
			a.dress(c)
			if c.IsSet("html") {
				return a.replayPage(c)
			}
			return a.replay(c.Args().First(), c.String("id"), c.Bool("json"))
		},
	}
}

func (a *app) replay(file, id string, asJSON bool) error {
	show := a.replayText
	if asJSON {
		show = a.replayJSON
	}
	if id != "" {
		r, err := a.oneRecord(file, id)
		if err != nil {
			return err
		}
		return invalid(fmt.Sprintf("%s: record %s", file, id), show(r))
	}
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
		if err := show(r); err != nil {
			return invalid(fmt.Sprintf("%s:%d: record %s", line.File, line.Number, r.ID), err)
		}
	}
	return nil
}

// invalid is the error that a record is not valid.
func invalid(where string, why error) error {
	if why == nil {
		return nil
	}
	return usagef("%s is not valid: %w", where, why)
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
	setup, _, err := r.Setup(a.games)
	if err != nil {
		return err
	}
	out := a.json()
	out.SetEscapeHTML(false)
	m := setup.Case.Start(len(r.Seats))
	if t, ok := m.(protocols.Tracer); ok {
		step := 0
		for state := range t.Trace() {
			if err := out.Encode(position{ID: r.ID, Step: step, State: state}); err != nil {
				return err
			}
			step++
		}
		_, err := a.playAgain(r, referee.Watcher{})
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
	_, err = a.playAgain(r, referee.Watcher{
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
	setup, _, err := r.Setup(a.games)
	if err != nil {
		return err
	}
	a.printf("%s\n", a.style(bold, report.SafeLine(fmt.Sprintf("%s, case %s, record %s", setup.Game.Title, r.Case.Name, r.ID))))
	a.printf("%s\n", setup.Case.Start(len(r.Seats)))
	played, err := a.playAgain(r, referee.Watcher{
		Event: func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
			who := fmt.Sprintf("seat %d %s", e.Seat, report.SafeLine(r.Seats[e.Seat-1].Bot))
			a.printf("\n%s %s\n%s\n", a.style(bold, who+":"), a.deed(e.Reply, e.Fail, foul, e.Wall), m)
		},
		AutoMove: func(seat int, at protocols.Position) {
			a.printf("\n%s\n%s\n", a.unasked(seat, r.Seats[seat-1].Bot), at)
		},
	})
	if err != nil {
		return err
	}
	for i, s := range played.Seats {
		r.Seats[i].Verdict, r.Seats[i].Detail = string(s.Verdict), s.Detail
		r.Seats[i].Score, r.Seats[i].Place = s.Score, s.Place
	}
	a.printf("\n%s\n", a.result(r))
	return nil
}

// playAgain plays a recorded match again. What is recorded of one that umpire
// failed to play is shown as far as it goes, and has no result; nor has one of
// which a reply is cut.
func (a *app) playAgain(r record.Record, watch referee.Watcher) (referee.Played, error) {
	played, err := r.Again(a.games, watch)
	if r.Error != "" {
		return referee.Played{}, nil
	}
	if r.Cut() {
		played.Seats = nil
	}
	return played, err
}
