package conformance

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/report"
	"umpire/referee/talk"
)

// cases loads all cases, and begins a match on each with every number of seats.
func (s *Suite) cases(ctx context.Context, p *Part) (err error) {
	if s.set, err = cases.Load(s.Folder.Cases(), ".", s.game); err != nil {
		return wrongf("", "%s: %v", filepath.Join(s.Folder.Dir, "cases"), err)
	}
	list := s.setups(len(s.set.Cases) * (s.game.MaxSeats - s.game.MinSeats + 1))
	p.Matches = len(list)
	p.Did = report.Plural(len(s.set.Cases), "case") + ", on which matches begin"
	return s.each(ctx, len(list), func(t *table, i int) error { return t.opens(ctx, list[i]) })
}

// opens begins a match, and ends it when the first seat is asked.
func (t *table) opens(ctx context.Context, u setup) error {
	_, err := t.again(ctx, u, func(m protocols.Match) (referee.Result, error) {
		return conduct(ctx, m, playersWith(u.seats, nil), func([]int) bool { return false })
	})
	return err
}

// generate draws cases of each group, twice, and begins a match on each.
func (s *Suite) generate(ctx context.Context, p *Part) error {
	const seeds = 2
	var drawn []setup
	for _, group := range s.game.Groups {
		for seed := uint64(1); seed <= seeds; seed++ {
			command := fmt.Sprintf("`%s %s %d`", s.Folder.Generate, group, seed)
			c, err := s.game.Generate(group, seed)
			if err != nil {
				return wrongf("print the text of a case on standard output, and leave with exit status 0", "%v", err)
			}
			again, err := s.game.Generate(group, seed)
			if err != nil {
				return wrongf("", "%v", err)
			}
			if again.String() != c.String() {
				return wrongf("draw from the seed, the last argument, alone: random.seed(int(sys.argv[2]))",
					"%s prints %s, and then %s, expected the same again", command, protocols.Quote(c.String()), protocols.Quote(again.String()))
			}
			drawn = append(drawn, setup{cases.Case{Name: command, Group: group, Case: c}, s.game.MinSeats, 1})
		}
	}
	p.Matches = len(drawn)
	p.Did = report.Plural(len(s.game.Groups), "group") + " of cases, the same from the same seed"
	return s.each(ctx, len(drawn), func(t *table, i int) error { return t.opens(ctx, drawn[i]) })
}

// patience is the time that bots have for a reply: how fast they are is not checked.
const patience = time.Minute

// alike is how many matches of the same bots are compared.
const alike = 10

