package conformance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"umpire/protocols"
	"umpire/protocols/dialogue"
	"umpire/referee"
	"umpire/referee/report"
)

// The most matches that are begun to find one that goes as a dialogue does: in all, and
// from one deal of one case.
const (
	mostTries   = 400
	triesOfDeal = 120
)

// rules plays the dialogues in the rules, each up to its first "…".
func (s *Suite) rules(ctx context.Context, p *Part) error {
	list := dialogue.Of(s.Folder.Rules)
	if len(list) == 0 {
		p.Did = "no dialogue"
		file := filepath.Join(s.Folder.Dir, "rules.md")
		what := fmt.Sprintf("%s has no dialogue", file)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			what = fmt.Sprintf("found no %s, expected rules with a dialogue", file)
		}
		example, err := s.example(ctx)
		if err != nil {
			return err
		}
		p.Warnings = append(p.Warnings, *wrongf("show what a seat reads (→) and writes (←), indented by four spaces; for instance what was just played:\n"+example,
			"%s, from which contestants see how a match goes", what))
		return nil
	}
	p.Did = report.Plural(len(list), "dialogue") + " played"
	var matches atomic.Int64
	err := s.each(ctx, len(list), func(t *table, i int) error {
		told := list[i]
		if n := slices.Index(told, dialogue.GoesOn); n >= 0 {
			told = told[:n]
		}
		search := &search{table: t, told: told}
		found, err := search.run(ctx)
		matches.Add(int64(search.tries))
		if err != nil || found {
			return err
		}
		return search.missed(ctx)
	})
	p.Matches = int(matches.Load())
	return err
}

// search looks for a match that goes, for one of its seats, as a dialogue does: other
// seats try all that they may reply.
type search struct {
	*table
	told  []string
	tries int
	cut   bool // not everything was tried

	most  int    // lines of the dialogue that a match has agreed with
	found string // what came instead of the next
}

func (s *search) run(ctx context.Context) (found bool, err error) {
	n := len(s.suite.set.Cases) * (s.suite.game.MaxSeats - s.suite.game.MinSeats + 1)
	if s.suite.Folder.Random {
		n = max(n, mostTries)
	}
	for _, u := range s.suite.setups(n) {
		for seat := range u.seats {
			if s.tries >= mostTries {
				s.cut = true
				return false, nil
			}
			if found, err = s.from(ctx, u, seat+1); err != nil || found {
				return found, err
			}
		}
	}
	s.cut = s.cut || s.suite.Folder.Random
	return false, nil
}

// from tries the matches of a setup, in which the dialogue is that of a seat: in the order of
// the choices, the last changing first.
func (s *search) from(ctx context.Context, u setup, seat int) (found bool, err error) {
	var choices []int
	for tries := 0; ; tries++ {
		if tries >= triesOfDeal || s.tries >= mostTries {
			s.cut = true
			return false, nil
		}
		s.tries++
		t := &try{search: s, setup: u, seat: seat, choices: choices}
		if err := t.play(ctx); err != nil || t.found {
			return t.found, err
		}
		choices = t.choices[:len(t.options)]
		for len(choices) > 0 {
			last := len(choices) - 1
			if choices[last]++; choices[last] < t.options[last] {
				break
			}
			choices = choices[:last]
		}
		if len(choices) == 0 {
			return false, nil
		}
	}
}

// try is one match of a search.
type try struct {
	*search
	setup
	seat    int   // whose dialogue it is
	choices []int // what other seats choose, by index, in the order in which they are asked
	options []int // how many they had
	at      int   // lines of the dialogue that have been read and written
	over    bool
	found   bool
	replies []string // of this step, by seat
}

func (t *try) play(ctx context.Context) error {
	_, err := t.again(ctx, t.setup, func(m protocols.Match) (referee.Result, error) {
		t.at, t.over, t.found, t.options = 0, false, false, nil
		players := playersWith(t.seats, func(p *player, _ int) (string, *protocols.Failure) { return t.replies[p.seat], nil })
		return conduct(ctx, m, players, func(seats []int) bool {
			t.step(players, seats)
			return !t.over
		})
	})
	return err
}

