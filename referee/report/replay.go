package report

import (
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
)

// Replay plays a recorded match again and prints its positions, and who played
// what. The error says what is wrong with the record.
func Replay(p *Printer, r record.Record, games []protocols.Game) error {
	return AnalysedReplay(p, r, games, nil)
}

// AnalysedReplay is Replay with what each reply was worth, unless m is nil.
func AnalysedReplay(p *Printer, r record.Record, games []protocols.Game, m *analysis.Match) error {
	setup, _, err := r.Setup(games)
	if err != nil {
		return err
	}
	p.Printf("%s\n", p.Style(Bold, SafeLine(setup.Game.Title+", case "+r.Case.Name+", record "+r.ID)))
	if m != nil {
		p.Printf("%s\n", p.Style(Dim, wrapped(valuesIn(m.Unit, m.Method))))
	}
	board := Board{Printer: p, Remark: Remarks(m)}
	for _, s := range r.Seats {
		board.Bots = append(board.Bots, s.Bot)
	}
	board.Start(setup.Case.Start(len(r.Seats)))
	played, err := playAgain(r, games, board.Watch())
	if err != nil {
		return err
	}
	for i, s := range played.Seats {
		r.Seats[i].Verdict, r.Seats[i].Detail = string(s.Verdict), s.Detail
		r.Seats[i].Score, r.Seats[i].Place = s.Score, s.Place
	}
	p.Printf("\n")
	MatchResult(p, r)
	p.Printf("\n")
	return nil
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

// ReplayJSON is Replay for other programs: it prints a line of JSON for each
// position.
func ReplayJSON(p *Printer, r record.Record, games []protocols.Game) error {
	return AnalysedReplayJSON(p, r, games, nil)
}

// AnalysedReplayJSON is ReplayJSON with what each reply was worth, unless m is
// nil.
func AnalysedReplayJSON(p *Printer, r record.Record, games []protocols.Game, analysed *analysis.Match) error {
	setup, _, err := r.Setup(games)
	if err != nil {
		return err
	}
	out := p.JSON()
	out.SetEscapeHTML(false)
	m := setup.Case.Start(len(r.Seats))
	if t, ok := m.(protocols.Tracer); ok {
		step := 0
		for state := range t.Trace() {
			if err := out.Encode(position{ID: r.ID, Step: step, State: state}); err != nil {
				return err
			}
			step++
		}
		_, err := playAgain(r, games, referee.Watcher{})
		return err
	}
	if err := out.Encode(position{ID: r.ID, State: m.State()}); err != nil {
		return err
	}
	step := 0
	show := func(at position) {
		step++
		at.ID, at.Step = r.ID, step
		at.Worth, at.Cost = analysed.At(step)
		_ = out.Encode(at)
	}
	_, err = playAgain(r, games, referee.Watcher{
		Event: func(e referee.Event, foul *protocols.Foul, m protocols.Match) {
			at := position{Seat: e.Seat, Reply: validText(e.Reply), State: m.State()}
			switch {
			case e.Fail != nil:
				at.Fail = string(e.Fail.Kind)
			case foul != nil:
				at.Fail = string(protocols.KindFoul)
			}
			show(at)
		},
		AutoMove: func(seat int, at protocols.Position) { show(position{Seat: seat, State: at.State()}) },
	})
	return err
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
