package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"

	"umpire/protocols"
	"umpire/referee/talk"
)

// Summary is the part of a record that standings need, read without the rest.
type Summary struct {
	// Key identifies the match by the record's id and who sat where: a program may
	// take part under two names, or be judged against itself in one seat or the
	// other. It is 0 for records without an id.
	Key uint64
	// PairingKey identifies game, case and limits, which mirrored matches and
	// repetitions have in common.
	PairingKey uint64
	Seed       uint64 // identifies what the judge draws from; 0: it does not draw
	// Play identifies what was played: all replies as the game reads them and failures, in order;
	// where a judge draws, what it said; in an author's own game, how it ended.
	Play       uint64
	Game       string
	Offset     int64  // of the record's line, from the start of what Summaries reads
	Line       int    // there, from 1
	Case       string // the case's name
	CaseText   string // only of a case without a name
	Repetition int    // at least 1
	Failed     bool   // umpire failed to play it: there are no verdicts
	// JudgeFailed says that there are no verdicts since the judge failed, and JudgeError after
	// which bot's reply; "": before any.
	JudgeFailed bool
	JudgeError  string
	Isolation   string   // level; "" in records made by hand
	Package     *Package // that the game is from; nil: it is built in
	Worker      string   // that played it for another umpire; "" if umpire played it itself
	Seats       []SummarySeat

	id uint64 // the hash of the record's id
}

// SummarySeat is a seat of a Summary.
type SummarySeat struct {
	Bot, Digest, Verdict string
	Detail               string // only of the verdict compile
	House                bool   // it is the opponent in a test or scoring
	Score                protocols.Score
	Place, Replies       int
	// Times are wall times without those in which umpire did not run: see Event.Took.
	WallUS    int64 // of all replies together, and of a request that was not answered
	SlowestUS int64 // of the slowest reply, or of the request on which its time ran out
	RanOut    bool  // the time of SlowestUS is that of the request on which its time ran out
	Late      int   // requests on which its time ran out
	LostUS    int64 // of the other requests that it failed to answer
	// Voided counts, by cause, how often the match was void for the seat, and played
	// again; nil: never.
	Voided map[string]int
}

// Summary returns what a record says of who played what, and how it ended.
func (r *Record) Summary() Summary {
	b := Summary{Game: r.Game, Case: r.Case.Name, Key: r.Key(), Repetition: max(1, r.Repetition), Failed: r.Error != ""}
	for _, s := range r.Seats {
		b.Seats = append(b.Seats, SummarySeat{Bot: s.Bot, Digest: s.Digest, House: s.House, Verdict: s.Verdict, Score: s.Score, Place: s.Place})
	}
	return b
}

// Clone returns a copy that the next record does not change.
func (b *Summary) Clone() *Summary {
	c := *b
	c.Seats = slices.Clone(b.Seats)
	return &c
}

// keys hashes records. The hashes are valid only within this process.
var keys = maphash.MakeSeed()

// Key returns the Summary.Key of a match with the given id and these seatParts.
func Key(id string, seats ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(keys)
	h.WriteString(id)
	for _, s := range seats {
		maphash.WriteComparable(&h, s) // with its length, since a name may hold any character
	}
	return h.Sum64()
}

// Supersedes reports whether a later record of a match takes the place of an
// earlier one, given whether umpire failed to play each. Of several records of
// one match, which have the same Key, only the first that umpire did not fail
// to play counts: so what has been counted stays, and what failed can be played
// again.
func Supersedes(earlierFailed, laterFailed bool) bool { return earlierFailed && !laterFailed }

