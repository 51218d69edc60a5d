// Package analysis finds what each reply of a recorded match was worth, and what
// was lost against the best one. The games value replies; this package plays
// records again, compares, classifies and adds up. It knows no files and prints
// nothing.
package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// Class is the class of a reply that loses something.
type Class string

// The classes, by what a reply loses of the expected result.
const (
	Inaccuracy Class = "inaccuracy"
	Mistake    Class = "mistake"
	Blunder    Class = "blunder"

	// Differs is the class of each reply that is not among the best ones of the bot
	// whose opinion the values are; such games have no other classes.
	Differs Class = "differs"
)

// Classes says which losses are of which class.
type Classes struct {
	// The least losses of each class, in shares of a whole; 0 with an Opinion.
	Inaccuracy float64 `json:"inaccuracy"`
	Mistake    float64 `json:"mistake"`
	Blunder    float64 `json:"blunder"`
	// Of is the whole: the expected result or, of a seat alone, the best score that it
	// could still reach.
	Of string `json:"of,omitempty"`
	// Results says how values give expected results; "" where they do not.
	Results string `json:"results,omitempty"`
	// Opinion is the bot whose opinion the values are, as @NAME; "" if they are
	// estimates of how the match ends.
	Opinion string `json:"opinion,omitempty"`
}

// The least losses of each class, as chess.com publishes them for expected points.
const (
	inaccuracy = 0.05
	mistake    = 0.1
	blunder    = 0.2
)

// Match is the analysis of one record. Values and losses are in Unit, rounded to
// hundredths.
type Match struct {
	ID      string  `json:"id"`
	Name    string  `json:"name,omitempty"` // of the match; "": its id
	Game    string  `json:"game"`
	Case    string  `json:"case"`
	Unit    string  `json:"unit"`
	Method  string  `json:"method"` // how values are found, for people
	Scores  bool    `json:"scores"` // Unit is that of scores, so values compare with margins
	Exact   bool    `json:"exact"`  // every value is exact
	Classes Classes `json:"classes"`
	// Start is the value of the start to the seat that replies first; nil unless
	// its first reply was analysed.
	Start    *float64  `json:"start,omitempty"`
	Seats    []Seat    `json:"seats"`
	Moves    []Move    `json:"moves"`
	Failures []Failure `json:"failures,omitempty"`
}

// Seat adds up the moves of one seat.
type Seat struct {
	Seat     int             `json:"seat"`
	Bot      string          `json:"bot"`
	Digest   string          `json:"digest,omitempty"`
	House    bool            `json:"house,omitempty"`
	Margin   protocols.Score `json:"margin"` // how the match ended: its score less that of the best other seat
	Place    int             `json:"place"`
	Analysed bool            `json:"analysed"` // its moves are there
	Sum
}

// Sum adds up moves.
type Sum struct {
	Moves        int     `json:"moves"`   // replies with a value
	Choices      int     `json:"choices"` // those where the seat could have given another
	Unvalued     int     `json:"unvalued,omitempty"`
	Lost         float64 `json:"lost"`
	Mean         float64 `json:"mean"`        // Lost for each of Choices
	ResultLost   float64 `json:"result_lost"` // of all Choices, as Move has it
	Inaccuracies int     `json:"inaccuracies"`
	Mistakes     int     `json:"mistakes"`
	Blunders     int     `json:"blunders"`
	Differs      int     `json:"differs,omitempty"` // replies of that class
	// Thirds splits Lost between the first, the middle and the last third of the
	// seat's Choices in each match.
	Thirds [3]float64 `json:"thirds"`
}

