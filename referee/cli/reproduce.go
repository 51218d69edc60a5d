package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/sandbox"
)

func (a *app) reproduceCommand() *cli.Command {
	return &cli.Command{
		Name: "reproduce", Usage: "feed a bot what a recorded seat was sent; show where it differs",
		ArgsUsage: "FILE [BOT]",
		Description: "The other seats reply as recorded. Without BOT the recorded one plays, if it is built in.\n" +
			"The exit code is 0 if every reply, and how the seat failed, is as recorded, and 1 if not.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "id", Usage: "the record `ID`; needed where there are several"},
			&cli.IntFlag{Name: "seat", Usage: "the bot's seat `N` (default: the first that failed)"},
			&cli.BoolFlag{Name: "shrink", Usage: "go on where replies differ; find the fewest replies after which it still fails"},
			isolationFlag(), languagesFlag(), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print the result alone"},
			&cli.BoolFlag{Name: "verbose", Usage: "print every line exchanged"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		},
		Action: func(c *cli.Context) error {
			if n := c.NArg(); n != 1 && n != 2 {
				return usagef("found %d arguments, expected `umpire reproduce FILE [BOT]`", n)
			}
			a.dress(c)
			s, err := a.openReproduction(c)
			if err != nil {
				return err
			}
			if c.Bool("shrink") {
				return s.shrink(c.Context)
			}
			return s.compare(c.Context)
		},
	}
}

// reproduction is what the command works with.
type reproduction struct {
	*app
	c      *cli.Context
	record record.Record
	setup  referee.Setup
	player arena.Program
	events []referee.Event
	judged []referee.Seat // how it ended for every seat
	seat   int
}

// openReproduction finds the record, the seat and the bot.
func (a *app) openReproduction(c *cli.Context) (s *reproduction, err error) {
	file := c.Args().First()
	s = &reproduction{app: a, c: c}
	if s.record, err = a.oneRecord(file, c.String("id")); err != nil {
		return nil, err
	}
	if s.record.Error != "" {
		return nil, usagef("%s: record %s: umpire could not play this match (%s), so there is nothing to reproduce", file, s.record.ID, s.record.Error)
	}
	if s.setup, s.events, err = s.record.Setup(a.games); err == nil {
		var played referee.Played
		played, err = s.record.Again(a.games, referee.Watcher{})
		s.judged = played.Seats
	}
	if err != nil {
		return nil, usagef("%s: record %s is not valid: %w", file, s.record.ID, err)
	}
	if s.seat, err = s.chooseSeat(); err != nil {
		return nil, err
	}
	if s.player.Launcher, err = a.launcher(c); err != nil {
		return nil, err
	}
	if err := s.findBot(); err != nil {
		return nil, err
	}
	return s, nil
}

