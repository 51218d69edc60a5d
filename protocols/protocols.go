// Package protocols defines what a game is: its facts, its cases, and its
// matches as pure state machines over lines. It knows nothing of processes,
// pipes, clocks or files; the driver of a Match carries the lines.
package protocols

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
)

// Game holds the facts of one game. Everything the rest of the program needs to
// know about a game is a field here.
type Game struct {
	Name  string // id in commands and records: lower-case letters, digits, '-'
	Title string // name for people
	Rules string // rules, protocol and scoring, all a contestant needs to know

	MinSeats, MaxSeats int // seats of a match, 1 ≤ MinSeats ≤ MaxSeats

	// SubmissionSeats lists the seats a submission takes, one match each, when it
	// is tested or scored on a case; DefaultOpponent takes the free ones. Such a
	// match has MaxSeats seats. If empty, a submission takes seat 1 alone.
	SubmissionSeats []int
	DefaultOpponent string // built-in bot for free seats, without '@'; "" for one seat

	Formula  string  // default scoring formula
	Points   float64 // points for a case (P) unless its case set says otherwise; 0 means 1
	Baseline float64 // default baseline (Y); 0 means 1

	Rank Rank // order of the standings

	// Analysis says how to read the values of the game's Analysts; the zero
	// Analysis means that its matches are none.
	Analysis Analysis

	// Simultaneous means that several seats of a match may owe a reply, and so
	// think, at the same time.
	Simultaneous bool

	// Parse reads a case from its canonical text or a tolerated variant of it.
	// Errors are of type *CaseError.
	Parse func(text string) (Case, error)

	// AnyText means that Parse reads every text, so that a misspelt name of a case
	// is not to be taken for a case.
	AnyText bool

	// Groups names the groups Generate knows, in order; the first is the default.
	Groups []string
	// Generate draws the seed's case of a group. The same arguments always give
	// the same case. An unknown group is an error of type *UnknownGroup.
	Generate func(group string, seed uint64) (Case, error)

	// All lists every possible case, in order; nil if there are too many.
	All func() iter.Seq[Case]
}

// PlayedSeats returns SubmissionSeats, or seat 1 if that is empty.
func (g Game) PlayedSeats() []int {
	if len(g.SubmissionSeats) == 0 {
		return []int{1}
	}
	return g.SubmissionSeats
}

// SeatRange is the number of seats a match may have, as text: N or MIN-MAX.
func (g Game) SeatRange() string {
	if g.MinSeats == g.MaxSeats {
		return strconv.Itoa(g.MinSeats)
	}
	return strconv.Itoa(g.MinSeats) + "-" + strconv.Itoa(g.MaxSeats)
}

// Rank is the order of a game's standings.
type Rank int

const (
	ByPoints Rank = iota // the sum of scores
	ByWins               // a win 1, a tie ½; then the sum of scores
	ByPlaces             // the sum of scores; then the number of first places
)

// Case is the start of a match: a board, a queue, an input. It is immutable.
type Case interface {
	// String is the canonical text: Parse of it gives an equal case. It ends
	// without a newline.
	String() string
	// Limits are the budgets of a match on this case with that many seats.
	Limits(seats int) Limits
	// Start begins a match. It panics if the game does not allow that many seats.
	Start(seats int) Match
}

// Limits bound what a contestant may use in one match. Zero means no limit.
type Limits struct {
	Time    time.Duration // time for all replies together
	PerMove time.Duration // time for any one reply
	Startup time.Duration // time of the first reply that is not charged
	CPU     bool          // Time and PerMove are CPU time, not wall time
	Memory  int64         // memory in bytes
}

// Match is a match in progress. It is not safe for concurrent use.
//
// A driver calls Next, then for every awaited seat, in the order of Await,
// exactly one of an accepted Reply or a Fail; then Next again, until no seat is
// awaited.
type Match interface {
	// Next returns the lines to send and the seats that owe a reply. It is called
	// first, and again whenever all awaited seats have answered. The slices in
	// the Step are valid until the next call of Next.
	Next() Step
	// Reply applies the reply of an awaited seat. A foul changes nothing; the
	// driver then calls Fail. Text is a line without its end, or the whole output
	// if the step said Batch; it may hold any bytes.
	Reply(seat int, text string) *Foul
	// Fail reports to the match that an awaited seat gave no valid reply. The
	// game decides what that costs; the seat is never awaited again.
	Fail(seat int, why Failure)
	// Result returns every seat's outcome, seat 1 first, once the match is over.
	// Before that it returns the standing so far.
	Result() []Outcome
	// Position is the current position. Reply and Fail change it; Next does so
	// only if the match is an AutoMover.
	Position
}

// Position is the state of a match at one moment.
type Position interface {
	// State is the position, for machines: it marshals to a JSON object and
	// shares nothing with the match.
	State() any
	// String is the position, for people, with the effect of the last move:
	// several lines, without a newline at the end.
	String() string
}

// AutoMover is a Match that makes moves without a reply, such as those for a
// seat that has failed.
type AutoMover interface {
	// AutoMoves yields the positions that the last call of Next went through, in
	// order, each with the seat whose move led to it. The last one is that of the
	// match. A position is valid until the next one is yielded.
	AutoMoves() iter.Seq2[int, Position]
}