// Move is a reply that was accepted, and what it was worth to its seat.
type Move struct {
	Step      int     `json:"step"`  // as a replay counts
	Event     int     `json:"event"` // in the record's events, from 0
	Seat      int     `json:"seat"`
	Reply     string  `json:"reply"` // as the game writes it
	Value     float64 `json:"value"`
	Best      string  `json:"best"` // the reply itself, if none is better; else the first of the best
	BestValue float64 `json:"best_value"`
	Lost      float64 `json:"lost"`
	// Result is the expected result after the reply or, of a seat alone, the share of the
	// best value that the reply keeps; ResultLost is that of the best reply less it. Both
	// are rounded to thousandths, and 0 with an Opinion.
	Result     float64  `json:"result"`
	ResultLost float64  `json:"result_lost"`
	Class      Class    `json:"class,omitempty"`
	Exact      bool     `json:"exact"`
	Choices    int      `json:"choices"`        // number of replies that the seat could give
	Line       []string `json:"line,omitempty"` // replies expected after the best one

	before position
}

// Failure is a foul or another failure, and its cost: the value of the best reply
// less the seat's value at the end of the match. The cost is not part of the loss
// of replies.
type Failure struct {
	Step   int    `json:"step"`
	Event  int    `json:"event"`
	Seat   int    `json:"seat"`
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
	// Best is the best reply then, and Expected its value; absent where the seat
	// owed no reply. Cost is Expected less Margin, where these compare.
	Best     string          `json:"best,omitempty"`
	Expected *float64        `json:"expected,omitempty"`
	Cost     *float64        `json:"cost,omitempty"`
	Margin   protocols.Score `json:"margin"` // how the match ended for the seat
	Place    int             `json:"place"`
	Exact    bool            `json:"exact"` // Expected is
}

// At returns the move or the failure that led to a step of a replay; nil for
// each that did not. There is none in a nil Match.
func (m *Match) At(step int) (*Move, *Failure) {
	if m == nil {
		return nil, nil
	}
	if i := slices.IndexFunc(m.Failures, func(f Failure) bool { return f.Step == step }); i >= 0 {
		return nil, &m.Failures[i]
	}
	if i, found := slices.BinarySearchFunc(m.Moves, step, func(m Move, step int) int { return cmp.Compare(m.Step, step) }); found {
		return &m.Moves[i], nil
	}
	return nil, nil
}

// NoAnalyst is the error of a record that can't say what replies are worth.
type NoAnalyst struct {
	Game string
	Own  bool // its judge may say values, and said none in the record or was not asked to
}

func (e *NoAnalyst) Error() string {
	if e.Own {
		return fmt.Sprintf("no values of %s were recorded; where its judge says any, tournament, compare and score keep them with --pictures", e.Game)
	}
	return fmt.Sprintf("%s can't say what a reply is worth", e.Game)
}

// NotPlayed is the error of a record of a match without a result.
type NotPlayed struct{ Why string }

func (e *NotPlayed) Error() string { return e.Why }

// Of analyses the replies of a record's seats; if only is not nil, those of the
// seats for which it holds. The error is a *NoAnalyst, a *NotPlayed, or says what is
// wrong with the record.
func Of(r record.Record, games []protocols.Game, only func(record.Seat) bool) (*Match, error) {
	return new(Memory).Of(r, games, only)
}

// Of analyses a record as the function does, and asks the game for the values of those
// positions alone that are not in memory.
func (k *Memory) Of(r record.Record, games []protocols.Game, only func(record.Seat) bool) (*Match, error) {
	game, _, err := r.Parse(games)
	if err != nil {
		return nil, err
	}
	if game.Analysis.Unit == "" {
		return nil, &NoAnalyst{Game: game.Name, Own: r.Package != nil && !r.IsRelayed()}
	}
	if r.Error != "" {
		return nil, &NotPlayed{r.NoResult()}
	}
	if r.Package != nil {
		k = new(Memory) // the record itself says what its replies are worth
	}
	a := analyser{record: r, only: only, memory: k, position: start(r), match: &Match{
		ID: r.ID, Name: r.Name, Game: game.Name, Case: r.Case.Name, Unit: game.Analysis.Unit, Method: game.Analysis.Method, Scores: game.Analysis.Scores,
		Exact: true, Classes: ClassesOf(game, len(r.Seats)), Moves: []Move{},
	}}
	played, err := r.Replay(games, referee.Watcher{Awaited: a.awaited, Event: a.event, AutoMove: func(int, protocols.Position) { a.step++ }})
	if err != nil {
		return nil, err
	}
	a.finish(played)
	return a.match, nil
}