// oneRecord finds the record with an id, of several the one that counts; without
// an id, the only record.
func (a *app) oneRecord(file, id string) (found record.Record, err error) {
	var ids []string
	for line, err := range a.lines([]string{file}) {
		if err != nil {
			return found, err
		}
		r, err := line.Record()
		if errors.Is(err, record.ErrTorn) {
			a.note("umpire: %v: passed over\n", err)
			continue
		}
		if err != nil {
			return found, usage(err)
		}
		if id == "" || r.ID == id {
			if len(ids) == 0 || record.Supersedes(found.Error != "", r.Error != "") {
				found = r
			}
			ids = append(ids, r.ID)
		}
	}
	switch {
	case len(ids) == 0 && id == "":
		return found, usagef("%s: found no record", file)
	case len(ids) == 0:
		return found, usagef("%s: found no record with id %q", file, id)
	case len(ids) > 1 && id == "":
		return found, usagef("%s: found %d records, expected --id ID, such as --id %s", file, len(ids), ids[0])
	}
	return found, nil
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

func (s *reproduction) findBot() error {
	label := s.c.Args().Get(1)
	recorded := s.record.Seats[s.seat-1].Bot
	if label == "" {
		if !strings.HasPrefix(recorded, "@") {
			return usagef("the record names bot %q and not its file, expected `umpire reproduce FILE BOT`", recorded)
		}
		label = recorded
	}
	builtins, err := s.builtins(s.record.Game)
	if err != nil {
		return err
	}
	if builtins.Builder, err = s.builder(s.c, func() (sandbox.Launcher, error) { return s.player.Launcher, nil }); err != nil {
		return err
	}
	if s.player.Bot, err = builtins.Resolve(s.c.Context, label); err != nil {
		return usage(err)
	}
	seating := referee.Seating{Game: s.record.Game, Seat: s.seat, Seats: s.setup.Seats, Limits: s.setup.Limits}
	if err := s.player.CheckStart(s.c.Context, seating); err != nil {
		return usagef("bot %q: %w", label, err)
	}
	return nil
}

// reproduced is what `reproduce --json` prints.
type reproduced struct {
	ID       string `json:"id"`
	Seat     int    `json:"seat"`
	Bot      string `json:"bot"`
	Replies  int    `json:"replies"` // compared
	Same     bool   `json:"same"`
	Recorded deed   `json:"recorded"` // the last
	Now      deed   `json:"now"`
}

// deed is a reply or a failure.
type deed struct {
	Reply  string `json:"reply,omitempty"`
	Fail   string `json:"fail,omitempty"`
	Detail string `json:"detail,omitempty"`
}

func deedOf(e referee.Event, kind referee.Verdict, foul *protocols.Foul, wrong string) deed {
	d := deed{Reply: strings.ToValidUTF8(e.Reply, "�"), Fail: string(kind), Detail: wrong}
	switch {
	case e.Fail != nil:
		d.Detail = e.Fail.Detail
	case foul != nil:
		d.Detail = foul.Reason
	}
	return d
}

// compare runs the bot beside the record up to the first difference.
func (s *reproduction) compare(ctx context.Context) error {
	talk := s.talk()
	all, usage, err := arena.Reproduce(ctx, s.player, referee.Reproduction{
		Setup: s.setup, Events: s.events, Seat: s.seat, Sent: talk.sent, Compared: talk.compared,
	})
	if err != nil {
		return err
	}
	same := len(all) == 0 || all[len(all)-1].Same()
	switch {
	case s.c.Bool("json"):
		err = s.printJSON(all, len(all), same)
	case len(all) == 0:
		s.printf("seat %d owed no reply in this match\n", s.seat)
	default:
		s.show(all[len(all)-1], same, talk, usage)
	}
	if err == nil && !same {
		err = errNo
	}
	return err
}

// printJSON prints the comparison of the n-th reply, if there is one.
func (s *reproduction) printJSON(all []referee.Compared, n int, same bool) error {
	out := reproduced{ID: s.record.ID, Seat: s.seat, Bot: s.player.Name, Replies: n, Same: same}
	if n > 0 {
		last := all[n-1]
		out.Recorded = deedOf(last.Recorded, last.RecordedKind, nil, "")
		out.Now = deedOf(last.Live, last.LiveKind, last.Foul, last.Wrong)
	}
	return s.json().Encode(out)
}

// show prints how the comparison ended.
func (s *reproduction) show(last referee.Compared, same bool, talk *talk, usage referee.Usage) {
	if !s.c.Bool("quiet") {
		s.head()
	}
	if last.LiveKind != "" || !same {
		s.printf("last lines (→ to the bot, ← from it):\n%s", indent(strings.Join(talk.last(6), "\n")))
		if text := string(usage.Stderr); strings.TrimSpace(text) != "" {
			s.printf("its standard error ends:\n%s", indent(lastLines(text, 8)))
		}
	}
	switch {
	case !same:
		s.printf("reply %d differs:\n", last.Number)
		s.printf("  recorded: %s\n", s.deed(last.Recorded.Reply, last.Recorded.Fail, nil, last.Recorded.Wall))
		s.printf("  now:      %s\n", s.live(last))
	case last.LiveKind != "":
		s.printf("reply %d fails as recorded: %s\n", last.Number, s.live(last))
	}
	if same {
		s.printf("%s\n", s.style(green, fmt.Sprintf("all %d replies are as recorded", last.Number)))
	}
}

// live says what the live contestant did.
func (s *reproduction) live(c referee.Compared) string {
	text := s.deed(c.Live.Reply, c.Live.Fail, c.Foul, c.Live.Wall)
	if c.LiveKind == referee.Wrong {
		text += " " + s.style(red, string(referee.Wrong)) + " " + report.Safe(c.Wrong)
	}
	return text
}

func (s *reproduction) head() {
	s.printf("%s\n", s.style(dim, fmt.Sprintf("%s, case %s, record %s, seat %d: %s", s.setup.Game.Title,
		report.Safe(s.record.Case.Name), report.Safe(s.record.ID), s.seat, report.Safe(s.player.Name))))
}

// shrink finds the fewest replies after which the bot fails as it did in the
// record. One run through the record knows that for all its beginnings; another
// that ends right there checks it, and finds fewer if the bot is not always
// the same.
func (s *reproduction) shrink(ctx context.Context) error {
	const attempts = 5
	var all []referee.Compared
	var least *referee.Compared
	var said []string
	until := 0
	for n := 1; n <= attempts; n++ {
		talk := s.talk()
		var err error
		all, _, err = arena.Reproduce(ctx, s.player, referee.Reproduction{
			Setup: s.setup, Events: s.events, Seat: s.seat, Through: true, Until: until, Sent: talk.sent, Compared: talk.compared,
		})
		if err != nil {
			return err
		}
		failed := s.failure(all)
		if failed == nil {
			return s.unsteady(least, n)
		}
		confirmed := least != nil && failed.Number == least.Number
		least, said, until = failed, talk.lines, failed.Number
		if confirmed {
			break
		}
	}
	if s.c.Bool("json") {
		return s.printJSON(all, least.Number, true)
	}
	if !s.c.Bool("quiet") {
		s.head()
		s.printf("what it is sent (→) and replies (←) up to there:\n%s", indent(strings.Join(said, "\n")))
	}
	if least.LiveKind == referee.Wrong {
		s.printf("its output is still wrong: %s\n", s.live(*least))
		return nil
	}
	s.printf("still fails after %d of %d recorded replies: %s\n", least.Number-1, s.owed(), s.live(*least))
	return nil
}

// unsteady tells that the bot did not fail.
func (s *reproduction) unsteady(before *referee.Compared, n int) error {
	switch {
	case before == nil && s.wanted() == referee.Wrong:
		s.printf("its output is not wrong any more\n")
	case before == nil:
		s.printf("it does not fail%s after any of the %d recorded replies\n", asBefore(s.wanted()), s.owed())
	default:
		s.printf("it does not always fail: after %d replies it did once, and in run %d it did not\n", before.Number-1, n)
	}
	return errNo
}

func asBefore(kind referee.Verdict) string {
	if kind == "" {
		return ""
	}
	return " with " + string(kind) + " any more"
}

// owed is how many replies of the seat are recorded, not counting one that
// failed.
func (s *reproduction) owed() int {
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

// wanted is how the seat failed in the record; "" if it did not.
func (s *reproduction) wanted() referee.Verdict {
	if v := s.judged[s.seat-1].Verdict; v != referee.OK {
		return v
	}
	return ""
}

// failure is the first reply at which the bot fails as it did in the record; if
// it did not fail there, at all.
func (s *reproduction) failure(all []referee.Compared) *referee.Compared {
	for i, c := range all {
		if c.LiveKind != "" && (s.wanted() == "" || s.wanted() == c.LiveKind) {
			return &all[i]
		}
	}
	return nil
}

// talk collects what is said to and by the bot.
type talk struct {
	s     *reproduction
	lines []string
}

func (s *reproduction) talk() *talk { return &talk{s: s} }

func (t *talk) sent(text string) { t.add("→", text) }

func (t *talk) compared(c referee.Compared) {
	if c.Live.Fail != nil {
		t.add("←", "("+string(c.Live.Fail.Kind)+")")
	} else {
		t.add("←", c.Live.Reply)
	}
}

func (t *talk) add(arrow, text string) {
	for part := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line := arrow + " " + report.Safe(shorten(part))
		t.lines = append(t.lines, line)
		if t.s.c.Bool("verbose") {
			t.s.note("%s\n", line)
		}
	}
}

func (t *talk) last(n int) []string { return t.lines[max(0, len(t.lines)-n):] }