// Scanner reads lines into summaries. It is for one goroutine.
type Scanner struct {
	forms       *forms
	words       map[string]string // texts seen before, to share them
	pairing     maphash.Hash
	play        maphash.Hash
	line        []byte
	seats       [MaxSeats + 1]SummarySeat // what events and voids say of them, which may come first; 0: none
	stalls      [MaxSeats + 1]int64       // of umpire in their replies
	id          []byte
	text        []byte   // of the case
	limits      [][]byte // the values of the limits, as written in the record
	seed        []byte   // that the judge draws from; none: 0
	talk        []byte   // what it said, as written in the record
	version     int      // of the record's form
	umpire      string   // version of umpire that wrote the record
	form        formReader
	judgeFailed bool
	lastSeat    int64 // of the events
	inBytes     bool  // the game's replies are bytes
	// Packages seen before, by how they are written, to share them.
	packages map[string]*Package
}

// maxWords is how many texts a Scanner shares.
const maxWords = 1 << 16

// Scan reads a line into b, whose Seats it reuses. It accepts only lines that
// Line.Record accepts and that have seats, with a result unless umpire Failed: a
// place in what other programs write, in umpire's own records all that
// Line.DecodeCounted wants. The error says what is wrong.
func (s *Scanner) Scan(line []byte, b *Summary) error {
	if err := s.scan(line, b); err != nil {
		return err
	}
	if err := incomplete(s.version, s.umpire, b.Failed, s.form.missing); err != nil {
		return err
	}
	return b.check()
}

func (b *Summary) check() error {
	if p := b.Package; p != nil {
		if err := p.Facts.Check(); err != nil {
			return fmt.Errorf("package.facts: %w", err)
		}
	}
	if b.Game == "" {
		return errors.New("found no game")
	}
	if len(b.Seats) == 0 {
		return errors.New("found no seats")
	}
	for i, seat := range b.Seats {
		if seat.Place < 1 && !b.Failed {
			return fmt.Errorf("seats[%d].place: found %d, expected 1 or more", i, seat.Place)
		}
	}
	return nil
}

func (s *Scanner) scan(line []byte, b *Summary) error {
	if s.words == nil {
		s.forms, s.words = allForms(), make(map[string]string)
		s.pairing.SetSeed(keys)
		s.play.SetSeed(keys)
		s.limits = make([][]byte, len(s.forms.limits.members))
	}
	*b = Summary{Seats: b.Seats[:0]}
	s.line = line
	s.pairing.Reset()
	s.play.Reset()
	s.id, s.text, s.seed, s.talk, s.version, s.umpire = s.id[:0], s.text[:0], s.seed[:0], nil, 0, ""
	s.seats, s.stalls = [MaxSeats + 1]SummarySeat{}, [MaxSeats + 1]int64{}
	clear(s.limits)
	s.judgeFailed, s.lastSeat, s.inBytes = false, 0, false
	r := &s.form
	r.begin(line)
	repetition := int64(0)
	record := s.forms.record
	r.object(record, func(i int) {
		switch m := &record.members[i]; m.name {
		case "v":
			s.version = int(r.int(m.low, m.high))
		case "umpire":
			s.umpire = s.intern(r.name())
		case "id":
			s.id = append(s.id, r.name()...)
		case "game":
			b.Game = s.intern(r.name())
		case "isolation":
			b.Isolation = s.intern(r.choice(m))
		case "package":
			start := r.decoder.InputOffset()
			r.member(m)
			b.Package = s.pkg(line[start:r.decoder.InputOffset()])
			s.inBytes = b.Package != nil && b.Package.Facts.Replies == talk.Bytes
		case "worker":
			b.Worker = s.intern(r.name())
		case "repetition":
			repetition = r.int(m.low, m.high)
		case "seed":
			s.seed = append(s.seed, r.name()...)
		case "talk", "talk_gzip":
			start := r.decoder.InputOffset()
			r.member(m)
			s.talk = line[start:r.decoder.InputOffset()]
		case "case":
			c := s.forms.caseOf
			r.object(c, func(i int) {
				switch m := &c.members[i]; m.name {
				case "text":
					s.text = append(s.text[:0], r.string()...)
					s.pairing.Write(s.text)
				case "name":
					b.Case = s.intern(r.name())
				default:
					r.member(m)
				}
			})
		case "limits":
			limits := s.forms.limits
			r.object(limits, func(i int) {
				start := r.decoder.InputOffset()
				r.member(&limits.members[i])
				s.limits[i] = line[start:r.decoder.InputOffset()]
			})
		case "seats":
			r.list(m, func() {
				b.Seats = append(b.Seats, SummarySeat{})
				s.seat(&b.Seats[len(b.Seats)-1])
			})
		case "events":
			r.list(m, s.event)
		case "error":
			why := r.string()
			b.Failed, s.judgeFailed = len(why) > 0, bytes.HasPrefix(why, []byte(JudgeErrorPrefix))
		case "voids":
			r.list(m, s.void)
		default:
			r.member(m)
		}
	})
	if err := r.end(); err != nil {
		return err
	}
	if b.Case == "" {
		b.CaseText = string(s.text)
	}
	s.hash(b, repetition)
	b.JudgeFailed = s.judgeFailed
	if n := s.lastSeat; s.judgeFailed && n > 0 && n <= int64(len(b.Seats)) {
		b.JudgeError = b.Seats[n-1].Bot
	}
	for i := range b.Seats {
		seat, e := &b.Seats[i], s.seats[i+1]
		seat.WallUS = max(0, seat.WallUS-s.stalls[i+1])
		seat.SlowestUS, seat.RanOut, seat.Late, seat.LostUS, seat.Voided = e.SlowestUS, e.RanOut, e.Late, e.LostUS, e.Voided
	}
	return nil
}