// analyser follows a match that is played again.
type analyser struct {
	record record.Record
	only   func(record.Seat) bool
	memory *Memory
	match  *Match

	position position
	step     int
	events   int     // so far
	offered  []offer // by seat, of those that owe a reply
}

// analyses reports whether a seat is analysed.
func (a *analyser) analyses(seat int) bool { return a.only == nil || a.only(a.record.Seats[seat-1]) }

// awaited values what the seats that are asked may reply.
func (a *analyser) awaited(seats []int, m protocols.Match) {
	a.offered = make([]offer, len(a.record.Seats))
	analyst, ok := m.(protocols.Analyst)
	if !ok {
		return
	}
	for _, seat := range seats {
		if a.analyses(seat) {
			a.offered[seat-1] = a.memory.offer(a.position, seat, analyst)
		}
	}
}

func (a *analyser) event(e referee.Event, foul *protocols.Foul, _ protocols.Match) {
	a.step++
	a.events++
	o, before := a.offered[e.Seat-1], a.position
	a.offered[e.Seat-1] = offer{}
	a.position = before.after(e)
	if len(o.values) > 0 {
		if best := round(o.best().Value); a.events == 1 {
			a.match.Start = &best
		}
		a.match.Exact = a.match.Exact && o.exact
	}
	switch {
	case e.Fail != nil:
		a.failed(e.Seat, string(e.Fail.Kind), e.Fail.Detail, o)
	case foul != nil:
		a.failed(e.Seat, string(protocols.KindFoul), foul.Reason, o)
	default:
		a.replied(e, o, before)
	}
}

// replied adds an accepted reply. One that is none of the game's choices has no
// value.
func (a *analyser) replied(e referee.Event, o offer, before position) {
	reply := protocols.Tidy(e.Reply)
	i := slices.IndexFunc(o.values, func(v protocols.Value) bool { return v.Reply == reply })
	if i < 0 {
		return
	}
	played, best := o.values[i], o.best()
	lost := round(best.Value - played.Value)
	if lost == 0 {
		best = played
	}
	if len(a.record.Seats) == 1 && a.match.Classes.Opinion == "" {
		played.Result, best.Result = share(played.Value, best.Value), 1
	}
	m := Move{
		Step: a.step, Event: a.events - 1, Seat: e.Seat, Reply: reply, Value: round(played.Value), Best: best.Reply, BestValue: round(best.Value),
		Lost: lost, Result: thousandth(played.Result), ResultLost: thousandth(best.Result - played.Result),
		Exact: o.exact, Choices: len(o.values), Line: best.Line, before: before,
	}
	m.Class = a.match.Classes.of(m)
	a.match.Moves = append(a.match.Moves, m)
}

// share is the part of the best score that a reply keeps.
func share(value, best float64) float64 {
	if best <= 0 {
		return 1
	}
	return max(0, value/best)
}

// ClassesOf is the classes of a game with that many seats.
func ClassesOf(g protocols.Game, seats int) Classes {
	if g.Analysis.Opinion != "" {
		return Classes{Opinion: "@" + g.Analysis.Opinion}
	}
	c := Classes{Inaccuracy: inaccuracy, Mistake: mistake, Blunder: blunder, Of: "expected result", Results: g.Analysis.Results}
	if seats == 1 {
		c.Of = "best score still possible"
	}
	return c
}

// of is the class of a reply.
func (c Classes) of(m Move) Class {
	switch lost := m.ResultLost; {
	case c.Opinion != "":
		if m.Lost > 0 {
			return Differs
		}
	case lost >= c.Blunder:
		return Blunder
	case lost >= c.Mistake:
		return Mistake
	case lost >= c.Inaccuracy:
		return Inaccuracy
	}
	return ""
}

func (a *analyser) failed(seat int, kind, detail string, o offer) {
	if !a.analyses(seat) {
		return
	}
	f := Failure{Step: a.step, Event: a.events - 1, Seat: seat, Kind: kind, Detail: detail, Exact: o.exact}
	if len(o.values) > 0 {
		best := o.best()
		expected := round(best.Value)
		f.Best, f.Expected = best.Reply, &expected
	}
	a.match.Failures = append(a.match.Failures, f)
}

