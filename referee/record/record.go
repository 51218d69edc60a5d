// Package record is the match record: its JSON form, results files, and the
// verification and replay of the recorded matches. It starts no contestant.
package record

import (
	"cmp"
	"fmt"
	"iter"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/talk"
)

// Version is the version of the record's form.
const Version = 1

// Record is everything about one match: one line of a results file, a JSON
// object. Times are in microseconds, sizes in bytes.
type Record struct {
	V          int    `json:"v" range:"v"`
	ID         string `json:"id" text:"name"` // the same match has the same id in every run
	Game       string `json:"game" text:"name"`
	Umpire     string `json:"umpire" text:"name"`  // version of umpire
	Started    string `json:"started" text:"name"` // RFC 3339, UTC, milliseconds
	WallUS     int64  `json:"wall_us"`
	Isolation  string `json:"isolation" text:"none,basic,box,strict"`
	Worker     string `json:"worker,omitempty" text:"name"` // name of the worker that played it for another umpire
	CPU        string `json:"cpu,omitempty" text:"name"`    // model of the worker's processors
	CPUs       int    `json:"cpus,omitempty" range:"cpus"`  // number of CPUs that each contestant may use; 0: unknown
	Match      string `json:"match,omitempty" text:"name"`  // random id by which players from outside know the match
	Repetition int    `json:"repetition,omitempty"`         // which of several equal matches, from 1; 0 is 1
	// Scale is by what the budgets of time were multiplied, since the worker's processors are
	// slower or faster than those that the limits are for: MinScale to MaxScale; 0 is 1.
	Scale float64 `json:"scale,omitempty"`
	// Package is the folder that the game is from; nil: it is built in. Talk is what
	// its judge said, line by line, or TalkGzip, gzip in base64. Seed is what
	// the judge was told to draw from.
	Package  *Package `json:"package,omitempty"`
	Seed     string   `json:"seed,omitempty" text:"name"` // a number of 64 bits; "": 0
	Talk     string   `json:"talk,omitempty"`
	TalkGzip string   `json:"talk_gzip,omitempty"`
	Case     Case     `json:"case"`
	Limits   Limits   `json:"limits"`
	Seats    []Seat   `json:"seats" range:"seats"` // seat 1 first
	Events   []Event  `json:"events" range:"events"`
	// Exchanges are what was seen of a match of a problem package, in place of Events.
	Exchanges []Exchange `json:"exchanges,omitempty"`
	Voids     []Void     `json:"voids,omitempty" range:"voids"` // why the match was void before, and played again
	Error     string     `json:"error"`                         // umpire's own failure; then there are no verdicts
	Name      string     `json:"-"`                             // of its match, among the records at hand; "": its id
}

// Called returns the name of the match.
func (r *Record) Called() string { return cmp.Or(r.Name, r.ID) }

// Package says what game of its author's own was played.
type Package struct {
	Format string     `json:"format" text:"umpire,kattis,polygon,cms,testlib,codejam"`
	Digest string     `json:"digest" text:"name"` // of all files that determine how it is played
	Facts  talk.Facts `json:"facts"`
}

// FormatUmpire is the format of a package that is a folder with an umpire.yaml. Others
// are problem packages: see interaction.Format.
const FormatUmpire = "umpire"

// Void is why a match did not count, and was played again.
type Void struct {
	Cause  string `json:"cause" text:"stall,machine,memory,helper,freeze"`
	Seat   int    `json:"seat,omitempty" range:"seats"` // the seat concerned, 0 if there is none: see referee.VoidError
	Detail string `json:"detail"`
}

// Case is the case that was played.
type Case struct {
	Name   string  `json:"name" text:"name"` // GROUP/NAME in its set, or how it was made
	Group  string  `json:"group" text:"name"`
	Points float64 `json:"points"` // how many points it is worth (P)
	Text   string  `json:"text"`   // canonical

	// What scoring needs to know of the case's set; "" and 0 if it is not from
	// a set.
	Combine  string  `json:"combine,omitempty" text:"sum,min,all"` // how its group combines: sum, min or all
	Baseline float64 `json:"baseline,omitempty"`                   // Y
	Order    int     `json:"order,omitempty"`                      // its place in the set, from 1
}

