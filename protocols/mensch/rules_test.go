package mensch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
)

// position puts pieces on the given cells, as in "R1@5 B2@16", and the others
// in free corners.
func position(t testing.TB, colours int, where string) Position {
	t.Helper()
	p := NewPosition(colours)
	to := map[Piece]int{}
	for _, field := range strings.Fields(where) {
		name, cell, _ := strings.Cut(field, "@")
		piece := parsePiece(name, colours)
		n, ok := protocols.Number(cell)
		if piece == NoPiece || !ok {
			t.Fatalf("bad position %q", where)
		}
		to[piece] = n
		p.on[p.at[piece]] = NoPiece
	}
	for piece, cell := range to {
		if p.on[cell] != NoPiece {
			t.Fatalf("bad position %q: cell %d is taken", where, cell)
		}
		p.set(piece, cell)
	}
	return p
}

func boardOf(t testing.TB, turn Colour, left Roll, where string) Board {
	b := NewBoard(Dice{37, 71, 101}, 4)
	b.Position, b.turn, b.left = position(t, 4, where), turn, left
	return b
}

func mustRequest(t testing.TB, text string) Request {
	t.Helper()
	r, ok := ParseRequest(text, 4)
	if !ok {
		t.Fatalf("bad request %q", text)
	}
	return r
}

// If several reasons hold, the first in the statement's order is given: in each
// row all later ones hold too, as far as possible.
func TestRefusalsInOrder(t *testing.T) {
	tests := []struct {
		name, where string
		left        Roll
		request     string
		want        string
	}{
		{"dice with a number left", "", Roll{0, 3}, "dice", "invalid dice rolling"},
		{"dice with a six left", "", Roll{1, 0}, "dice", "invalid dice rolling"},
		{"enter another's piece that is in, no six", "B1@11", Roll{0, 3}, "enter B1", "it is not your turn"},
		{"enter another's piece before the roll", "", Roll{}, "enter Y4", "it is not your turn"},
		{"enter another's piece with a six", "", Roll{2, 1}, "enter G1", "it is not your turn"},
		{"enter a piece on the start cell, no six", "R1@1", Roll{0, 3}, "enter R1", "that is in"},
		{"enter a piece that is home", "R1@48", Roll{1, 3}, "enter R1", "that is in"},
		{"enter with a busy start cell, no six", "R1@1", Roll{0, 5}, "enter R2", "you need six"},
		{"enter before the roll", "", Roll{}, "enter R2", "you need six"},
		{"enter with a busy start cell", "R1@1", Roll{1, 2}, "enter R2", "busy starting cell"},
		{"move another's piece in its corner", "", Roll{0, 3}, "move B1 4", "it is not your turn"},
		{"move another's piece before the roll", "B1@11", Roll{}, "move B1 4", "it is not your turn"},
		{"move a number that is not unused, in its corner", "", Roll{0, 3}, "move R1 4", "invalid move"},
		{"move before the roll", "R1@1", Roll{}, "move R1 4", "invalid move"},
		{"move a six that is used up", "R1@1", Roll{0, 3}, "move R1 6", "invalid move"},
		{"move a piece in its corner", "", Roll{0, 3}, "move R1 3", "it is not in"},
		{"move past the last final cell", "R1@46", Roll{0, 3}, "move R1 3", "you can not move"},
		{"move from the last final cell", "R1@48", Roll{0, 1}, "move R1 1", "you can not move"},
		{"move from the track past the end", "R1@39", Roll{1, 1}, "move R1 6", "you can not move"},
		{"move onto an own piece", "R1@5 R3@8", Roll{0, 3}, "move R1 3", "destination is busy"},
		{"move onto an own piece that is home", "R1@39 R3@47", Roll{0, 4}, "move R1 4", "destination is busy"},
		{"give up before the roll", "", Roll{}, "giveup", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := boardOf(t, Red, tt.left, tt.where)
			before := b
			reply := b.Do(mustRequest(t, tt.request))
			if reply.String() != tt.want || reply.Refusal == Accepted {
				t.Errorf("%s: %q, want %q", tt.request, reply, tt.want)
			}
			if b != before {
				t.Errorf("%s was refused and changed\n%v\nto\n%v", tt.request, &before, &b)
			}
		})
	}
}