// finish adds up the moves of each seat, and how the match ended.
func (a *analyser) finish(played referee.Result) {
	outcomes := make([]protocols.Outcome, len(played.Seats))
	for i, s := range played.Seats {
		outcomes[i] = s.Outcome
	}
	for i, s := range a.record.Seats {
		seat := Seat{Seat: i + 1, Bot: s.Bot, Digest: s.Digest, House: s.House, Margin: protocols.Margin(outcomes, i+1), Place: outcomes[i].Place}
		if seat.Analysed = a.analyses(seat.Seat); seat.Analysed {
			seat.Sum = sumOf(a.match.Moves, seat.Seat)
			seat.Unvalued = played.Seats[i].Replies - seat.Moves
			for n := range a.match.Failures {
				if f := &a.match.Failures[n]; f.Seat == seat.Seat {
					f.end(seat, a.match.Scores)
					if f.Kind == string(protocols.KindFoul) {
						seat.Unvalued-- // the reply is the foul
					}
				}
			}
		}
		a.match.Seats = append(a.match.Seats, seat)
	}
}

// end sets how the match ended for the seat that failed.
func (f *Failure) end(s Seat, compares bool) {
	f.Margin, f.Place = s.Margin, s.Place
	if f.Expected != nil && compares {
		cost := round(*f.Expected - s.Margin.Float())
		f.Cost = &cost
	}
}

// sumOf adds up the moves of a seat.
func sumOf(moves []Move, seat int) Sum {
	var s Sum
	var lost []float64
	counts := map[Class]*int{Inaccuracy: &s.Inaccuracies, Mistake: &s.Mistakes, Blunder: &s.Blunders, Differs: &s.Differs}
	for _, m := range moves {
		if m.Seat != seat {
			continue
		}
		s.Moves++
		if m.Choices > 1 {
			lost = append(lost, m.Lost)
			s.ResultLost += m.ResultLost
		}
		if n, ok := counts[m.Class]; ok {
			*n++
		}
	}
	s.Choices = len(lost)
	for i, l := range lost {
		s.Thirds[3*i/len(lost)] += l
	}
	s.round()
	return s
}

// round computes the sums from those of the thirds.
func (s *Sum) round() {
	s.Lost, s.Mean = 0, 0
	for i := range s.Thirds {
		s.Thirds[i] = round(s.Thirds[i])
		s.Lost += s.Thirds[i]
	}
	s.Lost, s.ResultLost = round(s.Lost), thousandth(s.ResultLost)
	if s.Choices > 0 {
		s.Mean = round(s.Lost / float64(s.Choices))
	}
}

// add adds another sum.
func (s *Sum) add(o Sum) {
	s.Moves += o.Moves
	s.Choices += o.Choices
	s.Unvalued += o.Unvalued
	s.Inaccuracies += o.Inaccuracies
	s.Mistakes += o.Mistakes
	s.Blunders += o.Blunders
	s.Differs += o.Differs
	s.ResultLost += o.ResultLost
	for i := range s.Thirds {
		s.Thirds[i] += o.Thirds[i]
	}
	s.round()
}

// round rounds to hundredths: more digits would mean nothing in an estimate, and
// the last ones may differ between machines.
func round(x float64) float64 {
	return math.Round(x*100)/100 + 0 // and not -0
}

// thousandth rounds a share, for the same reasons.
func thousandth(x float64) float64 { return math.Round(x*1000)/1000 + 0 }

// Accuracy is the share of the expected result or, of a seat alone, of the best score
// that a choice kept, in the mean: from 0 to 1. With an opinion, it is the share of the
// choices that agree. It is not ok if there was no choice.
func (s Sum) Accuracy(c Classes) (share float64, ok bool) {
	if s.Choices == 0 {
		return 0, false
	}
	lost := s.ResultLost
	if c.Opinion != "" {
		lost = float64(s.Differs)
	}
	return 1 - lost/float64(s.Choices), true
}
