package cli

import (
	"strings"

	"umpire/referee"
	"umpire/referee/record"
)

// kept holds the records of a run, with what is needed of them once they have
// been written. To bound memory however many matches there are and whatever
// bots print, only the first match of each verdict other than ok keeps its
// events, and its bots' standard error is kept in full only while there is
// room.
type kept struct {
	records []record.Record
	first   map[string]int // first match, by verdict
	room    int            // bytes left for standard error
}

// Room for standard error, and how much of it is kept when there is no room
// left.
const (
	stderrRoom = 16 << 20
	stderrTail = 200
)

func newKept(matches int) *kept {
	return &kept{records: make([]record.Record, matches), first: make(map[string]int), room: stderrRoom}
}

// add keeps the record of the n-th match.
func (k *kept) add(n int, r record.Record) {
	k.shorten(&r)
	events, verdict := r.Events, failureOf(r)
	if len(k.records) > 1 {
		r.Events = nil
	}
	if before, ok := k.first[verdict]; verdict != "" && (!ok || n < before) {
		if ok {
			k.records[before].Events = nil
		}
		k.first[verdict] = n
		r.Events = events
	}
	k.records[n] = r
}

// shorten cuts standard error to the room left.
func (k *kept) shorten(r *record.Record) {
	for i := range r.Seats {
		for _, text := range []*string{&r.Seats[i].Stderr, &r.Seats[i].StderrAfter} {
			if k.room -= len(*text); k.room < 0 && len(*text) > stderrTail {
				*text = strings.ToValidUTF8(strings.Clone((*text)[len(*text)-stderrTail:]), "")
			}
		}
	}
}

// failureOf returns the first verdict other than ok, ignoring the house's bots;
// "" if all are ok.
func failureOf(r record.Record) string {
	for _, s := range r.Seats {
		if !s.House && s.Verdict != string(referee.OK) {
			return s.Verdict
		}
	}
	return ""
}
