// Package protocols says what a game is: its facts, its cases, and a match of
// it as a pure state machine over lines. It knows nothing of processes, pipes,
// clocks or files; whoever drives a Match carries the lines.
package protocols

import (
	"fmt"
	"iter"
	"strconv"
	"time"
)

// Game is the facts of one game. Everything the rest of the program needs to
// know of a game is a field here.
type Game struct {
	Name  string // id in commands and records: lower-case letters, digits, '-'
	Title string // name for people
	Rules string // rules, protocol and scoring, all a contestant needs to know

	MinSeats, MaxSeats int // seats of a match, 1 ≤ MinSeats ≤ MaxSeats

	// SubmissionSeats lists the seats a submission takes, one match each, when it is
	// tested or scored on a case; DefaultOpponent takes the free ones. Such a match has
	// MaxSeats seats. Empty means seat 1 alone.
	SubmissionSeats []int
	DefaultOpponent string // built-in bot for free seats, without '@'; "" for one seat

	Formula  string  // default scoring formula
	Points   float64 // what a case is worth (P) where its case set does not say; 0 means 1
	Baseline float64 // default baseline (Y); 0 means 1

	Rank Rank // what standings are ordered by

	// Simultaneous says that several seats of a match may owe a reply, and so
	// think, at the same time.
	Simultaneous bool

	// Parse reads a case from its canonical text or a tolerated variant of it.
	// Errors are of type *CaseError.
	Parse func(text string) (Case, error)

	// Groups names the groups Generate knows, in order; the first is the default.
	Groups []string
	// Generate draws the seed's case of a group. The same arguments always give
	// the same case. An unknown group is an error of type *UnknownGroup.
	Generate func(group string, seed uint64) (Case, error)

	// All lists every case there is, in order; nil where they are too many.
	All func() iter.Seq[Case]
}

// PlayedSeats returns Tests, or seat 1 where it is empty.
func (g Game) PlayedSeats() []int {
	if len(g.SubmissionSeats) == 0 {
		return []int{1}
	}
	return g.SubmissionSeats
}

// SeatRange is how many seats a match may have, as text: N or MIN-MAX.
func (g Game) SeatRange() string {
	if g.MinSeats == g.MaxSeats {
		return strconv.Itoa(g.MinSeats)
	}
	return strconv.Itoa(g.MinSeats) + "-" + strconv.Itoa(g.MaxSeats)
}

// Rank is what a game's standings are ordered by.
type Rank int

const (
	ByPoints Rank = iota // the sum of scores
	ByWins               // a win 1, a tie ½; then the sum of scores
	ByPlaces             // the sum of scores; then the number of first places
)

// Case is what a match starts from: a board, a queue, an input. It is immutable.
type Case interface {
	// String is the canonical text: Parse of it gives an equal case. It ends
	// without a newline.
	String() string
	// Limits are the budgets of a match with so many seats on this case.
	Limits(seats int) Limits
	// Start begins a match. It panics if the game does not allow so many seats.
	Start(seats int) Match
}

// Limits are what a contestant may use up in one match. Zero means no limit.
type Limits struct {
	Time    time.Duration // for all replies together
	PerMove time.Duration // for any one reply
	Startup time.Duration // of the first reply's time, this much is not charged
	CPU     bool          // Time and PerMove are CPU time, not wall time
	Memory  int64         // bytes
}

// Match is one running match. It is not safe for concurrent use.
//
// A driver alternates: Next, then for every awaited seat exactly one of an
// accepted Reply or a Fail, in the order of Await; then Next again, until Next
// awaits nobody.
type Match interface {
	// Next says what to send and who owes a reply. It is called at first, and
	// whenever all awaited seats have answered. The slices in the Step are
	// valid until the next call of Next.
	Next() Step
	// Reply applies the reply of an awaited seat. A foul changes nothing; the
	// driver then calls Fail. Text is a line without its end, or the whole
	// output where the step said Batch; it may hold any bytes.
	Reply(seat int, text string) *Foul
	// Fail tells that an awaited seat did not reply as it must. The game
	// decides what that costs; the seat is never awaited again.
	Fail(seat int, why Failure)
	// Result gives every seat's outcome, seat 1 first, once the match is over.
	// Before that it gives the standing so far.
	Result() []Outcome
	// Position is the present one. Reply and Fail change it; Next does so only
	// in a match that is an AutoMover.
	Position
}

