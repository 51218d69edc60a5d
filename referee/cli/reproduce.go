package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external"
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
			case s.record.IsRelayed():
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
	app    *app
	c      *cli.Context
	bot    string // as the user named it; "": the recorded one
	folder string // base of the bot's relative paths, and where it is run; "": the working directory
	record record.Record
	setup  referee.Setup
	player arena.Program
	// problem is the problem package that the record is of; nil: none, or not known.
	problem *external.Problem
	events  []referee.Event
	judged  []referee.Seat // how the match ended for every seat
	seat    int
}

// openReproduction finds the record, the seat and the bot.
func openReproduction(a *app, c *cli.Context) (s *reproduction, err error) {
	from, err := reproductionSource(c.Args().Slice())
	if err != nil {
		return nil, err
	}
	file := from.file
	s = &reproduction{app: a, c: c, bot: from.bot}
	if from.known {
		s.record, err = lastFailed(a, file, c.String("id"))
	} else {
		s.record, err = a.files.One(session.Pick{Files: []string{file}, ID: c.String("id")})
	}
	if err == nil {
		s.folder, err = from.prepare(c.IsSet, c.Set)
	}
	if err != nil {
		return nil, err
	}
	if s.record.Error != "" {
		return nil, usagef("%s: record %s: umpire could not play this match (%s), so there is nothing to reproduce", file, s.record.Called(), s.record.Error)
	}
	if s.record.IsRelayed() {
		if err := s.checkRelayed(); err != nil {
			return nil, err
		}
		s.setup.Game, s.setup.Case, err = s.record.Parse(a.umpire.Games)
		s.setup.Seats, s.setup.Limits = 1, s.record.Limits.Limits()
	} else if s.setup, s.events, err = s.record.Setup(a.umpire.Games); err == nil {
		var played referee.Result
		played, err = s.record.Replay(a.umpire.Games, referee.Watcher{})
		s.judged = played.Seats
	}
	if err != nil {
		return nil, usagef("%s: record %s is not valid: %w", file, s.record.Called(), err)
	}
	if s.seat = 1; !s.record.IsRelayed() {
		s.seat, err = s.chooseSeat()
	}
	if err != nil {
		return nil, err
	}
	machine := a.machine(c, flagValues(c))
	if s.player.Launcher, err = machine.Launcher(); err != nil {
		return nil, err
	}
	if err := s.findPackage(machine, from); err != nil {
		return nil, err
	}
	if err := s.findBot(machine); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *reproduction) chooseSeat() (int, error) {
	seats := s.record.Seats
	if s.c.IsSet("seat") {
		n := s.c.Int("seat")
		if n < 1 || n > len(seats) {
			return 0, usagef("--seat: found %d, expected 1 to %d", n, len(seats))
		}
		return n, nil
	}
	visitor := 0
	for i, seat := range seats {
		switch {
		case seat.House:
		case s.judged[i].Verdict != referee.OK:
			return i + 1, nil
		case visitor == 0:
			visitor = i + 1
		}
	}
	return max(1, visitor), nil
}

func (s *reproduction) findBot(machine *session.Machine) error {
	label := s.bot
	recorded := s.record.Seats[s.seat-1].Bot
	if label == "" {
		if !strings.HasPrefix(recorded, "@") || s.record.IsRelayed() && s.problem == nil {
			return usagef("the record names bot %q and not its file, expected `umpire reproduce FILE BOT`", recorded)
		}
		label = recorded
	}
	resolver, err := machine.Resolver(s.c.Context, s.app.umpire, s.record.Game)
	if err == nil && s.problem != nil {
		err = usage(s.problem.MakeWith(s.c.Context, &resolver))
	}
	if err != nil {
		return err
	}
	if s.player.Bot, err = resolver.Resolve(s.c.Context, program.ParseEntrant(s.folder, label)); err != nil {
		return usage(err)
	}
	seating := referee.Seating{Game: s.record.Game, Seat: s.seat, Seats: s.setup.Seats, Limits: s.setup.Limits}
	if err := s.player.CheckStart(s.c.Context, seating); err != nil {
		return usagef("bot %q: %w", label, err)
	}
	return nil
}

// compare runs the bot against the record up to the first difference.
func (s *reproduction) compare(ctx context.Context) error {
	said := s.transcript()
	asRecorded := 0
	all, usage, err := arena.Reproduce(ctx, s.player, referee.Reproduction{
		Setup: s.setup, Events: s.events, Seat: s.seat, Sent: said.Sent,
		Compared: func(c referee.Compared) {
			said.Reply(c.Live)
			if c.Same() {
				asRecorded++
			}
		},
	})
	if interrupted(err) && !s.c.Bool("json") {
		s.app.printf("up to the interrupt as recorded: %d of %d replies\n", asRecorded, s.repliesOwed())
	}
	if err != nil {
		return err
	}
	same := len(all) == 0 || all[len(all)-1].Same()
	switch {
	case s.c.Bool("json"):
		err = s.view().JSON(all, len(all), same)
	case len(all) == 0:
		s.app.printf("seat %d owed no reply in this match\n", s.seat)
	default:
		s.view().Compared(all[len(all)-1], said, usage)
	}
	return cmp.Or(err, yes(same))
}

