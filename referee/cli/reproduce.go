package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/external/judging"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/session"
)

func reproduceCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "reproduce", Usage: "send a bot what a recorded seat was sent; show what differs",
		ArgsUsage: "[FILE] [BOT]",
		Description: `FILE is a results file, a run folder, or - for standard input; without it, the last test is
taken, and the first match that failed there. The other seats reply as recorded. Without BOT the
bot of the last test plays or, with FILE, the recorded bot, if it is built in.

A bot of a problem package is started as the package says that --game names, which is needed where
it talks by FIFOs or is several processes.

The exit code is 0 if all replies and any failure are as recorded, and 1 if not. With
--expect-fixed it is 0 only if the bot no longer fails, or did not fail and replies otherwise.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "id", Usage: "`ID` of the record, or a beginning that no other has; needed if there are several"},
			&cli.IntFlag{Name: "seat", Usage: "the bot's seat `N` (default: the first that failed)"},
			&cli.BoolFlag{Name: "shrink", Usage: "continue where replies differ; find the fewest replies after which the bot still fails"},
			&cli.BoolFlag{Name: "expect-fixed", Usage: "end with exit code 0 only if the bot no longer does what it did"},
			isolationFlag(), languagesFlag(), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print only the result"},
			&cli.BoolFlag{Name: "verbose", Usage: "print every line exchanged"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
			&cli.StringFlag{Name: "game", Usage: "start the bot as the problem package in folder or archive `DIR` says (default: that of the last test)"},
		}, packageFlags()),
		Action: func(c *cli.Context) error {
			if c.Bool("shrink") && c.Bool("expect-fixed") {
				return usagef("--shrink looks for a failure, and --expect-fixed expects none: expected one of the two")
			}
			s, err := openReproduction(a, c)
			switch {
			case err != nil:
				return err
			case s.Record.IsRelayed():
				return s.relayed(c.Context)
			case c.Bool("shrink"):
				return s.shrink(c.Context)
			case c.Bool("expect-fixed"):
				return s.expectFixed(c.Context)
			}
			return s.compare(c.Context)
		},
	}
}

// reproduction is the state of the command.
type reproduction struct {
	session.Reproduction
	app *app
	c   *cli.Context
	bot string // as the user named it; "": the recorded one
	// problem is the package in a command, of the record's match, as far as it is known.
	problem string
}

// openReproduction finds the record, the seat and the bot.
func openReproduction(a *app, c *cli.Context) (s *reproduction, err error) {
	from, err := reproductionSource(c.Args().Slice())
	if err != nil {
		return nil, err
	}
	file, folder := from.file, ""
	s = &reproduction{app: a, c: c, bot: from.bot, problem: "PACKAGE"}
	s.Umpire, s.Seat, s.Said = a.umpire, c.Int("seat"), new(record.Transcript)
	if c.Bool("verbose") {
		s.Said.Said = func(one record.Said) { a.note("%s\n", report.TranscriptText([]record.Said{one})) }
	}
	if id := c.String("id"); from.known && id == "" {
		s.Record, err = lastFailed(a, file)
	} else {
		s.Record, err = a.files.One(session.Pick{Files: []string{file}, ID: id})
	}
	if err == nil {
		folder, err = from.prepare(c.IsSet, c.Set)
	}
	switch n := len(s.Record.Seats); {
	case err != nil:
		return nil, err
	case s.Record.Error != "":
		return nil, usagef("%s: record %s: %s: there is nothing to reproduce", file, s.Record.Called(), s.Record.NoResult())
	case s.Record.IsRelayed():
		err = s.checkRelayed()
	case c.IsSet("seat") && (s.Seat < 1 || s.Seat > n):
		err = usagef("--seat: found %d, expected 1 to %d", s.Seat, n)
	}
	if err != nil {
		return nil, err
	}
	if err := s.Read(file); err != nil {
		return nil, err
	}
	s.Machine = a.machine(c, flagValues(c))
	if s.Player.Launcher, err = s.Machine.Launcher(); err != nil {
		return nil, err
	}
	if err := s.findPackage(from); err != nil {
		return nil, err
	}
	return s, s.FindBot(c.Context, folder, s.bot)
}

// compare runs the bot against the record up to the first difference.
func (s *reproduction) compare(ctx context.Context) error {
	asRecorded := 0
	all, usage, err := s.Run(ctx, false, 0, func(c referee.Compared) {
		if c.Same() {
			asRecorded++
		}
	})
	if interrupted(err) && !s.c.Bool("json") {
		s.app.printf("up to the interrupt as recorded: %d of %d replies\n", asRecorded, s.Owed())
	}
	if err != nil {
		return err
	}
	same := len(all) == 0 || all[len(all)-1].Same()
	switch {
	case s.c.Bool("json"):
		err = s.view().JSON(all, same, nil)
	case len(all) == 0:
		s.app.printf("seat %d owed no reply in this match\n", s.Seat)
	default:
		s.view().Compared(all[len(all)-1], s.Said, usage)
	}
	return cmp.Or(err, yes(same))
}

// view returns the printer of the result.
func (s *reproduction) view() report.Reproduction {
	return report.Reproduction{
		Printer: s.app.out, Setup: s.Setup, Record: s.Record, Seat: s.Seat, Bot: s.Player.Name, Quiet: s.c.Bool("quiet"),
	}
}

// shrink shows the fewest replies after which the bot fails as it did in the record.
func (s *reproduction) shrink(ctx context.Context) error {
	all, least, runs, ok, err := s.Shrink(ctx)
	switch {
	case err != nil:
		return err
	case !ok:
		return s.flaky(least, runs)
	case s.c.Bool("json"):
		return s.view().JSON(all[:least.Number], true, nil)
	}
	s.view().Shrunk(*least, s.Said.Lines, s.Owed())
	return nil
}

// flaky reports that the bot did not fail this time.
func (s *reproduction) flaky(before *referee.Compared, n int) error {
	switch {
	case before == nil && s.Wanted() == referee.Wrong:
		s.app.printf("its output is no longer wrong\n")
	case before == nil:
		again := ""
		if kind := s.Wanted(); kind != "" {
			again = " with " + string(kind) + " any more"
		}
		s.app.printf("it does not fail%s after any of the %d recorded replies\n", again, s.Owed())
	default:
		s.app.printf("it does not always fail: after %s it did once, and in run %d it did not\n", report.Plural(before.Number-1, "reply"), n)
	}
	return errNo
}

// expectFixed expects that the bot no longer does what it did. Where the seat
// failed, the bot is sent all that the seat was sent, whatever it replies, and
// must not fail, neither there nor before; where the seat did not fail, the bot
// must reply otherwise, and not fail with that.
func (s *reproduction) expectFixed(ctx context.Context) error {
	all, usage, err := s.Run(ctx, s.Wanted() != "", 0, nil)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return usagef("record %s: seat %d owed no reply in this match, so there is nothing to be fixed", s.Record.Called(), s.Seat)
	}
	shown := all[len(all)-1] // the last, at which it failed or fails
	first := shown
	if i := slices.IndexFunc(all, func(c referee.Compared) bool { return !c.Same() }); i >= 0 {
		first = all[i]
	}
	fixed := shown.LiveKind == "" && usage.Failure == nil && (s.Wanted() != "" || !first.Same())
	if s.c.Bool("json") {
		err = s.view().JSON(all, first.Same(), &fixed)
	} else {
		s.view().Fixed(first, shown, s.Wanted(), usage, s.Said, fixed)
	}
	return cmp.Or(err, yes(fixed))
}

// source is where a reproduction takes the match and the bot from.
type source struct {
	file  string
	bot   string           // as the user named it; "": the recorded one, if it is built in
	last  session.LastTest // where the file is that of the last test
	known bool             // last is set
}

// reproductionSource reads the arguments [FILE] [BOT]. Without FILE it is the
// last test; without BOT, too, the bot of that test.
func reproductionSource(args []string) (s source, err error) {
	switch {
	case len(args) > 2:
		return s, usagef("found %d arguments, expected `umpire reproduce [FILE] [BOT]`", len(args))
	case len(args) == 2:
		return source{file: args[0], bot: args[1]}, nil
	case len(args) == 1 && session.IsResults(args[0]):
		return source{file: args[0]}, nil
	}
	if len(args) == 1 {
		if files := program.ParseEntrant("", args[0]).Files(); len(files) == 1 && !program.Exists(files[0]) {
			return s, usagef("%s: no such file, expected results or a bot: `umpire reproduce [FILE] [BOT]`", args[0])
		}
	}
	s.known = true
	if s.file, s.last, err = session.LastOfAll(); errors.Is(err, fs.ErrNotExist) {
		return s, usagef("found no FILE, and no earlier test, expected `umpire reproduce [FILE] [BOT]`")
	}
	if err != nil {
		return s, usage(err)
	}
	s.bot = s.last.Bot
	if len(args) == 1 {
		s.bot = args[0]
	}
	return s, nil
}

// lastFailed finds the first match that failed in the last test.
func lastFailed(a *app, file string) (first record.Record, err error) {
	first, failed, played, err := a.files.FirstFailed(file)
	switch {
	case err != nil:
		return first, err
	case played == 0:
		return first, usagef("the last test has no match that was played")
	case failed == 0 && played > 1:
		return first, usagef("no match failed in the last test, so --id must say which is meant: umpire replay %s --list", quote(session.LinkToLast(file)))
	case failed > 1:
		a.note("umpire: case %s, the first of %d matches that failed in the last test; --id chooses another\n", first.Case.Name, failed)
	}
	return first, nil
}

// prepare takes over what the bot of the last test was built and started with,
// unless the user has set it. It returns the folder of the bot.
func (s source) prepare(isSet func(string) bool, set func(name, value string) error) (folder string, err error) {
	if !s.known || s.bot != s.last.Bot {
		return "", nil
	}
	for name, value := range s.last.Flags {
		if isSet(name) {
			continue
		}
		if err := set(name, value); err != nil {
			return "", fmt.Errorf("--%s of the last test: %w", name, err)
		}
	}
	if wd, err := os.Getwd(); err == nil && wd == s.last.Folder {
		return "", nil
	}
	return s.last.Folder, nil
}

// checkRelayed refuses what can't be asked of a match of a problem package.
func (s *reproduction) checkRelayed() error {
	switch called := s.Record.Called(); {
	case s.c.Bool("shrink"):
		return usagef("--shrink: record %s is of a problem package, whose judge answers to all that it has heard", called)
	case s.c.IsSet("seat") && s.c.Int("seat") != 1:
		return usagef("--seat: found %d, expected 1: a match of a problem package has one seat", s.c.Int("seat"))
	case len(s.Record.Seats) != 1:
		return usagef("record %s is not valid: seats: found %d, expected 1", called, len(s.Record.Seats))
	}
	return nil
}

// findPackage finds the problem package of the record: in --game or, without that, where
// it was in the last test, if it is still the same.
func (s *reproduction) findPackage(from source) error {
	dir := s.c.String("game")
	if !s.Record.IsRelayed() {
		if dir != "" {
			return usagef("--game: record %s is of no problem package, and says itself what its bots were sent", s.Record.Called())
		}
		return nil
	}
	given := dir != ""
	if !given {
		dir, s.app.umpire.Reading.Format = from.last.Package["game"], from.last.Package["format"]
	}
	if dir == "" {
		return nil
	}
	p, err := s.app.umpire.ProblemOf(s.c.Context, s.Machine, dir, s.Record)
	switch {
	case err == nil:
		s.Problem, s.problem = p, quote(dir)
		if format := s.app.umpire.Reading.Format; format != "" {
			s.problem += " --format " + format
		}
	case !given && isUsage(err):
		return nil // it is not what the record is about
	}
	return err
}

// relayed has the bot hear what the judge of a problem package said.
func (s *reproduction) relayed(ctx context.Context) error {
	fixed, failed := s.c.Bool("expect-fixed"), s.Failed()
	out, err := s.Relay(ctx, fixed && failed)
	switch {
	case errors.Is(err, judging.ErrNoPackage):
		return usagef("record %s can't be reproduced: %w: expected --game DIR, the folder or archive of %s", s.Record.Called(), err, s.Record.Game)
	case errors.Is(err, judging.ErrSilent), errors.Is(err, judging.ErrNoProcess), errors.Is(err, judging.ErrCut):
		return usagef("record %s can't be reproduced: %w; to play it again: umpire match %s %s --case %s", s.Record.Called(), err, s.problem, quote(s.bot), quote(s.Record.Case.Name))
	case err != nil:
		return err
	}
	recorded, now, end := out.Words()
	view := report.RelayedReproduction{
		Reproduction: s.view(), Lines: out.Lines, Same: out.Same, Process: out.Process, Recorded: recorded, Now: now, End: end,
		Seen: out.Seen, Usage: out.Usage,
	}
	well := out.Same
	if fixed {
		view.Fixed = !out.Failed && (failed || !out.Same)
		view.AskedFixed, well = true, view.Fixed
	}
	if s.c.Bool("json") {
		err = view.JSON()
	} else {
		view.Print()
	}
	return cmp.Or(err, yes(well))
}
