package report

import (
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/standings"
)

// bracketNote names the winner of a knockout, or says how far it has been
// played.
func bracketNote(b standings.Bracket) string {
	if winner := b.Winner(); winner != standings.Open {
		return "Winner: " + b.Name(winner)
	}
	played := 0
	for _, round := range b.Rounds {
		for _, e := range round {
			played += min(e.Played, b.Matches)
		}
	}
	return fmt.Sprintf("No winner yet: %d of %s played.", played, Plural(b.Matches*(len(b.Bots)-1), "match"))
}

// tallestBracket is the most bots in the first round that a bracket shows; the
// rounds before it are listed only.
const tallestBracket = 32

// bracketTable draws a bracket from left to right: a column for each round and
// one for the winner, with lines from each encounter to its winner.
func bracketTable(b standings.Bracket) Table {
	t := Table{Title: "Bracket"}
	from := 0
	for 2*len(b.Rounds[from]) > tallestBracket {
		from++
	}
	bots := 2 * len(b.Rounds[from]) // with byes
	grid := make([][]string, 2*bots-1)
	for i := range grid {
		grid[i] = make([]string, 2*(len(b.Rounds)-from)+1)
	}
	for r, round := range b.Rounds[from:] {
		t.Header = append(t.Header, roundName(bots>>r), "")
		for n, e := range round {
			// The bots of an encounter are as far apart as all those before it are high.
			half := 1 << r
			middle := (2*n+1)*2*half - 1
			grid[middle][2*r+2] = bracketCell(b, e)
			if e.B == standings.Bye {
				continue
			}
			if r == 0 {
				grid[middle-half][0], grid[middle+half][0] = enters(b, from, n, e.A, 0), enters(b, from, n, e.B, 1)
			}
			for i := middle - half; i <= middle+half; i++ {
				grid[i][2*r+1] = "│"
			}
			grid[middle-half][2*r+1], grid[middle][2*r+1], grid[middle+half][2*r+1] = "┐", "├", "┘"
		}
	}
	t.Header = append(t.Header, "winner")
	t.Rows = slices.DeleteFunc(grid, func(row []string) bool { return strings.Join(row, "") == "" }) // beside a bye
	return t
}

// enters says how a bot comes into encounter n of a round, as its first or
// second: by its seed, or out of the encounter before.
func enters(b standings.Bracket, round, n, bot, side int) string {
	if round == 0 {
		return seeded(b, bot)
	}
	return bracketCell(b, b.Rounds[round-1][2*n+side])
}

// roundName returns what a round with so many bots is called.
func roundName(bots int) string {
	switch bots {
	case 2:
		return "final"
	case 4:
		return "semi-finals"
	case 8:
		return "quarter-finals"
	}
	return fmt.Sprintf("round of %d", bots)
}

// bracketCell says what has come out of an encounter.
func bracketCell(b standings.Bracket, e standings.Meeting) string {
	winner := b.WinnerOf(e)
	switch {
	case e.B == standings.Bye:
		return seeded(b, e.A)
	case e.A == standings.Open || e.B == standings.Open:
		return "?"
	case winner == standings.Open:
		return fmt.Sprintf("%d of %d played", e.Played, b.Matches)
	}
	first, second := 0, 1
	if winner == e.B {
		first, second = 1, 0
	}
	points := func(i int) string {
		if b.Rank == protocols.ByWins {
			return Number(float64(e.Wins[i]) / 2)
		}
		return fmt.Sprint(e.Scores[i])
	}
	return fmt.Sprintf("%s %s:%s", b.Name(winner), points(first), points(second))
}

// seeded returns a bot's name after its seed, from 1.
func seeded(b standings.Bracket, bot int) string { return fmt.Sprintf("%d %s", bot+1, b.Name(bot)) }