// view returns the printer of the result.
func (s *reproduction) view() report.Reproduction {
	return report.Reproduction{
		Printer: s.app.out, Setup: s.setup, Record: s.record, Seat: s.seat, Bot: s.player.Name, Quiet: s.c.Bool("quiet"),
	}
}

// transcript records the lines sent to and by the bot; with --verbose, each
// line is printed as it comes.
func (s *reproduction) transcript() *record.Transcript {
	t := &record.Transcript{}
	if s.c.Bool("verbose") {
		t.Said = func(one record.Said) { s.app.note("%s\n", report.TranscriptText([]record.Said{one})) }
	}
	return t
}

// shrink finds the fewest replies after which the bot fails as it did in the
// record. One run through the whole record finds the number; another that ends
// right there confirms it, and finds fewer if the bot does not always play the
// same.
func (s *reproduction) shrink(ctx context.Context) error {
	const attempts = 5
	var all []referee.Compared
	var least *referee.Compared
	var said *record.Transcript
	until := 0
	for n := 1; n <= attempts; n++ {
		now := s.transcript()
		var err error
		all, _, err = arena.Reproduce(ctx, s.player, referee.Reproduction{
			Setup: s.setup, Events: s.events, Seat: s.seat, Through: true, Until: until, Sent: now.Sent,
			Compared: func(c referee.Compared) { now.Reply(c.Live) },
		})
		if err != nil {
			return err
		}
		failed := s.failure(all)
		if failed == nil {
			return s.flaky(least, n)
		}
		confirmed := least != nil && failed.Number == least.Number
		least, said, until = failed, now, failed.Number
		if confirmed {
			break
		}
	}
	if s.c.Bool("json") {
		return s.view().JSON(all, least.Number, true)
	}
	s.view().Shrunk(*least, said.Lines, s.repliesOwed())
	return nil
}

// flaky reports that the bot did not fail this time.
func (s *reproduction) flaky(before *referee.Compared, n int) error {
	switch {
	case before == nil && s.wanted() == referee.Wrong:
		s.app.printf("its output is no longer wrong\n")
	case before == nil:
		s.app.printf("it does not fail%s after any of the %d recorded replies\n", asBefore(s.wanted()), s.repliesOwed())
	default:
		s.app.printf("it does not always fail: after %d replies it did once, and in run %d it did not\n", before.Number-1, n)
	}
	return errNo
}

func asBefore(kind referee.Verdict) string {
	if kind == "" {
		return ""
	}
	return " with " + string(kind) + " any more"
}

// repliesOwed returns how many replies of the seat are recorded, not counting
// one that failed.
func (s *reproduction) repliesOwed() int {
	n := 0
	for _, e := range s.events {
		if e.Seat == s.seat {
			n++
		}
	}
	if s.wanted() != "" {
		n--
	}
	return n
}

// wanted returns how the seat failed in the record; "" if it did not.
func (s *reproduction) wanted() referee.Verdict {
	if v := s.judged[s.seat-1].Verdict; v != referee.OK {
		return v
	}
	return ""
}

// failure returns the first reply at which the bot fails as in the record or,
// if the record has no failure, at which it fails at all.
func (s *reproduction) failure(all []referee.Compared) *referee.Compared {
	for i, c := range all {
		if c.LiveKind != "" && (s.wanted() == "" || s.wanted() == c.LiveKind) {
			return &all[i]
		}
	}
	return nil
}

// expectFixed expects that the bot no longer does what it did. Where the seat
// failed, the bot is sent all that the seat was sent, whatever it replies, and
// must not fail, neither there nor before; where the seat did not fail, the bot
// must reply otherwise, and not fail with that.
func (s *reproduction) expectFixed(ctx context.Context) error {
	said := s.transcript()
	all, usage, err := arena.Reproduce(ctx, s.player, referee.Reproduction{
		Setup: s.setup, Events: s.events, Seat: s.seat, Through: s.wanted() != "", Sent: said.Sent,
		Compared: func(c referee.Compared) { said.Reply(c.Live) },
	})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return usagef("record %s: seat %d owed no reply in this match, so there is nothing to be fixed", s.record.Called(), s.seat)
	}
	shown := all[len(all)-1] // the last, at which it failed or fails
	first := shown
	if i := slices.IndexFunc(all, func(c referee.Compared) bool { return !c.Same() }); i >= 0 {
		first = all[i]
	}
	fixed := shown.LiveKind == "" && usage.Failure == nil && (s.wanted() != "" || !first.Same())
	if s.c.Bool("json") {
		err = s.view().FixedJSON(all, fixed)
	} else {
		s.view().Fixed(first, shown, s.wanted(), usage, said, fixed)
	}
	return cmp.Or(err, yes(fixed))
}
