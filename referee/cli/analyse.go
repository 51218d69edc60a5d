package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/analysis"
	"umpire/referee/cli/shell"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/session"
	"umpire/referee/standings"
)

func analyseCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "analyse", Usage: "say what each recorded reply was worth, against the best",
		ArgsUsage: "[FILE]...",
		Description: `FILE is a results file, a run folder, or - for standard input; without one, the newest run
in this folder or its runs/, or the last test, whichever is newer.

Of one match every reply is shown, of several what each bot lost: for each choice, in which third
of the match, its worst moves and the commands that replay them. What a failure cost is not part
of what was lost.

How a game values replies, and from which loss a reply is an inaccuracy, a mistake or a blunder,
is said with the result. Values are exact or called estimates. With --bot, only what these bots
played is valued. In a tournament's run folder, only the matches of that tournament count, as in
umpire standings, unless --all or --id.`,
		Flags: slices.Concat(filterFlags(), []cli.Flag{
			&cli.StringFlag{Name: "id", Usage: "only the record `ID`; a beginning that no other id has will do"},
			&cli.BoolFlag{Name: "moves", Usage: "show every reply, also of several matches"},
			&cli.IntFlag{Name: "jobs", Usage: "analyse `N` matches concurrently (default: one for each CPU)"},
			exportFlag("moves"), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "no progress"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		}),
		Action: func(c *cli.Context) error {
			files, err := a.named(c, session.NewestRecords)
			if err != nil {
				return err
			}
			jobs, err := flagValues(c).count("jobs")
			if err != nil {
				return err
			}
			s := &analysing{
				app: a, c: c, from: files, tally: analysis.NewTally(), unknown: make(map[string]int),
				view:     report.Analysis{Printer: a.out, Bot: strings.Join(c.StringSlice("bot"), ", "), Replay: replayFrom},
				progress: a.progress("analysing", 0, c.Bool("quiet")),
			}
			if err = openMoves(s); err == nil {
				err = s.run(c.Context, cmp.Or(jobs, runtime.GOMAXPROCS(0)))
			}
			return errors.Join(err, closeMoves(s))
		},
	}
}

// analysing is the state of the command.
type analysing struct {
	*app
	c        *cli.Context
	from     []string // files and folders
	view     report.Analysis
	tally    *analysis.Tally
	progress *shell.Progress
	first    *analysis.Match // the only match so far; its moves are shown if it remains the only one
	moves    []*report.Moves // --export
	opened   []*os.File      // that they go to
	names    record.BotNames // for them
	shown    bool            // standard output is taken by them

	unknown map[string]int // records that can't say what replies are worth, by the reason
	invalid int
	failed  int // records of matches that umpire failed to play
}

// openMoves begins to write the moves as --export requests.
func openMoves(s *analysing) error {
	for _, e := range s.exports {
		var to io.Writer = s.stdout
		if s.shown = s.shown || e.file == ""; e.file != "" {
			f, err := os.Create(e.file)
			if err != nil {
				return fmt.Errorf("export: %w", err)
			}
			s.opened, to = append(s.opened, f), f
		}
		m, err := report.NewMoves(to, &s.names)
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		s.moves = append(s.moves, m)
	}
	return nil
}

// closeMoves ends it.
func closeMoves(s *analysing) (err error) {
	for _, m := range s.moves {
		err = errors.Join(err, m.Flush())
	}
	for _, f := range s.opened {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		err = fmt.Errorf("export: %w", err)
	}
	return err
}

// replayFrom returns the command that shows the position before a step.
func replayFrom(at analysis.At, step int) string {
	again := runAgain("replay", at.File)
	if id := cmp.Or(at.Name, at.ID); id != "" { // records made by hand may have none
		again = again.flag("id", id)
	}
	return again.flag("from", strconv.Itoa(step-1)).String()
}