// hash sets the summary's keys.
func (s *Scanner) hash(b *Summary, repetition int64) {
	for _, value := range s.limits {
		s.pairing.WriteByte('\n')
		s.pairing.Write(value)
	}
	s.pairing.WriteByte('\n')
	s.pairing.WriteString(b.Game)
	if b.Package != nil {
		s.pairing.WriteString("\n" + b.Package.Digest)
		for _, seat := range b.Seats { // its judge may read replies otherwise
			maphash.WriteComparable(&s.play, seat.Place)
			maphash.WriteComparable(&s.play, seat.Score)
		}
	}
	b.Repetition = int(max(1, repetition))
	if len(s.seed) > 0 && string(s.seed) != "0" {
		b.Seed = maphash.Bytes(keys, s.seed)
		s.play.Write(s.talk)
	}
	b.PairingKey, b.Play = s.pairing.Sum64(), s.play.Sum64()
	if len(s.id) == 0 {
		return
	}
	b.id = maphash.Bytes(keys, s.id)
	b.Key = Key(string(s.id), b.seats()...)
}

// Deal identifies what contestants that do not meet are compared by: the case or, where the
// judge draws, what it drew there.
func (b *Summary) Deal() uint64 { return b.PairingKey ^ b.Seed }

// seats returns the seatParts of the match.
func (b *Summary) seats() []string {
	return seatParts(len(b.Seats), func(i int) (string, bool) { return b.Seats[i].Bot, b.Seats[i].House })
}

// pkg returns a package as written, after a colon perhaps; nil for a null, and for what
// the form refuses.
func (s *Scanner) pkg(written []byte) *Package {
	if p, ok := s.packages[string(written)]; ok {
		return p
	}
	p := new(Package)
	text := bytes.TrimLeft(written, ": \t")
	if json.Unmarshal(text, p) != nil || p.Format == "" {
		return nil
	}
	if s.packages == nil || len(s.packages) >= maxWords {
		s.packages = make(map[string]*Package)
	}
	s.packages[string(written)] = p
	return p
}

