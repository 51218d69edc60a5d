package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
)

// Brief is what standings need of a record, read without the rest.
type Brief struct {
	// Key stands for the match: for the record's id and the names of the bots.
	// The names belong to it, since a program may be there twice under two
	// names. Records without an id have none and are 0.
	Key uint64
	// Block stands for game, case, limits and repetition: what mirrored matches
	// have in common.
	Block  uint64
	Game   string
	Failed bool // umpire failed to play it: there are no verdicts
	Seats  []BriefSeat
}

// BriefSeat is a seat of a Brief.
type BriefSeat struct {
	Bot, Digest, Verdict  string
	Score, Place, Replies int
	WallUS                int64 // of all replies
	SlowestUS             int64 // the slowest reply
}

// keys hashes records. Its values are for this process alone.
var keys = maphash.MakeSeed()

// Key is the Key of the Brief of a match with that id between these bots.
func Key(id string, bots ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(keys)
	h.WriteString(id)
	for _, b := range bots {
		h.WriteByte('\n')
		h.WriteString(b)
	}
	return h.Sum64()
}

// Scanner makes briefs of lines. It is for one goroutine.
type Scanner struct {
	words map[string]string // texts seen before, to share them
	block maphash.Hash
	key   maphash.Hash
}

// Scan reads a line into b, whose Seats it reuses. The error says why it is no
// record with a result, or one that Failed.
func (s *Scanner) Scan(line []byte, b *Brief) error {
	if s.words == nil {
		s.words = make(map[string]string)
		s.block.SetSeed(keys)
		s.key.SetSeed(keys)
	}
	if !s.quick(line, b) {
		// Not JSON, or JSON as others may write it: the library decides.
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if len(r.Seats) == 0 {
			return errNoSeats
		}
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if !s.quick(text, b) {
			return errors.New("found numbers that are out of range")
		}
	}
	return b.check()
}

var errNoSeats = errors.New("found no seats")

func (b *Brief) check() error {
	if b.Game == "" {
		return errors.New("found no game")
	}
	if len(b.Seats) == 0 {
		return errNoSeats
	}
	for i, seat := range b.Seats {
		if seat.Place < 1 && !b.Failed {
			return fmt.Errorf("seats[%d].place: found %d, expected 1 or more", i, seat.Place)
		}
	}
	return nil
}

// quick reads a line as umpire writes it, and tells whether it could.
func (s *Scanner) quick(line []byte, b *Brief) bool {
	*b = Brief{Seats: b.Seats[:0]}
	s.block.Reset()
	s.key.Reset()
	c := cursor{text: line}
	named := false
	c.object(func(name []byte) {
		switch string(name) {
		case "id":
			id := c.string()
			named = len(id) > 0
			s.key.Write(id)
		case "game":
			b.Game = s.word(c.string())
		case "repetition":
			if n := c.int(); n > 1 {
				maphash.WriteComparable(&s.block, n)
			}
		case "case":
			c.object(func(name []byte) {
				if string(name) == "text" {
					s.block.Write(c.string())
				} else {
					c.skip()
				}
			})
		case "limits":
			start := c.at
			c.skip()
			s.block.Write(line[start:c.at])
		case "seats":
			c.array(func() { b.Seats = append(b.Seats, BriefSeat{}); s.seat(&c, &b.Seats[len(b.Seats)-1]) })
		case "events":
			c.bad = c.bad || len(b.Seats) == 0 // they must come first
			c.array(func() { event(&c, b) })
		case "error":
			b.Failed = len(c.string()) > 0
		default:
			c.skip()
		}
	})
	s.block.WriteString(b.Game)
	b.Block = s.block.Sum64()
	if named {
		for _, seat := range b.Seats {
			s.key.WriteByte('\n')
			s.key.WriteString(seat.Bot)
		}
		b.Key = s.key.Sum64()
	}
	return c.end()
}

func (s *Scanner) seat(c *cursor, seat *BriefSeat) {
	c.object(func(name []byte) {
		switch string(name) {
		case "bot":
			seat.Bot = s.word(c.string())
		case "digest":
			seat.Digest = s.word(c.string())
		case "verdict":
			seat.Verdict = s.word(c.string())
		case "score":
			seat.Score = int(c.int())
		case "place":
			seat.Place = int(c.int())
		case "replies":
			seat.Replies = int(c.int())
		case "wall_us":
			seat.WallUS = c.int()
		default:
			c.skip()
		}
	})
}

// event finds a seat's slowest reply. The seats stand before the events.
func event(c *cursor, b *Brief) {
	seat, wall, failed := int64(0), int64(0), false
	c.object(func(name []byte) {
		switch string(name) {
		case "seat":
			seat = c.int()
		case "wall_us":
			wall = c.int()
		case "fail":
			failed = len(c.string()) > 0
		default:
			c.skip()
		}
	})
	if !failed && seat >= 1 && seat <= int64(len(b.Seats)) {
		s := &b.Seats[seat-1]
		s.SlowestUS = max(s.SlowestUS, wall)
	}
}

// word shares equal texts: there are few names, and many records.
func (s *Scanner) word(b []byte) string {
	if w, ok := s.words[string(b)]; ok {
		return w
	}
	w := string(b)
	s.words[w] = w
	return w
}