func (s *analysing) run(ctx context.Context, jobs int) error {
	p := newPick(s.c, s.from)
	of := session.Selection{Umpire: s.umpire, Files: s.files, All: s.c.Bool("all") || p.ID != ""} // the pick filters
	var only func(record.Seat) bool
	if bots := p.Filter.Bots; len(bots) > 0 {
		only = func(s record.Seat) bool {
			return slices.ContainsFunc(bots, standings.Bot{Name: s.Bot, Digest: s.Digest, House: s.House}.Is)
		}
	}
	if err := s.nameBots(&of, p); err != nil {
		return err
	}
	for r, err := range analysis.Stream(ctx, sources(of.Counted(s.files.Records(p))), s.umpire.Games, only, jobs) {
		if interrupted(err) {
			break
		}
		if err == nil {
			err = s.add(r)
		}
		if err != nil {
			s.progress.End()
			return err
		}
		s.progress.Count()
	}
	s.progress.End()
	if n := of.Unrelated(); n > 0 {
		s.note("umpire: %s\n", report.UnrelatedNote(n))
	}
	if err := s.finish(ctx.Err() != nil); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// nameBots reads the records once before, for the moves to call the bots what they are
// called among all, where that can be done.
func (s *analysing) nameBots(of *session.Selection, p session.Pick) error {
	if len(s.moves) == 0 {
		return nil
	}
	if slices.Contains(p.Files, "-") {
		if err := s.files.KeepInput(); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(p.Files, func(name string) bool { return !s.files.CanReadAgain(name) }) {
		return nil
	}
	quiet := *s.files // what is to be noted is noted when they are read again
	quiet.Notice = func(string, ...any) {}
	for r, err := range of.Counted(quiet.Records(p)) {
		if err != nil {
			return err
		}
		for _, seat := range r.Seats {
			if r.Error == "" {
				s.names.Add(r.Game, seat.Bot, seat.Digest, seat.House)
			}
		}
	}
	return nil
}

// sources yields records as they are analysed.
func sources(found iter.Seq2[session.Found, error]) iter.Seq2[analysis.Source, error] {
	return func(yield func(analysis.Source, error) bool) {
		for r, err := range found {
			if !yield(analysis.Source{File: r.Line.File, Number: r.Line.Number, Record: r.Record}, err) {
				return
			}
		}
	}
}

// add takes the analysis of a record, or says why there is none.
func (s *analysing) add(r analysis.Result) error {
	var other *analysis.NoAnalyst
	at := fmt.Sprintf("%s:%d: record %s", r.File, r.Number, r.Record.Called())
	switch {
	case errors.As(r.Err, &other):
		s.unknown[other.Error()]++
		return nil
	case errors.As(r.Err, new(*analysis.NotPlayed)):
		s.failed++
		s.note("umpire: %s: %v: skipped\n", report.SafeLine(at), r.Err)
		return nil
	case r.Err != nil:
		s.invalid++
		s.note("umpire: %s is not valid: %v: skipped\n", report.SafeLine(at), r.Err)
		return nil
	}
	s.tally.Add(r.Match, analysis.At{File: r.File})
	for _, m := range s.moves {
		if err := m.Add(r.Record, r.Match); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	switch {
	case s.shown:
	case s.c.Bool("json"):
		return s.out.JSON().Encode(r.Match)
	case s.c.Bool("moves"):
		s.view.Moves(r.Match)
	case s.tally.Matches == 1:
		s.first = r.Match
	default:
		s.first = nil
	}
	return nil
}

// finish prints what the bots lost.
func (s *analysing) finish(interrupted bool) error {
	for _, why := range slices.Sorted(maps.Keys(s.unknown)) {
		s.note("umpire: skipped %s: %s\n", report.Plural(s.unknown[why], "record"), report.SafeLine(why))
	}
	switch {
	case s.tally.Matches == 0 && interrupted:
		return nil
	case s.tally.Matches == 0:
		return s.nothing()
	case s.shown:
	case s.c.Bool("json"):
		if err := s.out.JSON().Encode(report.AnalysisJSON{Matches: s.tally.Matches, Bots: s.tally.Bots()}); err != nil {
			return err
		}
	default:
		if s.first != nil {
			s.view.Moves(s.first)
		}
		s.view.Bots(s.tally)
	}
	if out, ok := s.stdout.(*output); ok && out.err != nil {
		return out.err
	}
	if interrupted {
		s.stopSaid = true
		s.note("umpire: interrupted after %s\n", report.Plural(s.tally.Matches, "match"))
		s.sayAgain("to run it again", repeat(s.c).String())
	}
	if s.invalid > 0 {
		return usagef("%s not valid, so not analysed", report.Plural(s.invalid, "record"))
	}
	return nil
}

// nothing says why no record was analysed.
func (s *analysing) nothing() error {
	files := strings.Join(s.from, ", ")
	switch {
	case s.invalid > 0:
		return usagef("%s: found no valid record", files)
	case s.failed > 0:
		return usagef("%s: found no match that was played", files)
	case len(s.unknown) > 0:
		return usagef("%s: found no record to analyse; %s", files, valuedGames(s.app))
	}
	return usagef("%s: found no record", files)
}

func analyseFlag() cli.Flag {
	return &cli.BoolFlag{Name: "analyse", Usage: "say what each reply was worth, and the best one"}
}

// analysed returns the analysis of a record that is shown with --analyse; nil
// without it, and for a match that umpire failed to play.
func (a *app) analysed(c *cli.Context, r record.Record) (*analysis.Match, error) {
	if !c.Bool("analyse") {
		return nil, nil
	}
	m, err := analysis.Of(r, a.umpire.Games, nil)
	switch {
	case errors.As(err, new(*analysis.NotPlayed)):
		return nil, nil
	case errors.As(err, new(*analysis.NoAnalyst)):
		return nil, usagef("--analyse: %w; %s", err, valuedGames(a))
	case err != nil:
		return nil, invalid("record "+r.Called(), err)
	}
	return m, nil
}

// checkAnalyse checks, before a match is played, that --analyse can be done.
func checkAnalyse(a *app, c *cli.Context, g protocols.Game) error {
	switch {
	case !c.Bool("analyse"):
		return nil
	case g.Analysis.Unit == "" && a.umpire.Folder(g) == nil: // a judge may say values
		return usagef("--analyse: %w; %s", &analysis.NoAnalyst{Game: g.Name}, valuedGames(a))
	case c.Bool("json") && c.String("html") == "" && c.Command.Name == "match":
		return usagef("--analyse: --json prints the record alone; write it with -o DIR, then `umpire analyse --json DIR`")
	}
	return nil
}

// valuedGames names the games whose replies can be valued.
func valuedGames(a *app) string {
	var games []string
	for _, g := range a.umpire.Games {
		if g.Analysis.Unit != "" {
			games = append(games, g.Name)
		}
	}
	return "replies can be valued in " + strings.Join(games, ", ") + ", and where the judge of a game of one's own says values"
}
