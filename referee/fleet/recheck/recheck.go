// Package recheck compares what two workers have played of the same match, and sums
// up what that shows of them and of the bots. It does not know who they are, or how
// they come to play it.
package recheck

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/record"
	"umpire/referee/talk"
)

// Summary sums up the matches of workers that were played a second time: on the
// coordinator's machine, or, where that does not play or lacks a language, on a worker
// with another key and at another address.
// Compared is all that does not depend on the machine's speed: the replies, the
// failures, and the outcome. Two records that differ are no proof of
// anything: the bots may play differently each time. So both workers play such
// a match once more, and only one that each plays as before is a difference
// between them, or one whose record all the others contradict alike.
type Summary struct {
	Matches  int          `json:"matches"`  // that were played again
	Same     int          `json:"same"`     // with the same outcome
	Skipped  int          `json:"skipped"`  // could not be: nobody else could play them, or umpire failed there
	Unsteady []Unsteady   `json:"unsteady"` // which say nothing about workers
	Differ   []Difference `json:"differ"`
}

// Unsteady is a bot, or the judge, that does not play the same each time.
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
	Alone   bool      `json:"alone"`   // the record of the run is the only one: its worker did not play it like that again, or at all

	bot Unsteady // the bot that differs first
}

// Settled returns what has been found, without what chance may have done.
func (s Summary) Settled() Summary {
	s.Unsteady = append([]Unsteady{}, s.Unsteady...) // not nil, for JSON
	s.Differ = slices.DeleteFunc(append([]Difference{}, s.Differ...), func(d Difference) bool {
		return d.Alone && slices.ContainsFunc(s.Unsteady, func(u Unsteady) bool { return u.Digest == d.bot.Digest })
	})
	return s
}

// Judge adds what the records show of a match that two workers have played twice each, the
// first of which is that of the run. It returns a difference between the workers, if that is
// one; nil if it is the bots that play differently.
func (s *Summary) Judge(workers [2]string, played [2][]record.Record) *Difference {
	first := &played[0][0]
	what, bot := Compare(first, &played[1][0])
	d := Difference{ID: first.ID, Case: first.Case.Name, Workers: workers, What: what, bot: bot}
	likewise := func(a, b *record.Record) bool { what, _ := Compare(a, b); return what == "" }
	second := likewise(&played[1][0], &played[1][1])
	d.Alone = second && (played[0][1].Error != "" || likewise(&played[0][1], &played[1][0]))
	if d.Alone || second && likewise(first, &played[0][1]) {
		s.Differ = append(s.Differ, d)
		return &d
	}
	i := slices.IndexFunc(s.Unsteady, func(u Unsteady) bool { return u.Bot == bot.Bot && u.Digest == bot.Digest })
	if i < 0 {
		s.Unsteady = append(s.Unsteady, bot)
		return nil
	}
	s.Unsteady[i].Matches++
	return nil
}

func (d Difference) String() string {
	again := "and each did so again"
	if d.Alone {
		again = fmt.Sprintf("which %s did not do again, or did not play again", d.Workers[0])
	}
	return fmt.Sprintf("match %s (%s) went otherwise on worker %s than on worker %s, %s: %s", d.ID, d.Case, d.Workers[0], d.Workers[1], again, d.What)
}

// Compare describes the first difference between two records of a match, in
// what does not depend on the speed of the machine, and returns who differs; "" if
// there is none.
func Compare(a, b *record.Record) (what string, who Unsteady) {
	bot := func(seat int) Unsteady {
		return Unsteady{Bot: a.Seats[seat].Bot, Digest: a.Seats[seat].Digest, Matches: 1}
	}
	for i := range max(len(a.Events), len(b.Events)) {
		x, y := eventAt(a, i), eventAt(b, i)
		if does(x) == does(y) && x.Seat == y.Seat {
			continue
		}
		seat := max(x.Seat, y.Seat) - 1
		if x.Seat > 0 && y.Seat > 0 {
			seat = min(x.Seat, y.Seat) - 1
		}
		if seat < 0 || seat >= len(a.Seats) {
			seat = 0
		}
		if what := compareTalk(a, b, i); what != "" {
			return what, theJudge
		}
		return fmt.Sprintf("step %d, bot %s: %s, and %s", i+1, a.Seats[seat].Bot, does(x), does(y)), bot(seat)
	}
	if what := compareTalk(a, b, len(a.Events)); what != "" {
		return what, theJudge
	}
	for i, s := range a.Seats {
		o := b.Seats[i]
		if s.Verdict != o.Verdict || s.Score != o.Score || s.Place != o.Place {
			return fmt.Sprintf("bot %s: %s with score %v, place %d, and %s with score %v, place %d",
				s.Bot, s.Verdict, s.Score, s.Place, o.Verdict, o.Score, o.Place), bot(i)
		}
	}
	return "", Unsteady{}
}

// theJudge differs where it does not say the same to the same replies.
var theJudge = Unsteady{Bot: "the judge", Matches: 1}

// compareTalk describes the first difference in what the judges of two records have said
// before an event that they asked for; "" if there is none.
func compareTalk(a, b *record.Record, event int) string {
	said, err := a.Said()
	then, wrong := b.Said()
	if err = errors.Join(err, wrong); err == nil {
		err = talk.Compare(talk.Until(then, event), talk.Until(said, event))
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

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