// Limits are the budgets of every seat; 0 means none.
type Limits struct {
	TimeUS      int64  `json:"time_us" range:"budget"`
	MoveUS      int64  `json:"move_us" range:"budget"`
	StartUS     int64  `json:"start_us" range:"budget"`
	Clock       string `json:"clock" text:"wall,cpu"` // wall or cpu
	MemoryBytes int64  `json:"memory_bytes" range:"budget"`
	Pondering   string `json:"pondering,omitempty" text:"allow,charge,freeze"` // charge or freeze; "" is allow
	GraceUS     int64  `json:"grace_us,omitempty" range:"budget"`              // part of each reply that a remote seat is not charged for
}

// Bounds of a scale.
const (
	MinScale = 0.5
	MaxScale = 2
)

// Scaled returns limits whose budgets of time are multiplied; 0 is 1.
func (l Limits) Scaled(scale float64) Limits {
	if scale > 0 {
		for _, budget := range []*int64{&l.TimeUS, &l.MoveUS, &l.StartUS} {
			*budget = int64(float64(*budget) * scale)
		}
	}
	return l
}

// Kinds of players from outside; "" is that of all others.
const (
	KindRemote = "remote" // a program, which joins with its player's key
	KindHuman  = "human"  // a person, who is never charged for time
)

// Seat is the bot that sat in a seat, and how the match ended for it.
type Seat struct {
	Bot       string          `json:"bot" text:"name"`
	Digest    string          `json:"digest" text:"name"`                 // digest of everything that determines how the bot plays
	House     bool            `json:"house"`                              // a built-in bot that took a free seat
	Kind      string          `json:"kind,omitempty" text:"remote,human"` // of a player from outside
	Verdict   string          `json:"verdict" text:"verdict" claim:"seat"`
	Detail    string          `json:"detail"`
	Score     protocols.Score `json:"score" claim:"seat"`
	Place     int             `json:"place" range:"place" claim:"seat"`
	WallUS    int64           `json:"wall_us"`    // wall time of all replies together, and of the request that it failed to answer
	CPUUS     int64           `json:"cpu_us"`     // CPU time of the whole process, including its start
	ChargedUS int64           `json:"charged_us"` // time charged to its budget
	PeakBytes int64           `json:"peak_bytes"`
	Replies   int             `json:"replies" claim:"seat"`
	// Stderr is its standard error up to the end of its match: all, or beginning
	// and end, 4 KiB together. StderrAfter is what it wrote while it was being
	// stopped after that.
	Stderr      string `json:"stderr"`
	StderrAfter string `json:"stderr_after,omitempty"`
	StderrBytes int64  `json:"stderr_bytes,omitempty"` // length of both, where something was left out
	Early       int    `json:"early,omitempty"`        // lines that it wrote before it was asked for them
}

// Event is a reply or a failure. Exactly one of Reply, ReplyB64, ReplyGzip and
// Fail is set; a foul is recorded as its reply. A reply of more than MaxReply
// bytes is kept whole, as ReplyGzip, if the seat's verdict is ok; otherwise
// Reply or ReplyB64 hold its beginning, and ReplyBytes and ReplySHA256 its
// length and hash.
type Event struct {
	Seat        int     `json:"seat"`
	Reply       *string `json:"reply,omitempty"`
	ReplyB64    *string `json:"reply_b64,omitempty"`                // where the bytes are not UTF-8
	ReplyGzip   *string `json:"reply_gzip,omitempty"`               // gzip, in base64
	ReplyBytes  int64   `json:"reply_bytes,omitempty"`              // length of a reply that is not kept whole
	ReplySHA256 string  `json:"reply_sha256,omitempty" text:"name"` // of the whole reply, in hexadecimal
	Fail        string  `json:"fail,omitempty" text:"name"`
	Detail      string  `json:"detail,omitempty"`
	WallUS      int64   `json:"wall_us"`
	CPUUS       int64   `json:"cpu_us"`
	WaitUS      int64   `json:"wait_us"`
	StallUS     int64   `json:"stall_us,omitempty"`   // part of the time in which umpire did not run
	ChargedUS   *int64  `json:"charged_us,omitempty"` // set only if it is not the time of the clock
}

// Took returns the wall time of the reply, in microseconds, without that in which umpire did not run.
func (e Event) Took() int64 { return e.WallUS - min(e.StallUS, e.WallUS) }

