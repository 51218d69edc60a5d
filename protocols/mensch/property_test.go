package mensch

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
)

// checkBoard checks the invariants of a position: the pieces stand on different
// cells of their own, and the two tables agree.
func checkBoard(t rapid.TB, b *Board) {
	t.Helper()
	seen := map[int]Piece{}
	for p := Piece(1); p <= pieces; p++ {
		cell := b.Cell(p)
		if int(p.Colour()) >= int(b.colours) {
			if cell != 0 {
				t.Fatalf("%v does not play and stands on %d", p, cell)
			}
			continue
		}
		if seen[cell] != NoPiece || b.On(cell) != p {
			t.Fatalf("%v and %v are on cell %d, which says %v", seen[cell], p, cell, b.On(cell))
		}
		seen[cell] = p
		c := p.Colour()
		if steps := b.Steps(p); steps > 0 && c.PathCell(steps) != cell || steps == 0 && (cell < c.corner(0) || cell > c.corner(3)) {
			t.Fatalf("%v is on cell %d after %d steps", p, cell, steps)
		}
	}
	for cell := 1; cell <= cells; cell++ {
		if b.On(cell) != NoPiece && seen[cell] != b.On(cell) {
			t.Fatalf("cell %d still says %v", cell, b.On(cell))
		}
	}
}

func drawDice(t *rapid.T) Dice {
	return fairDice(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "dice"), 0)))
}

// Random play keeps the invariants; a refused request changes nothing; options
// are exactly the requests that would be accepted.
func TestRandomPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		colours := rapid.IntRange(1, 4).Draw(t, "colours")
		d := drawDice(t)
		b := NewBoard(d, colours)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "requests"), 0))
		for range 300 {
			request := anyRequest(r, colours)
			if r.IntN(3) > 0 {
				request = usefulRequest(r, &b, 1)
			}
			before := b
			options := b.Options(nil, b.turn, b.left)
			reply := b.Do(request)
			if reply.Refusal != Accepted && b != before {
				t.Fatalf("refused %v changed the board", request)
			}
			offered := false
			for _, o := range options {
				offered = offered || o == request
			}
			if advance := request.Verb == Enter || request.Verb == Move; advance && offered != (reply.Refusal == Accepted) {
				t.Fatalf("%v: %v, among the options %v: %v", request, reply, options, offered)
			}
			checkProgress(t, &before, &b, reply)
			checkBoard(t, &b)
		}
	})
}

// checkProgress checks that a request moves its own piece ahead and at most one
// other piece, back to a corner.
func checkProgress(t *rapid.T, before, after *Board, reply Reply) {
	for c := range after.colours {
		switch was, is := before.Progress(c), after.Progress(c); {
		case c == before.turn && is < was:
			t.Fatalf("%v lost steps in its own turn", c)
		case c != before.turn && is != was && (reply.Captured == NoPiece || reply.Captured.Colour() != c || is >= was):
			t.Fatalf("%v went from %d to %d steps in the turn of %v", c, was, is, before.turn)
		}
	}
}

// Any match with any players, failures included, ends; places and scores agree.
func TestRandomMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := rapid.IntRange(2, 4).Draw(t, "seats")
		m := Case{drawDice(t)}.Start(seats).(*match)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "replies"), 0))
		failures := rapid.SampledFrom([]int{0, 2000, 50}).Draw(t, "one failure in")
		failed := make([]bool, seats)
		for {
			step := m.Next()
			checkSent(t, step.Send, failed)
			if len(step.Await) == 0 {
				break
			}
			seat := step.Await[0]
			if failed[seat-1] || len(step.Await) != 1 {
				t.Fatalf("awaits %v after the failures %v", step.Await, failed)
			}
			request := usefulRequest(r, &m.board, 1)
			if r.IntN(6) == 0 {
				request = anyRequest(r, seats)
			}
			foul := m.Reply(seat, request.String())
			if foul != nil || failures > 0 && r.IntN(failures) == 0 && !m.over && m.board.turn == Colour(seat-1) {
				if foul == nil {
					checkSent(t, m.Next().Send, failed)
				}
				failed[seat-1] = true
				m.Fail(seat, protocols.Failure{Kind: protocols.KindFoul})
			}
			checkBoard(t, &m.board)
		}
		checkResult(t, m.Result(), failed)
	})
}

func checkSent(t *rapid.T, sent []protocols.Line, failed []bool) {
	for _, l := range sent {
		if failed[l.Seat-1] || l.Text == "" || strings.Contains(l.Text, "\n") {
			t.Fatalf("sent %+v; failed are %v", l, failed)
		}
	}
}

func checkResult(t *rapid.T, result []protocols.Outcome, failed []bool) {
	seats := len(failed)
	for i, o := range result {
		if o.Place < 1 || o.Place > seats || o.Score != protocols.Points(seats-o.Place) {
			t.Fatalf("seat %d: %+v of %d", i+1, o, seats)
		}
		for j, other := range result {
			if failed[i] && !failed[j] && o.Place <= other.Place {
				t.Fatalf("seat %d failed and is before seat %d: %+v", i+1, j+1, result)
			}
		}
	}
}
