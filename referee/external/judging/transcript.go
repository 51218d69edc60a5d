package judging

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"maps"
	"slices"
	"time"

	"umpire/referee"
)

// transcript gathers what is seen of a match, within bounds.
type transcript struct {
	begun time.Time
	list  []referee.Exchange
	all   map[speech]*direction
	pass  int // index of the first exchange of the pass
}

// speech is who speaks, to whom: see referee.Exchange.
type speech struct{ seat, to int }

// direction counts the bytes that one side has written.
type direction struct {
	kept  int64     // of all passes
	total int64     // in this pass
	hash  hash.Hash // of all that it has written in this pass; nil while that is kept
}

// maxKept is how much of what one side writes in a match is kept, from the beginning.
const maxKept = 1 << 20

// add adds what was seen next. What one side writes in a row is one exchange.
func (s *transcript) add(e referee.Exchange) {
	if e.Pass > 0 {
		s.finish()
	}
	e.At = time.Since(s.begun)
	if e.Text == "" {
		s.list = append(s.list, e)
		return
	}
	d := s.all[speech{e.Seat, e.To}]
	if d == nil {
		if s.all == nil {
			s.all = make(map[speech]*direction)
		}
		d = &direction{}
		s.all[speech{e.Seat, e.To}] = d
	}
	d.total += int64(len(e.Text))
	left := maxKept - d.kept
	if int64(len(e.Text)) > left {
		s.hash(d, e)
	}
	if e.Text = e.Text[:min(int64(len(e.Text)), left)]; e.Text == "" {
		return
	}
	d.kept += int64(len(e.Text))
	if n := len(s.list); n > 0 && s.list[n-1].Text != "" && s.list[n-1].Seat == e.Seat && s.list[n-1].To == e.To {
		s.list[n-1].Text += e.Text
		return
	}
	s.list = append(s.list, e)
}

// hash adds a text to the hash of a direction, which begins with what has been kept of
// this pass.
func (s *transcript) hash(d *direction, e referee.Exchange) {
	if d.hash == nil {
		d.hash = sha256.New()
		for _, before := range s.list[s.pass:] {
			if before.Seat == e.Seat && before.To == e.To {
				d.hash.Write([]byte(before.Text))
			}
		}
	}
	d.hash.Write([]byte(e.Text))
}

// finish ends a pass: it adds how much was written in it beyond what is kept.
func (s *transcript) finish() {
	by := func(a, b speech) int { return cmp.Or(cmp.Compare(a.seat, b.seat), cmp.Compare(a.to, b.to)) }
	for _, of := range slices.SortedFunc(maps.Keys(s.all), by) {
		d := s.all[of]
		if d.hash != nil {
			s.list = append(s.list, referee.Exchange{Seat: of.seat, To: of.to, Bytes: d.total, SHA256: hex.EncodeToString(d.hash.Sum(nil))})
		}
		d.total, d.hash = 0, nil
	}
	s.pass = len(s.list)
}