// step compares what the seat has read with the dialogue, and chooses the replies of a
// step; none are awaited when the match is over.
func (t *try) step(players []*player, seats []int) {
	if t.over {
		return
	}
	me := players[t.seat-1]
	for _, line := range me.read {
		if t.at < len(t.told) && !t.agrees(dialogue.Reads+line) {
			return
		}
	}
	me.read = nil
	t.replies = make([]string, len(players)+1)
	for _, seat := range seats {
		if seat != t.seat {
			t.replies[seat] = t.choose(players[seat-1])
		} else if t.at < len(t.told) {
			reply, writes := strings.CutPrefix(t.told[t.at], dialogue.Writes)
			if !writes {
				t.agrees("nothing more before its reply")
				return
			}
			t.replies[seat] = reply
			t.at++
		}
	}
	switch {
	case t.at == len(t.told):
		t.found, t.over = true, true
	case len(seats) == 0:
		t.agrees("the end of the match")
	}
}

// agrees compares a line with the next of the dialogue.
func (t *try) agrees(line string) bool {
	if line == t.told[t.at] {
		t.at++
		return true
	}
	t.over = true
	if t.found = false; t.at >= t.most {
		t.most, t.search.found = t.at, line
	}
	return false
}

// choose returns the reply of another seat.
func (t *try) choose(p *player) string {
	list := t.suite.options(p)
	n := len(t.options)
	if t.options = append(t.options, len(list)); n == len(t.choices) {
		t.choices = append(t.choices, 0)
	}
	return list[t.choices[n]]
}

// options are what a player may reply now: its choices or, for a judge that says none, replies
// of bots, each once.
func (s *Suite) options(p *player) (list []string) {
	if list = p.choices(); len(list) > 0 {
		return list
	}
	const most = 30
	for _, match := range s.seen {
		for _, e := range match.events {
			if e.Fail == nil && len(list) < most && !slices.Contains(list, e.Reply) {
				list = append(list, e.Reply)
			}
		}
	}
	if len(list) == 0 {
		list = []string{"1"}
	}
	return list
}

// missed says that no match was found.
func (s *search) missed(ctx context.Context) error {
	rules := strings.Split(s.suite.Folder.Rules, "\n")
	_, first, _ := strings.Cut(s.told[0], " ")
	at := 1 + slices.IndexFunc(rules, func(line string) bool { return strings.HasPrefix(line, "    ") && strings.Contains(line, first) })
	example, err := s.suite.example(ctx)
	if err != nil {
		return err
	}
	what := "no match goes so"
	if s.cut {
		what = fmt.Sprintf("none of %d matches went so", s.tries)
	}
	wrong := wrongf("mend the rules or the judge; or, if the match goes on, end the dialogue by a line `…`; for instance, this was just played:\n"+example,
		"%s:%d: the dialogue is that of no seat: %s", filepath.Join(s.suite.Folder.Dir, "rules.md"), at, what)
	for i, line := range s.told {
		mark := "  "
		if i == s.most {
			mark = "> "
		}
		wrong.Where = append(wrong.Where, mark+line)
	}
	if s.most < len(s.told) {
		wrong.Where = append(wrong.Where, "instead of the marked line, the nearest match has: "+short(s.found))
	}
	return wrong
}

// example returns a dialogue, indented, of a match in which all take their first choice.
func (s *Suite) example(ctx context.Context) (text string, err error) {
	const most = 6
	err = s.each(ctx, 1, func(t *table, _ int) error {
		u := s.setups(1)[0]
		var view []string
		_, err := t.match(ctx, u, playersWith(u.seats, func(p *player, _ int) (string, *protocols.Failure) {
			reply := s.options(p)[0]
			if p.seat == 1 {
				for _, line := range p.read {
					view = append(view, dialogue.Reads+line)
				}
				view, p.read = append(view, dialogue.Writes+reply), nil
			}
			return reply, nil
		}))
		if len(view) > most {
			view = append(view[:most], dialogue.GoesOn)
		}
		text = "    " + strings.Join(view, "\n    ")
		return err
	})
	return text, err
}
