package coordinator

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/record"
	"umpire/referee/talk"
)

// Rechecks sums up the matches of workers that were played a second time: on the
// coordinator's machine, or, where that does not play or lacks a language, on a worker
// with another key and at another address.
// Compared is all that does not depend on the machine's speed: the replies, the
// failures, and the outcome. Two records that differ are no proof of
// anything: the bots may play differently each time. So both workers play such
// a match once more, and only one that each plays as before is a difference
// between them, or one whose record all the other three contradict alike.
type Rechecks struct {
	Matches  int          `json:"matches"`  // that were played again
	Same     int          `json:"same"`     // with the same outcome
	Skipped  int          `json:"skipped"`  // could not be: nobody else could play them, or umpire failed to
	Unsteady []Unsteady   `json:"unsteady"` // which say nothing about workers
	Differ   []Difference `json:"differ"`
}

// Unsteady is a bot that does not play the same each time.
type Unsteady struct {
	Bot     string `json:"bot"`
	Digest  string `json:"digest"`
	Matches int    `json:"matches"` // in which it was the first to differ
}

// Difference is a match that goes otherwise on one worker than on another.
type Difference struct {
	ID      string    `json:"id"` // of the match
	Case    string    `json:"case"`
	Workers [2]string `json:"workers"` // names; the record of the first is that of the run
	What    string    `json:"what"`    // the first difference
	Alone   bool      `json:"alone"`   // the record of the run is the only one of four: its worker did not play it like that again

	bot Unsteady // the bot that differs first
}

// maxChecks bounds how many matches are being rechecked at a time, and thereby
// the memory for their records.
const maxChecks = 1000

var errGone = errors.New("the worker that was to play the match is gone")

// recheck is a match that is played again.
type recheck struct {
	workers [2]*member         // the first has played the run's record
	played  [2][]record.Record // on each
	left    int                // jobs under way
	failed  bool               // umpire failed to play one
}

// settled returns what has been found, without what chance may have done.
func (found Rechecks) settled() Rechecks {
	all := found.Differ
	found.Unsteady, found.Differ = append([]Unsteady{}, found.Unsteady...), []Difference{}
	for _, d := range all {
		if !d.Alone || !slices.ContainsFunc(found.Unsteady, func(u Unsteady) bool { return u.Digest == d.bot.Digest }) {
			found.Differ = append(found.Differ, d)
		}
	}
	return found
}

// maxAhead is how many matches with failures may be chosen before their turn.
const maxAhead = 10

// sample chooses a share of the matches at random, and first those in which a bot failed.
type sample struct {
	share  float64
	owed   float64 // matches that are still to be chosen of those so far
	step   float64 // of owed, at which the next is chosen
	chance func() float64
}

func newSample(share float64, chance func() float64) sample {
	return sample{share: share, step: 2 * chance(), chance: chance}
}

// takes reports whether the next match is chosen.
func (s *sample) takes(r *record.Record) bool {
	s.owed += s.share
	failed := slices.ContainsFunc(r.Seats, func(seat record.Seat) bool { return seat.Verdict != string(referee.OK) })
	switch {
	case s.share >= 1:
	case s.share > 0 && failed && s.owed > -maxAhead:
		s.owed--
	case s.share > 0 && s.owed >= s.step:
		s.owed -= s.step
		s.step = 2 * s.chance()
	default:
		return false
	}
	return true
}