// Tracer is a Match whose case alone determines a sequence of positions, as a
// batch task's may: a replay shows these instead of the State after each reply.
// The first one is the start.
type Tracer interface {
	Trace() iter.Seq[any]
}

// PieceNamer is a Match in whose text names stand for the pieces of seats. A terminal shows
// them in the colours of the seats.
type PieceNamer interface {
	PieceNames() map[string]int // the seat of each name
}

// Drawer is a Match that draws its position, with the effect of the last reply.
// The positions that an AutoMover yields are Drawers too, and those of a Tracer
// may be.
type Drawer interface {
	// SVG is the picture as a seat sees it; seat 0 is an onlooker. Repeated calls
	// return the same picture. Each part the seat may click has one of the seat's
	// Choices as its data-reply; an onlooker's picture has none. A picture holds
	// no script, no style attribute and no reference to anything outside itself.
	// Package svg writes such pictures.
	SVG(seat int) string
}

// ReplyDrawer is a Drawer that can also show a reply which an awaited seat may give.
type ReplyDrawer interface {
	// DrawReply returns shapes of the class, as elements to be laid over the picture of
	// this position or of the next; "" for a reply that has no place on the board.
	DrawReply(seat int, reply, class string) string
}

// Phaser is a Drawer whose moves may be drawn in several pictures.
type Phaser interface {
	// Phases are the pictures, as an onlooker sees them, that led from the position
	// before to this one, in order, without that of SVG. There are none if the last
	// reply has changed nothing yet, as one of several that are given together.
	Phases() []string
}

// SeatView is a Position that a seat may see otherwise than an onlooker does.
type SeatView interface {
	// StateFor is the Position's State as a seat sees it; seat 0 is an onlooker.
	StateFor(seat int) any
	// StringFor is the Position's String as a seat sees it, shown where there is no
	// picture for the seat.
	StringFor(seat int) string
}

// Chooser is a Match that lets a person pick a reply from a list.
type Chooser interface {
	// Choices lists legal replies of an awaited seat; it is empty for any other
	// seat. If the useful replies form a finite list, it has all of them. It is
	// called after Next.
	Choices(seat int) []Choice
}

// Choice is one reply that a seat may give.
type Choice struct {
	Reply string `json:"reply"` // the line, without its end
	Label string `json:"label"` // what the reply does, for a person: "pit 3, 4 beads"
}

// Step is one step of a match: the lines to send, then the seats to wait for.
type Step struct {
	Send  []Line // lines to hand out, in order
	Await []int  // seats that now owe a reply, ascending; empty: the match is over
	Batch bool   // a batch task: close the input; the reply is the whole output
}

// Line is one line for one seat, without a newline; a batch task's input may
// hold several lines in one Text.
type Line struct {
	Seat int // 1-based
	Text string
}

// Foul is a reply that the protocol does not allow, with the reason as a
// sentence that says what is wrong with it.
type Foul struct {
	Reason string
	// Former lists the reason as earlier versions worded it, for their records.
	Former []string
}

// Fouled makes a Foul from a format.
func Fouled(format string, args ...any) *Foul {
	return &Foul{Reason: fmt.Sprintf(format, args...)}
}

// Error makes a Foul an error.
func (f *Foul) Error() string { return f.Reason }

// Kind is one of the ways a contestant can fail.
type Kind string

const (
	KindFoul     Kind = "foul"     // a reply the protocol forbids
	KindTime     Kind = "time"     // a budget is spent
	KindIdle     Kind = "idle"     // blocked reading its input, or stopped, while it owed a reply
	KindCrash    Kind = "crash"    // ended, or closed its output, while it owed a reply
	KindMemory   Kind = "memory"   // more memory than allowed
	KindOutput   Kind = "output"   // too much output, or too long a line
	KindSecurity Kind = "security" // a forbidden system call
	KindCompile  Kind = "compile"  // could not be compiled or started
)

// Kinds lists all kinds of failure.
var Kinds = []Kind{KindFoul, KindTime, KindIdle, KindCrash, KindMemory, KindOutput, KindSecurity, KindCompile}

// Failure is the reason why a contestant that owed a reply gave no valid one.
type Failure struct {
	Kind   Kind
	Detail string // one sentence: what happened and, where known, what to do
}

// Left is the detail of the crash of a person who left the match.
const Left = "left"

// Absent begins the detail of the crash of a player that did not come to its match.
const Absent = "did not come"

// NotPlayed reports whether the seat has not played at all: its program could not be
// started, or its player did not come.
func (f *Failure) NotPlayed() bool {
	return f.Kind == KindCompile || f.Kind == KindCrash && strings.HasPrefix(f.Detail, Absent)
}

// Phrase says in a few words what the seat did: "failed (time)", or "resigned" of a
// person who left.
func (f *Failure) Phrase() string {
	if f.Kind == KindCrash && f.Detail == Left {
		return "resigned"
	}
	return fmt.Sprintf("failed (%s)", f.Kind)
}

// Error makes a Failure an error.
func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Detail }

// Outcome is the result of a match for one seat.
type Outcome struct {
	Score Score  // in the game's own unit
	Place int    // 1 is best; ties share the better place
	Wrong string // batch tasks: what is wrong with the output; "" if nothing
}
