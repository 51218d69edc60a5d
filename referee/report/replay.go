package report

import (
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
)

// Replay plays recorded matches again and shows their positions, and who played
// what.
type Replay struct {
	*Printer
	Games []protocols.Game
	From  int // the first step to show; 0 is the start
	// Last, if not nil, becomes the last step of the longest match that Print or JSON has
	// shown.
	Last *int
	// Pause, if not nil, is called between steps that Print shows. An error ends
	// Print.
	Pause func() error
	// Analyse, if not nil, returns what each reply of a record was worth, to be
	// shown below it; nil if that can't be said.
	Analyse func(record.Record) (*analysis.Match, error)
}

// Step is a position of a match that is shown again, with the move that led to
// it.
type Step struct {
	Number   int    // 0 is the start
	Move     Text   // who did what; empty at the start
	Remark   string // a line about the move; at the start, what such lines say; "" for none
	Position Text
	Mistake  bool // the move was a mistake or a blunder
}

// Print prints a match. The error says what is wrong with the record.
func (v Replay) Print(r record.Record) error {
	title, err := v.title(r)
	if err != nil {
		return err
	}
	v.Printf("%s\n", title)
	shown, last := false, 0
	err = v.play(&r, func(s Step) error {
		if last = s.Number; last < v.From {
			return nil
		}
		if shown && v.Pause != nil {
			if err := v.Pause(); err != nil {
				return err
			}
		}
		shown = true
		v.printStep(s)
		return nil
	})
	if err != nil {
		return err
	}
	v.ended(last)
	if !shown {
		v.Printf("(its steps are 0 to %d)\n", last)
	}
	v.Printf("\n")
	MatchResult(v.Printer, r, v.Games, Background{})
	v.Printf("\n")
	return nil
}

// ended notes the last step of a match.
func (v Replay) ended(step int) {
	if v.Last != nil {
		*v.Last = max(*v.Last, step)
	}
}

// printStep prints a move and the position it led to.
func (v Replay) printStep(s Step) {
	if s.Number > 0 {
		v.Printf("\n%s\n", s.Move)
	}
	if s.Remark != "" {
		v.Printf("%s\n", v.Style(Dim, s.Remark))
	}
	v.Printf("%s\n", s.Position)
}

// title names the match. The error says what is wrong with the record.
func (v Replay) title(r record.Record) (Text, error) {
	g, _, err := r.Parse(v.Games)
	if err == nil && !r.IsRelayed() {
		_, _, err = r.Setup(v.Games)
	}
	if err != nil {
		return Text{}, err
	}
	return v.Style(Bold, SafeLine(g.Title+", case "+r.Case.Name+", record "+r.Called())), nil
}

// play plays a record again, calls show for each step, and sets how the match
// ended for each seat. An error of show ends the showing, and is returned.
func (v Replay) play(r *record.Record, show func(Step) error) error {
	if r.IsRelayed() {
		lines, err := exchanged(*r)
		if err != nil {
			return err
		}
		return show(Step{Position: Safe(strings.Join(lines, "\n"))})
	}
	setup, _, err := r.Setup(v.Games)
	if err != nil {
		return err
	}
	board := Board{Printer: v.Printer}
	for _, s := range r.Seats {
		board.Bots = append(board.Bots, s.Bot)
	}
	worth, err := v.analysed(*r)
	if err != nil {
		return err
	}
	start := Step{}
	if worth != nil {
		start.Remark = v.wrapped(valuesIn(worth.Unit, worth.Method))
	}
	number, before := 0, ""
	var ended error
	add := func(s Step, at protocols.Position) {
		s.Number = number
		number++
		if ended == nil {
			s.Position = v.Position(before, at)
			before = at.String()
			ended = show(s)
		}
	}
	add(start, setup.Case.Start(len(r.Seats)))
	played, err := playAgain(*r, v.Games, referee.Watcher{
		Event: func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
			s := Step{Move: Textf("%s %s", board.who(e.Seat), board.move(e, foul)), Remark: remark(worth, number)}
			move, _ := worth.At(number)
			s.Mistake = move != nil && (move.Class == analysis.Mistake || move.Class == analysis.Blunder)
			add(s, m)
		},
		AutoMove: func(seat int, at protocols.Position) {
			add(Step{Move: Textf("%s not asked, played for it", board.who(seat))}, at)
		},
	})
	switch {
	case ended != nil:
		return ended
	case err != nil:
		return err
	}
	for i, s := range played.Seats {
		r.Seats[i].Verdict, r.Seats[i].Detail = string(s.Verdict), s.Detail
		r.Seats[i].Score, r.Seats[i].Place = s.Score, s.Place
	}
	return nil
}