// arbiter returns who plays a match of a worker again: the coordinator's own worker, or
// one that nothing ties to that worker, by chance; nil if there is none.
func (c *crew) arbiter(n needs, from *member, chance float64) *member {
	var list []*member
	for _, m := range c.there() {
		switch {
		case m == from || !n.met(m):
		case m.own:
			return m
		case m.isApart(from):
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[min(len(list)-1, int(chance*float64(len(list))))]
}

// isApart reports whether two workers have different keys, and are not at one address: but
// all may be behind this machine's.
func (m *member) isApart(other *member) bool {
	return (m.key == "" || m.key != other.key) && (m.host != other.host || m.host == "" || fleet.IsLoopback(m.host))
}

// playAgain has somebody else play a match whose record is r.
func (s *schedule) playAgain(e *match, from *member, r record.Record, now time.Time) {
	other := s.crew.arbiter(e.job.needs, from, s.chance())
	if other == nil {
		s.rechecks.Skipped++
		return
	}
	s.rechecks.Matches++
	s.checks++
	s.playOn(&recheck{workers: [2]*member{from, other}, played: [2][]record.Record{{r}}}, e.f, now, 1)
}

// playOn has some of the workers of a recheck play its match.
func (s *schedule) playOn(k *recheck, f arena.Fixture, now time.Time, sides ...int) {
	k.left += len(sides)
	for _, side := range sides {
		e := newMatch(0, f)
		e.check, e.side = k, side
		s.again(s.newJob([]*match{e}, k.workers[side]), now)
	}
}

// checked takes the record of a match that was played again.
func (s *schedule) checked(e *match, r record.Record, now time.Time) {
	k := e.check
	s.leave(e)
	k.left--
	k.failed = k.failed || r.Error != ""
	k.played[e.side] = append(k.played[e.side], r)
	if k.left == 0 {
		s.judge(k, e.f, now)
	}
}

// judge compares what the workers of a recheck have played.
func (s *schedule) judge(k *recheck, f arena.Fixture, now time.Time) {
	if !k.failed && len(k.played[0]) == 1 {
		if what, _ := difference(&k.played[0][0], &k.played[1][0]); what != "" {
			s.playOn(k, f, now, 0, 1)
			return
		}
		s.rechecks.Same++
	}
	s.checks--
	switch {
	case k.failed:
		s.rechecks.Matches--
		s.rechecks.Skipped++
	case len(k.played[0]) > 1:
		s.judgeAll(k, f)
	}
}

// judgeAll compares the four records of a match that each worker has played twice.
func (s *schedule) judgeAll(k *recheck, f arena.Fixture) {
	what, seat := difference(&k.played[0][0], &k.played[1][0])
	bot := Unsteady{Bot: "the judge", Matches: 1}
	if seat != judgesSeat {
		bot.Bot, bot.Digest = f.Seats[seat].Bot, f.Seats[seat].Digest
	}
	d := Difference{ID: k.played[0][0].ID, Case: f.Case.Name, Workers: [2]string{k.workers[0].name, k.workers[1].name}, What: what, bot: bot}
	likewise := func(a, b *record.Record) bool { what, _ := difference(a, b); return what == "" }
	second := likewise(&k.played[1][0], &k.played[1][1])
	d.Alone = second && likewise(&k.played[0][1], &k.played[1][0])
	if d.Alone || second && likewise(&k.played[0][0], &k.played[0][1]) {
		s.rechecks.Differ = append(s.rechecks.Differ, d)
		s.crew.note("umpire: recheck: %s\n", d)
		return
	}
	i := slices.IndexFunc(s.rechecks.Unsteady, func(u Unsteady) bool { return u.Bot == bot.Bot && u.Digest == bot.Digest })
	if i < 0 {
		s.rechecks.Unsteady = append(s.rechecks.Unsteady, bot)
		return
	}
	s.rechecks.Unsteady[i].Matches++
}

func (d Difference) String() string {
	again := "and each did so again"
	if d.Alone {
		again = fmt.Sprintf("which %s itself did not do again", d.Workers[0])
	}
	return fmt.Sprintf("match %s (%s) went otherwise on worker %s than on worker %s, %s: %s", d.ID, d.Case, d.Workers[0], d.Workers[1], again, d.What)
}

// difference describes the first difference between two records of a match, in
// what does not depend on the speed of the machine, and returns the seat, from
// 0, or judgesSeat, that differs; "" if there is none.
func difference(a, b *record.Record) (what string, seat int) {
	for i := range max(len(a.Events), len(b.Events)) {
		x, y := eventAt(a, i), eventAt(b, i)
		if does(x) == does(y) && x.Seat == y.Seat {
			continue
		}
		seat = max(x.Seat, y.Seat) - 1
		if x.Seat > 0 && y.Seat > 0 {
			seat = min(x.Seat, y.Seat) - 1
		}
		if seat < 0 || seat >= len(a.Seats) {
			seat = 0
		}
		return fmt.Sprintf("step %d, bot %s: %s, and %s", i+1, a.Seats[seat].Bot, does(x), does(y)), seat
	}
	for i, s := range a.Seats {
		o := b.Seats[i]
		if s.Verdict != o.Verdict || s.Score != o.Score || s.Place != o.Place {
			return fmt.Sprintf("bot %s: %s with score %v, place %d, and %s with score %v, place %d",
				s.Bot, s.Verdict, s.Score, s.Place, o.Verdict, o.Score, o.Place), i
		}
	}
	said, err := a.Said()
	then, wrong := b.Said()
	if err = errors.Join(err, wrong); err == nil {
		err = talk.Compare(then, said)
	}
	if err != nil {
		return err.Error(), judgesSeat
	}
	return "", 0
}

// judgesSeat stands for the judge where a seat is expected, from 0.
const judgesSeat = -1

// eventAt returns an event; one that is nobody's if there are fewer.
func eventAt(r *record.Record, i int) record.Event {
	if i < len(r.Events) {
		return r.Events[i]
	}
	return record.Event{}
}

// does describes what a bot does in an event.
func does(e record.Event) string {
	const most = 60
	text := ""
	for _, reply := range []*string{e.Reply, e.ReplyB64, e.ReplyGzip} {
		if reply != nil {
			text = *reply
		}
	}
	switch {
	case e.Seat == 0:
		return "nothing"
	case e.Fail != "":
		return "failure " + e.Fail
	case len(text) > most || e.ReplyBytes > 0:
		return fmt.Sprintf("reply of %d bytes with hash %.8x", max(int64(len(text)), e.ReplyBytes), sha256.Sum256([]byte(text+e.ReplySHA256)))
	}
	return "reply " + strconv.Quote(strings.TrimSpace(text))
}
