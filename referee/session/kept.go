package session

import (
	"strings"

	"umpire/referee/record"
)

// Kept holds the records of a run, with what is needed of them once they have
// been written. To bound memory however many matches there are and whatever
// bots print, only the first match of each verdict other than ok keeps its
// events, and its bots' standard error is kept in full only while there is
// room.
type Kept struct {
	Records []record.Record
	first   map[string]int // first match, by verdict
	room    int            // bytes left for standard error
}

// Room for standard error, and how much of it is kept when there is no room
// left.
const (
	stderrRoom = 16 << 20
	stderrTail = 200
)

// NewKept makes room for so many records.
func NewKept(matches int) *Kept {
	return &Kept{Records: make([]record.Record, matches), first: make(map[string]int), room: stderrRoom}
}

// Add keeps the record of the n-th match.
func (k *Kept) Add(n int, r record.Record) {
	k.Shorten(&r)
	events, verdict := r.Events, r.FirstFailure()
	if len(k.Records) > 1 {
		r.Events, r.Exchanges = nil, nil
	}
	if before, ok := k.first[verdict]; verdict != "" && (!ok || n < before) {
		if ok {
			k.Records[before].Events = nil
		}
		k.first[verdict] = n
		r.Events = events
	}
	k.Records[n] = r
}

// Shorten cuts standard error to the room left.
func (k *Kept) Shorten(r *record.Record) {
	for i := range r.Seats {
		for _, text := range []*string{&r.Seats[i].Stderr, &r.Seats[i].StderrAfter} {
			if k.room -= len(*text); k.room < 0 && len(*text) > stderrTail {
				*text = strings.ToValidUTF8(strings.Clone((*text)[len(*text)-stderrTail:]), "")
			}
		}
	}
}
