package html

import (
	"fmt"
	"html/template"
	"strings"

	"umpire/protocols"
	"umpire/referee/analysis"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
)

// botWorth is the part of a bot's page that says what its replies were worth.
type botWorth struct {
	Facts []Fact
	Title string // of the moves
	Worst []worstMove
	Note  string
}

// worstMove is one of the moves that lost most.
type worstMove struct {
	Match, Step int
	Link, Case  string
	Seat        int
	Class, Text string
	Best        string
	Times       int
	Board       template.HTML // before the move; "" where it can't be drawn
}

// newBotWorth sums up what a bot's replies were worth.
func newBotWorth(b *analysis.Bot, games []protocols.Game) *botWorth {
	values := report.ValuesOfBot(b)
	head, note := report.AccuracyIs(b.Classes)
	w := &botWorth{Title: "Worst moves", Note: note + " Values are in " + b.Unit + ", " + b.Method + "."}
	if share, ok := b.Accuracy(b.Classes); ok {
		w.Facts = append(w.Facts, Fact{head, fmt.Sprintf("%.1f %%", 100*share)})
	}
	if b.Classes.Opinion != "" {
		w.Title = "Moves that differ most from " + b.Classes.Opinion
		w.Facts = append(w.Facts, Fact{"mean difference", report.Number(b.Mean) + " " + b.Unit})
	} else {
		w.Facts = append(w.Facts, Fact{"mean loss", report.Number(b.Mean) + " " + b.Unit + " a choice"},
			Fact{"marked", replay.Marks(b.Inaccuracies, b.Mistakes, b.Blunders) + " in " + report.Plural(b.Choices, "choice")})
	}
	if b.Lost > 0 {
		thirds := make([]string, 0, len(b.Thirds))
		for i, lost := range b.Thirds {
			thirds = append(thirds, fmt.Sprintf("%s %.0f %%", [...]string{"beginning", "middle", "end"}[i], 100*lost/b.Lost))
		}
		w.Facts = append(w.Facts, Fact{"lost by third of the match", strings.Join(thirds, ", ")})
	}
	for _, move := range b.Worst {
		one := worstMove{
			Match: move.Number, Step: move.Step, Link: move.Link + fmt.Sprintf("#step=%d", move.Step), Case: page.SafeLine(move.Case), Seat: move.Seat,
			Class: string(replay.Grade(move.Move)), Text: page.SafeLine("Played " + page.Shorten(move.Reply) + ": " + values.Worth(move.Move)), Best: page.SafeLine(values.BestReply(move.Move)), Times: move.Times,
		}
		if move.Record != nil {
			one.Board = replay.BoardBefore(*move.Record, games, move.Move) // without a picture, the words remain
		}
		w.Worst = append(w.Worst, one)
	}
	return w
}