// Position is how a match stands at one moment.
type Position interface {
	// State is the position, for machines: it marshals to a JSON object and
	// shares nothing with the match.
	State() any
	// String is the position, for people, with what the last move did to it.
	// Several lines, ending without a newline.
	String() string
}

// AutoMover is a Match in which moves are made without a reply, such as those
// played for a seat that has failed.
type AutoMover interface {
	// AutoMoves yields the positions that the last call of Next went through,
	// in order, each with the seat whose move led to it. The last one is that of
	// the match. A position is valid until the next is yielded.
	AutoMoves() iter.Seq2[int, Position]
}

// Tracer is a Match whose case alone determines a line of positions, as that of
// a batch task may: a replay shows these instead of the State after each reply.
// The first is the start.
type Tracer interface {
	Trace() iter.Seq[any]
}

// Drawer is a Match that draws its position, with what the last reply did. So
// are the positions that an AutoMover yields, and those of a Tracer may be.
type Drawer interface {
	// SVG is the picture as a seat sees it; seat 0 is an onlooker. Asked twice,
	// it is the same. What the seat may click has the reply that a click gives
	// as its data-reply, one of the seat's Choices; an onlooker has none. It
	// holds no script, no style attribute and no reference to anything outside.
	// Package svg writes such pictures.
	SVG(seat int) string
}

// Chooser is a Match in which a person can pick a reply from a list.
type Chooser interface {
	// Choices lists replies of an awaited seat that are legal now; none for any
	// other seat. Where the useful replies are a finite list, they are all there.
	// It is asked after Next.
	Choices(seat int) []Choice
}

// Choice is one reply that a seat may give.
type Choice struct {
	Reply string // the line, without its end
	Label string // what it does, for a person: "pit 3, 4 beads"
}

// Step is what the game wants next.
type Step struct {
	Send  []Line // lines to hand out, in order
	Await []int  // seats that now owe a reply, ascending; empty: the match is over
	Batch bool   // a batch task: close the input, the reply is all the output
}

// Line is one line for one seat, without a newline; a batch task's input may
// hold several lines in one Text.
type Line struct {
	Seat int // 1-based
	Text string
}

// Foul is a reply that the protocol does not allow, with the reason as a
// sentence that names what was expected.
type Foul struct{ Reason string }

// Fouled makes a Foul from a format.
func Fouled(format string, args ...any) *Foul {
	return &Foul{fmt.Sprintf(format, args...)}
}

// Error makes a Foul an error.
func (f *Foul) Error() string { return f.Reason }

// Kind is one of the ways in which a contestant can fail.
type Kind string

const (
	KindFoul     Kind = "foul"     // a reply the protocol forbids
	KindTime     Kind = "time"     // a budget is spent
	KindIdle     Kind = "idle"     // blocked reading its input, or stopped, while it owes a reply
	KindCrash    Kind = "crash"    // it ended or closed its output while it owed a reply
	KindMemory   Kind = "memory"   // more memory than allowed
	KindOutput   Kind = "output"   // too much output, or too long a line
	KindSecurity Kind = "security" // a forbidden system call
)

// Kinds lists all kinds of failure.
var Kinds = []Kind{KindFoul, KindTime, KindIdle, KindCrash, KindMemory, KindOutput, KindSecurity}

// Failure is why a contestant gave no valid reply while it owed one.
type Failure struct {
	Kind   Kind
	Detail string // one sentence: what happened and, where known, what to do
}

// Error makes a Failure an error.
func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Detail }

// Outcome is how a match ended for one seat.
type Outcome struct {
	Score int    // in the game's own unit
	Place int    // 1 is best; ties share the better place
	Wrong string // batch tasks: what is wrong with the output; "" if nothing
}