// bots has the folder's bots play: the first two, ten matches; then each in every seat.
func (s *Suite) bots(ctx context.Context, p *Part) error {
	if len(s.Bots) == 0 {
		p.Did = "none"
		p.Warnings = append(p.Warnings, *wrongf("add a bot to the folder `bots` and name it in the manifest, such as `house: bots/first.py`", "the folder has no bots to play against"))
		return nil
	}
	type meeting struct {
		setup
		bots []int
	}
	var list []meeting
	for _, u := range s.setups(alike * (s.game.MaxSeats - s.game.MinSeats + 1)) {
		if u.seats == s.game.MinSeats {
			list = append(list, meeting{u, seatsOf(u.seats, 0, len(s.Bots))})
		}
	}
	for first := range s.Bots {
		for seats := s.game.MinSeats; seats <= s.game.MaxSeats; seats++ {
			for seat := range seats {
				if bots := seatsOf(seats, first-seat+len(s.Bots)*seats, len(s.Bots)); first > 0 || seat > 0 || seats > s.game.MinSeats {
					list = append(list, meeting{setup{s.set.Cases[0], seats, 1}, bots})
				}
			}
		}
	}
	seen := make([]played, len(list))
	err := s.each(ctx, len(list), func(t *table, i int) (err error) {
		var names []string
		players := make([]referee.Player, list[i].seats)
		for seat, n := range list[i].bots {
			players[seat] = s.Bots[n]
			names = append(names, s.Bots[n].Bot.Name)
		}
		if seen[i], err = t.ofBots(ctx, list[i].setup, players); err != nil {
			return err
		}
		for n, seat := range seen[i].result.Seats {
			if seat.Verdict != referee.OK {
				wrong := wrongf("", "bot %s fails in seat %d%s: %s: %s", names[n], n+1, against(names, n), seat.Verdict, seat.Detail)
				wrong.Where = s.where(seen[i])
				wrong.Instead = "the folder's bots should play by its rules.md; what the judge allows are its `choice` lines, or what it does not call a foul"
				return wrong
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.seen, p.Matches = seen, len(list)
	p.Did = fmt.Sprintf("%s in %s, no failures", report.Plural(len(s.Bots), "bot"), report.Plural(len(list), "match"))
	if same(seen[:alike]) {
		var names []string
		for _, n := range slices.Compact(list[0].bots) {
			names = append(names, s.Bots[n].Bot.Name)
		}
		p.Warnings = append(p.Warnings, *wrongf("add cases, such as openings, or `generate:`, or draw from the seed with `random: yes`",
			"%d matches of %s are all the same: more of them say nothing new", alike, strings.Join(names, " and ")))
	}
	return nil
}

// against names the others in a match of a bot.
func against(names []string, n int) string {
	if len(names) == 1 {
		return ""
	}
	return " against " + strings.Join(slices.Delete(slices.Clone(names), n, n+1), " and ")
}

// seatsOf says which of so many bots has which seat: they follow each other from first.
func seatsOf(seats, first, bots int) (list []int) {
	for seat := range seats {
		list = append(list, (first+seat)%bots)
	}
	return list
}

// same reports whether matches went alike.
func same(list []played) bool {
	return !slices.ContainsFunc(list[1:], func(p played) bool { return talk.Compare(p.talk, list[0].talk) != nil })
}

// ofBots plays a match of programs.
func (t *table) ofBots(ctx context.Context, u setup, players []referee.Player) (played, error) {
	return t.again(ctx, u, func(m protocols.Match) (referee.Result, error) {
		return arena.Match{
			Setup: referee.Setup{
				Game: t.suite.game, Case: u.Case.Case, Seats: u.seats,
				Limits: protocols.Limits{PerMove: patience, Memory: u.Limits(u.seats).Memory},
			},
			Players: players,
			Judge:   func() (protocols.Match, func()) { return m, func() {} },
		}.Play(ctx)
	})
}

// batch is how many matches a judge plays before it is told the same again in reverse
// order, so that one that leads many must not remember those before.
const batch = 10

// play plays matches of random legal play, each twice.
func (s *Suite) play(ctx context.Context, p *Part) error {
	list := s.setups(s.Matches)
	p.Matches = len(list)
	var endless, chosen atomic.Int64
	err := s.each(ctx, (len(list)+batch-1)/batch, func(t *table, n int) error {
		list := list[n*batch : min((n+1)*batch, len(list))]
		var first []played
		for i, u := range list {
			seed := uint64(n*batch + i)
			var like *played
			if of := s.seenWith(u.seats); len(of) > 0 {
				if like = &of[seed%uint64(len(of))]; !s.hasChoices() {
					u = like.setup
				}
			}
			one, err := t.match(ctx, u, s.legal(u.seats, seed, like))
			if err != nil {
				return err
			}
			first = append(first, one)
			if len(one.events) >= s.Folder.Facts.Longest() {
				endless.Add(1)
			}
			if one.hasChoices() {
				chosen.Add(1)
			}
		}
		for _, before := range slices.Backward(first) {
			if err := t.same(ctx, before); err != nil {
				return err
			}
		}
		if n == 0 {
			s.drawn = first
		}
		return nil
	})
	if err != nil {
		return err
	}
	if n := endless.Load(); n > 0 {
		p.Warnings = append(p.Warnings, *wrongf("count moves and end the match by the rules, or set max-replies", "%d of %s went on up to max-replies, and became a draw", n, report.Plural(len(list), "match")))
	}
	replies := "random legal play"
	switch {
	case chosen.Load() > 0:
	case len(s.seen) > 0:
		replies = "its bots' replies, changed at random"
	default:
		replies = "small numbers as replies"
		why, instead := "the folder has no bots", "add bots"
		if len(s.Bots) > 0 {
			why, instead = "the folder's bots fail", "mend the bots"
		}
		p.Warnings = append(p.Warnings, *wrongf("say `choice SEAT REPLY` before `ask`, or "+instead, "the judge says no choices and %s: few replies were legal, if any", why))
	}
	p.Did = fmt.Sprintf("%s of %s, twice the same", report.Plural(len(list), "match"), replies)
	return nil
}

// hasChoices reports whether the judge named choices to the folder's bots.
func (s *Suite) hasChoices() bool {
	return slices.ContainsFunc(s.seen, played.hasChoices)
}

// seenWith returns the matches of the folder's bots with so many seats.
func (s *Suite) seenWith(seats int) []played {
	return slices.DeleteFunc(slices.Clone(s.seen), func(p played) bool { return p.seats != seats })
}

// same tells a judge again what it heard in a match: it must say the same.
func (t *table) same(ctx context.Context, before played) error {
	now, err := t.again(ctx, before.setup, func(m protocols.Match) (referee.Result, error) {
		return referee.Setup{Game: t.suite.game, Case: talk.Begun{Case: before.Case.Case, Match: m}, Seats: before.seats}.Replay(before.events, referee.Watcher{})
	})
	different := talk.Compare(now.talk, before.talk)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case different == nil:
		return err
	}
	wrong := wrongf("draw from the seed of the `match` line and from nothing else: no clock, no process id, no order of a set", "the judge, told the same again, says something else: %s", strings.TrimPrefix(different.Error(), "talk: "))
	if t.suite.Folder.ManyMatches {
		wrong.Instead += "; and keep nothing of the matches before, as it has judge-matches: many"
	}
	wrong.Where = t.suite.where(before)
	return wrong
}

// failing is a way not to play.
type failing struct {
	name   string
	answer func(p *player, n int) (string, *protocols.Failure)
}

func fails(kind protocols.Kind, detail string) func(*player, int) (string, *protocols.Failure) {
	return func(*player, int) (string, *protocols.Failure) {
		return "", &protocols.Failure{Kind: kind, Detail: detail}
	}
}

var failings = []failing{
	{"is silent", fails(protocols.KindTime, "no reply in time")},
	{"crashes", fails(protocols.KindCrash, "it ended (exit status 1) before answering")},
	{"writes 1 MiB", fails(protocols.KindOutput, "it wrote 1 MiB without a line end")},
	{"sends nothing", func(*player, int) (string, *protocols.Failure) { return "", nil }},
	{"writes noise", func(p *player, _ int) (string, *protocols.Failure) { return noise(p.draw), nil }},
	{"answers early", nil}, // see failures
}

// failures has each seat not play in each way, from its first reply on and from a later one: the
// judge must come to an end.
func (s *Suite) failures(ctx context.Context, p *Part) error {
	type match struct {
		setup
		how  failing
		seat int // from 1; 0: all of them
		from int
	}
	var list []match
	setups := s.setups(s.game.MaxSeats - s.game.MinSeats + 1)
	for i, how := range failings {
		for _, u := range setups {
			u.Case = s.set.Cases[(i+u.seats)%len(s.set.Cases)]
			for n := range u.seats + 1 {
				seat := (n + 1) % (u.seats + 1)
				list = append(list, match{u, how, seat, 0}, match{u, how, seat, 2})
			}
		}
	}
	p.Matches = len(list)
	p.Did = fmt.Sprintf("%s against seats that fail in %d ways reach `end`", report.Plural(len(list), "match"), len(failings))
	return s.each(ctx, len(list), func(t *table, i int) error {
		m := list[i]
		var like *played
		if of := s.seenWith(m.seats); len(of) > 0 && !s.hasChoices() {
			like = &of[i%len(of)]
			m.setup = like.setup
		}
		players := s.legal(m.seats, uint64(i), like)
		for n, one := range players {
			if m.seat != 0 && m.seat != n+1 {
				continue
			}
			legal, early := one.answer, ""
			one.answer = func(p *player, n int) (text string, failure *protocols.Failure) {
				if n < m.from {
					return legal(p, n)
				}
				if m.how.answer != nil {
					return m.how.answer(p, n)
				}
				if n == m.from { // all that it writes is written by now
					early, failure = legal(p, n)
				}
				return early, failure
			}
		}
		_, err := t.match(ctx, m.setup, players)
		if wrong, ok := errors.AsType[*Finding](err); ok {
			who := fmt.Sprintf("seat %d %s", m.seat, m.how.name)
			if m.seat == 0 {
				who = "each seat " + m.how.name
			}
			wrong.What = "where " + who + ", " + wrong.What
			if s.Folder.Facts.OnFailure == talk.Continues {
				wrong.Instead = strings.TrimPrefix(wrong.Instead+"; a seat of which the judge hears `fail SEAT KIND` is out: it must not be asked again, and the match must come to `end` without it", "; ")
			}
		}
		return err
	})
}