func TestAccepted(t *testing.T) {
	tests := []struct {
		name, where string
		turn        Colour
		left        Roll
		request     string
		reply       string
		after       string // position; the others in their corners
		turnAfter   Colour
		leftAfter   Roll
	}{
		{"enter", "", Red, Roll{1, 3}, "enter R3", "1", "R3@1", Red, Roll{0, 3}},
		{"enter with one of several sixes", "", Green, Roll{3, 1}, "enter G1", "21", "G1@21", Green, Roll{2, 1}},
		{"enter while an own piece is elsewhere", "Y1@32", Yellow, Roll{1, 0}, "enter Y2", "31", "Y1@32 Y2@31", Red, Roll{}},
		{"capture by entering", "R2@11", Blue, Roll{1, 4}, "enter B1", "11", "B1@11", Blue, Roll{0, 4}},
		{"capture by moving", "R1@5 B3@8", Red, Roll{0, 3}, "move R1 3", "8", "R1@8", Blue, Roll{}},
		{
			"captured piece takes the lowest empty corner", "R1@5 B1@20 B2@30 B4@8", Red,
			Roll{1, 3},
			"move R1 3", "8",
			"R1@8 B4@49 B1@20 B2@30", Red,
			Roll{1, 0},
		},
		{
			"captured piece goes past others in corners", "R1@5 B2@30 B4@8", Red,
			Roll{1, 3},
			"move R1 3", "8",
			"R1@8 B4@50 B2@30", Red,
			Roll{1, 0},
		},
		{"jump over own and other pieces", "R1@5 R2@6 B1@7", Red, Roll{0, 3}, "move R1 3", "8", "R1@8 R2@6 B1@7", Blue, Roll{}},
		{"round the end of the track", "B1@38", Blue, Roll{0, 5}, "move B1 5", "3", "B1@3", Green, Roll{}},
		{"the last track cell", "B1@6", Blue, Roll{0, 4}, "move B1 4", "10", "B1@10", Green, Roll{}},
		{"into the final cells", "B1@9", Blue, Roll{0, 2}, "move B1 2", "53", "B1@53", Green, Roll{}},
		{"to the last final cell", "Y1@29", Yellow, Roll{0, 5}, "move Y1 5", "72", "Y1@72", Red, Roll{}},
		{"red turns off after 40", "R1@40", Red, Roll{0, 4}, "move R1 4", "48", "R1@48", Blue, Roll{}},
		{"others go past red's turning", "G1@40", Green, Roll{0, 4}, "move G1 4", "4", "G1@4", Yellow, Roll{}},
		{"inside the final cells, jumping", "G1@61 G2@62", Green, Roll{0, 3}, "move G1 3", "64", "G1@64 G2@62", Yellow, Roll{}},
		{"a six keeps the turn", "R1@5", Red, Roll{1, 2}, "move R1 6", "11", "R1@11", Red, Roll{0, 2}},
		{"giveup drops all", "R1@5", Yellow, Roll{4, 2}, "giveup", "", "R1@5", Red, Roll{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := boardOf(t, tt.turn, tt.left, tt.where)
			reply := b.Do(mustRequest(t, tt.request))
			if reply.String() != tt.reply || reply.Refusal != Accepted {
				t.Errorf("%s: %q, want %q", tt.request, reply, tt.reply)
			}
			want := boardOf(t, tt.turnAfter, tt.leftAfter, tt.after)
			if diff := cmp.Diff(want.state(), b.state()); diff != "" {
				t.Errorf("after %s (-want +got):\n%s", tt.request, diff)
			}
		})
	}
}

func TestEachPathEndsInItsFinalCells(t *testing.T) {
	want := map[Colour][4]int{Red: {1, 40, 45, 48}, Blue: {11, 10, 53, 56}, Green: {21, 20, 61, 64}, Yellow: {31, 30, 69, 72}}
	for c, w := range want {
		got := [4]int{c.PathCell(1), c.PathCell(40), c.PathCell(41), c.PathCell(44)}
		if got != w {
			t.Errorf("%v: cells of steps 1, 40, 41 and 44 are %v, want %v", c, got, w)
		}
	}
	for c := range Colour(4) {
		for step := 1; step <= path; step++ {
			p := position(t, 4, "")
			p.Place(c.Pieces()[2], c.PathCell(step))
			if got := p.Steps(c.Pieces()[2]); got != step {
				t.Errorf("%v on cell %d has made %d steps, want %d", c, c.PathCell(step), got, step)
			}
		}
	}
}

func TestPartThreeHasRedAlone(t *testing.T) {
	b := NewBoard(Dice{37, 71, 101}, 1)
	for _, text := range []string{"dice", "enter R2", "move R2 1", "dice"} {
		if reply := b.Do(mustRequest(t, text)); reply.Refusal != Accepted {
			t.Fatalf("%s: %v", text, reply)
		}
	}
	if b.Turn() != Red || b.Left() != (Roll{0, 3}) {
		t.Errorf("turn %v with %v unused, want red with 3", b.Turn(), b.Left())
	}
}

func TestParseRequest(t *testing.T) {
	good := map[string]string{
		"dice": "dice", " dice ": "dice", "giveup\r": "giveup", "enter  R1": "enter R1", "\tmove B4 006 ": "move B4 6",
	}
	for text, want := range good {
		if r, ok := ParseRequest(text, 2); !ok || r.String() != want {
			t.Errorf("ParseRequest(%q) = %q, %v, want %q", text, r, ok, want)
		}
	}
	bad := []string{
		"", " ", "Dice", "dice 1", "giveup R1", "give up", "enter", "enter R", "enter R0", "enter R5", "enter R11", "enter r1",
		"enter G1", "enter R1 1", "move", "move R1", "move R1 0", "move R1 7", "move R1 -1", "move R1 +1", "move R1 1.0",
		"move R1 2 3", "move 2 R1", "moveR1 2", "move Y1 1", "dice\x00", "dіce", "move R1 99999999999999999999999",
	}
	for _, text := range bad {
		if r, ok := ParseRequest(text, 2); ok {
			t.Errorf("ParseRequest(%q) = %q, want none", text, r)
		}
	}
}