// analysed returns the analysis of a record; nil without one.
func (v Replay) analysed(r record.Record) (*analysis.Match, error) {
	if v.Analyse == nil {
		return nil, nil
	}
	return v.Analyse(r)
}

// position is a line of a replay in JSON. With a seat, but neither a reply nor
// a failure, it is the position after a move made without asking the seat.
type position struct {
	ID    string `json:"id"`
	Step  int    `json:"step"`
	Seat  int    `json:"seat,omitempty"`
	Reply string `json:"reply,omitempty"`
	Fail  string `json:"fail,omitempty"`
	State any    `json:"state"`

	Worth *analysis.Move    `json:"worth,omitempty"` // with an analysis
	Cost  *analysis.Failure `json:"cost,omitempty"`
}

// JSON is Print for other programs: it prints a line of JSON for each position.
// Where the case alone determines the positions, those are the steps.
func (v Replay) JSON(r record.Record) error {
	if r.IsRelayed() {
		return v.exchangesJSON(r)
	}
	setup, _, err := r.Setup(v.Games)
	if err != nil {
		return err
	}
	worth, err := v.analysed(r)
	if err != nil {
		return err
	}
	out := v.Printer.JSON()
	out.keepMarkup = true
	step := 0
	defer func() { v.ended(step - 1) }()
	show := func(at position) error {
		at.ID, at.Step = r.ID, step
		at.Worth, at.Cost = worth.At(step)
		step++
		if at.Step < v.From {
			return nil
		}
		return out.Encode(at)
	}
	m := setup.Case.Start(len(r.Seats))
	if t, ok := m.(protocols.Tracer); ok {
		for state := range t.Trace() {
			if err := show(position{State: state}); err != nil {
				return err
			}
		}
		_, err := playAgain(r, v.Games, referee.Watcher{})
		return err
	}
	if err := show(position{State: m.State()}); err != nil {
		return err
	}
	_, err = playAgain(r, v.Games, referee.Watcher{
		Event: func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
			at := position{Seat: e.Seat, Reply: validText(e.Reply), State: m.State()}
			switch {
			case e.Fail != nil:
				at.Fail = string(e.Fail.Kind)
			case foul != nil:
				at.Fail = string(protocols.KindFoul)
			}
			_ = show(at)
		},
		AutoMove: func(seat int, at protocols.Position) { _ = show(position{Seat: seat, State: at.State()}) },
	})
	return err
}

// exchangeJSON is a line of a replay in JSON of a match of a problem package.
type exchangeJSON struct {
	ID   string `json:"id"`
	Step int    `json:"step"`
	record.Exchange
}

// exchangesJSON prints a line of JSON for each thing that was seen.
func (v Replay) exchangesJSON(r record.Record) error {
	if _, err := r.Seen(); err != nil {
		return err
	}
	out := v.Printer.JSON()
	out.keepMarkup = true
	v.ended(len(r.Exchanges) - 1)
	for i, e := range r.Exchanges {
		if i < v.From {
			continue
		}
		if err := out.Encode(exchangeJSON{r.ID, i, e}); err != nil {
			return err
		}
	}
	return nil
}

// validText makes a bot's bytes fit for JSON.
func validText(reply string) string { return strings.ToValidUTF8(reply, "�") }

// playAgain plays a recorded match again. A match that umpire failed to play is
// shown as far as it was recorded, and has no result; nor does a match with a
// reply that is cut.
func playAgain(r record.Record, games []protocols.Game, watch referee.Watcher) (referee.Result, error) {
	played, err := r.Replay(games, watch)
	if r.Error != "" {
		return referee.Result{}, nil
	}
	if r.Cut() {
		played.Seats = nil
	}
	return played, err
}