// Took returns the time that a seat, from 1, took, in microseconds: the wall time of its replies, likewise. Of a
// submission to a problem package it is the time that counts, in all its runs, unless that is not why it was late.
func (r *Record) Took(seat int) int64 {
	s := r.Seats[seat-1]
	late := s.Verdict == string(protocols.KindTime)
	if r.IsRelayed() && !(late && s.ChargedUS < r.Limits.Scaled(r.Scale).TimeUS) {
		return s.ChargedUS
	}
	took := s.WallUS
	for _, e := range r.Events {
		if e.Seat == seat {
			took -= e.WallUS - e.Took()
		}
	}
	return max(0, took)
}

// AddVoid notes why the match was void, before it is played again.
func (r *Record) AddVoid(v *referee.VoidError) {
	r.Voids = append(r.Voids, Void{Cause: string(v.Cause), Seat: v.Seat, Detail: text(v.Err.Error())})
}

// NewLimits returns limits in the record's form.
func NewLimits(l protocols.Limits, p referee.Pondering) Limits {
	limits := Limits{
		TimeUS: l.Time.Microseconds(), MoveUS: l.PerMove.Microseconds(),
		StartUS: l.Startup.Microseconds(), Clock: "wall", MemoryBytes: l.Memory,
	}
	if l.CPU {
		limits.Clock = "cpu"
	}
	if p != referee.PonderAllow {
		limits.Pondering = string(p)
	}
	return limits
}

// cpu reports whether CPU time is charged.
func (l Limits) cpu() bool { return l.Clock == "cpu" }

// Limits returns the limits in the referee's form.
func (l Limits) Limits() protocols.Limits {
	return protocols.Limits{
		Time: micros(l.TimeUS), PerMove: micros(l.MoveUS), Startup: micros(l.StartUS),
		CPU: l.cpu(), Memory: l.MemoryBytes,
	}
}

// PerRun is what the time of a problem package is for.
const PerRun = "each run"

// TimeIsFor says what Limits.TimeUS is for in a match of the package, or of no package.
func (p *Package) TimeIsFor() string {
	if p.isRelayed() {
		return PerRun
	}
	return "all replies"
}

// Words yields the limits of a match of a package, or of no package, in words, as pages and
// errors show them: the name and the value of each that there is.
func (l Limits) Words(p *Package) iter.Seq2[string, string] {
	time := func(us int64) string {
		if us <= 0 {
			return ""
		}
		return micros(us).String()
	}
	memory := ""
	if l.MemoryBytes > 0 {
		memory = fmt.Sprintf("%.4g MiB", float64(l.MemoryBytes)/(1<<20))
	}
	return func(yield func(name, value string) bool) {
		for _, w := range [][2]string{
			{"time for " + p.TimeIsFor(), time(l.TimeUS)}, {"time for each reply", time(l.MoveUS)}, {"more time for the first reply", time(l.StartUS)},
			{"time of a reply from elsewhere that is not charged", time(l.GraceUS)}, {"clock", l.Clock}, {"memory", memory}, {"pondering", l.Pondering},
		} {
			if w[1] != "" && !yield(w[0], w[1]) {
				return
			}
		}
	}
}

// Policy is the policy for a contestant that thinks while it owes no reply.
func (l Limits) Policy() referee.Pondering {
	return cmp.Or(referee.Pondering(l.Pondering), referee.PonderAllow)
}

// IsRelayed reports whether the match was one between a submission and the judge of a
// problem package, which no events tell of.
func (r Record) IsRelayed() bool { return r.Package.isRelayed() }

func (p *Package) isRelayed() bool { return p != nil && p.Format != FormatUmpire }

// FirstFailure returns the first verdict other than ok, ignoring the house's bots; "" if
// all are ok, or the match has no verdicts.
func (r *Record) FirstFailure() string {
	for _, s := range r.Seats {
		if !s.House && s.Verdict != string(referee.OK) {
			return s.Verdict
		}
	}
	return ""
}

// seats returns the seatParts of the match.
func (r *Record) seats() []string {
	return seatParts(len(r.Seats), func(i int) (string, bool) { return r.Seats[i].Bot, r.Seats[i].House })
}