// void reads why the match was void.
func (s *Scanner) void() {
	var cause string
	var seat int64
	form := s.forms.void
	s.form.object(form, func(i int) {
		switch m := &form.members[i]; m.name {
		case "cause":
			cause = s.intern(s.form.choice(m))
		case "seat":
			seat = s.form.int(m.low, m.high)
		default:
			s.form.member(m)
		}
	})
	if s.seats[seat].Voided == nil {
		s.seats[seat].Voided = make(map[string]int)
	}
	s.seats[seat].Voided[cause]++
}

func (s *Scanner) seat(seat *SummarySeat) {
	r := &s.form
	var detail []byte
	form := s.forms.seat
	r.object(form, func(i int) {
		switch m := &form.members[i]; m.name {
		case "bot":
			seat.Bot = s.intern(r.name())
		case "digest":
			seat.Digest = s.intern(r.name())
		case "verdict":
			seat.Verdict = s.intern(r.choice(m))
		case "detail":
			detail = append(detail, r.string()...)
		case "score":
			seat.Score = r.score()
		case "place":
			seat.Place = int(r.int(m.low, m.high))
		case "replies":
			seat.Replies = int(r.int(m.low, m.high))
		case "wall_us":
			seat.WallUS = r.int(m.low, m.high)
		case "house":
			seat.House = r.bool()
		default:
			r.member(m)
		}
	})
	if seat.Verdict == string(protocols.KindCompile) {
		seat.Detail = s.intern(detail)
	}
}

// event adds an event to its seat's times.
func (s *Scanner) event() {
	r := &s.form
	seat, e, failed, ranOut := int64(0), Event{}, false, false
	form := s.forms.event
	r.object(form, func(i int) {
		switch m := &form.members[i]; m.name {
		case "seat":
			seat = r.int(m.low, m.high)
		case "wall_us":
			e.WallUS = r.int(m.low, m.high)
		case "stall_us":
			e.StallUS = r.int(m.low, m.high)
		case "reply":
			s.reply()
		case "reply_b64", "reply_gzip", "reply_sha256":
			start := r.decoder.InputOffset()
			r.member(m)
			s.play.Write(s.line[start:r.decoder.InputOffset()])
		case "fail":
			kind := r.name()
			failed, ranOut = len(kind) > 0, string(kind) == string(protocols.KindTime)
			s.play.Write(kind)
		default:
			r.member(m)
		}
	})
	s.play.WriteByte(byte(seat))
	s.lastSeat = seat
	if seat <= MaxSeats {
		s.seats[seat].addTime(e.Took(), failed, ranOut)
		s.stalls[seat] += e.WallUS - e.Took()
	}
}

// reply adds a reply to the play as the game reads it: other blanks, and zeros before a number,
// make no other move, except where replies are bytes.
func (s *Scanner) reply() {
	s.play.WriteByte('"') // it is no failure
	if text := s.form.string(); s.inBytes {
		s.play.Write(text)
	} else {
		s.play.WriteString(protocols.Tidy(string(text)))
	}
}

// addTime adds the wall time of an event.
func (s *SummarySeat) addTime(wall int64, failed, ranOut bool) {
	if failed && !ranOut {
		s.LostUS += wall
		return
	}
	if failed && wall > 0 { // old records do not say how long
		s.Late++
	}
	if wall > s.SlowestUS {
		s.SlowestUS, s.RanOut = wall, ranOut
	}
}

// intern shares equal strings: there are few names and many records.
func (s *Scanner) intern(b []byte) string {
	if w, ok := s.words[string(b)]; ok {
		return w
	}
	if len(s.words) >= maxWords {
		clear(s.words)
	}
	w := string(b)
	s.words[w] = w
	return w
}

// Halves returns the i-th seat's points against the j-th, in half points: 2 for
// the better place, 1 for the same place.
func (b *Summary) Halves(i, j int) int {
	return 1 + cmp.Compare(b.Seats[j].Place, b.Seats[i].Place)
}

// Key returns the Summary.Key of the record.
func (r *Record) Key() uint64 {
	if r.ID == "" {
		return 0
	}
	return Key(r.ID, r.seats()...)
}
