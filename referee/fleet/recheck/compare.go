package recheck

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"umpire/referee/record"
	"umpire/referee/talk"
)

// Compare describes the first difference between two records of a match, in
// what does not depend on the speed of the machine, and returns the seat, from
// 0, or judgesSeat, that differs; "" if there is none.
func Compare(a, b *record.Record) (what string, seat int) {
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
