package remote

import (
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
)

// Public returns a record as players and onlookers may read it: without standard
// error, the words of a compiler, which quote a bot's source, and the names of
// files of this machine. All is in the record itself, for the organiser.
func Public(r record.Record) record.Record {
	r.Error = voidDetail(&r)
	r.Seats, r.Events = slices.Clone(r.Seats), slices.Clone(r.Events)
	for i := range r.Seats {
		s := &r.Seats[i]
		s.Stderr, s.StderrAfter, s.StderrBytes = "", "", 0
		s.Detail = publicDetail(s.Verdict, s.Detail)
	}
	for i := range r.Events {
		e := &r.Events[i]
		e.Detail = publicDetail(e.Fail, e.Detail)
	}
	return r
}

func publicDetail(verdict, detail string) string {
	if verdict == string(protocols.KindCompile) {
		return "could not be compiled or started"
	}
	return detail
}

// voidDetail returns the first line of a record's error, unless it may name a file, or is the
// judge's or a bot's: a judge's words may tell what is hidden in a case that is played again.
func voidDetail(r *record.Record) string {
	line, _, _ := strings.Cut(r.Error, "\n")
	switch fault := r.Fault(); {
	case r.Error != "" && fault != record.Umpire:
		return "this match has no result, through the fault of " + fault + "; its organiser can read why"
	case strings.ContainsAny(line, `/\`):
		return "umpire could not play it; its organiser can read why"
	}
	return line
}
