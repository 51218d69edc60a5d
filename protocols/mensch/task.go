package mensch

import (
	"fmt"
	"strconv"
	"time"

	"umpire/protocols"
)

// Bounds of the batch tasks.
const (
	mostNumbers  = 100_000 // numbers of part 2, requests of part 3
	mostRequests = 1_000   // requests of parts 4 and 5
)

// task is a case of one of the five batch tasks. It is not changed once made.
type task struct {
	part     int
	face     int       // part 1: the number to draw
	dice     Dice      // parts 2 to 5
	count    int       // part 2: the count of numbers
	requests []Request // parts 3 to 5
}

// colours is the number of colours in a part: red alone, or all.
func colours(part int) int {
	if part == 3 {
		return 1
	}
	return 4
}

// most is the largest n or q of a part; the least is 1.
func most(part int) int {
	if part <= 3 {
		return mostNumbers
	}
	return mostRequests
}

func (t *task) colours() int { return colours(t.part) }

// parseTask reads a part's input.
func parseTask(part int, text string) (protocols.Case, error) {
	in := protocols.ReadCase(text)
	t := &task{part: part}
	switch part {
	case 1:
		t.face = in.Ints(1, "d", 1, 6)[0]
	case 2:
		t.dice = readDice(in)
		t.count = in.Ints(1, "n", 1, most(part))[0]
	default:
		t.dice = readDice(in)
		t.requests = readRequests(in, in.Ints(1, "q", 1, most(part))[0], t.colours())
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	return t, nil
}

// readDice reads the line "A B m".
func readDice(in *protocols.CaseReader) Dice {
	n := in.Ints(3, "A B m", 2, maxModulus)
	if in.Err() != nil {
		return Dice{}
	}
	d := Dice{n[0], n[1], n[2]}
	for i, name := range []string{"A", "B", "m"} {
		switch {
		case !prime(n[i]):
			in.Fail(fmt.Sprintf("%s = %d", name, n[i]), "a prime")
		case i < 2 && n[i] >= d.M:
			in.Fail(fmt.Sprintf("%s = %d, m = %d", name, n[i], d.M), name+" less than m")
		}
	}
	return d
}

func readRequests(in *protocols.CaseReader, q, colours int) []Request {
	form := requestForm(colours)
	out := make([]Request, 0, q)
	for len(out) < q && in.Err() == nil {
		line := in.Text(form)
		r, ok := ParseRequest(line, colours)
		if !ok {
			in.Fail(protocols.Quote(line), form)
		}
		out = append(out, r)
	}
	return out
}

// String is the input as a submission receives it.
func (t *task) String() string {
	switch t.part {
	case 1:
		return strconv.Itoa(t.face)
	case 2:
		return t.dice.String() + "\n" + strconv.Itoa(t.count)
	}
	out := append([]byte(t.dice.String()), '\n')
	out = strconv.AppendInt(out, int64(len(t.requests)), 10)
	for _, r := range t.requests {
		out = r.append(append(out, '\n'))
	}
	return string(out)
}

// Limits are the published ones.
func (t *task) Limits(int) protocols.Limits {
	return protocols.Limits{Time: time.Second, Memory: 256 << 20}
}

// answer returns the right output.
func (t *task) answer() []byte {
	switch t.part {
	case 1:
		return []byte(Face(t.face))
	case 2: // "the output has n lines"
		out := make([]byte, 0, 2*t.count)
		for _, n := range t.faces() {
			out = append(out, byte('0'+n), '\n')
		}
		return out
	}
	var out []byte
	b := NewBoard(t.dice, t.colours())
	for _, request := range t.requests {
		reply := b.Do(request)
		if request.Verb != GiveUp {
			out = append(reply.append(out), '\n')
		}
		if t.part == 5 {
			out = b.AppendPicture(out)
		}
	}
	return out
}

// faces lists the numbers of parts 1 and 2.
func (t *task) faces() []int {
	if t.part == 1 {
		return []int{t.face}
	}
	out := make([]int, 0, t.count)
	s := t.dice.Sequence()
	for range t.count {
		out = append(out, s.Next())
	}
	return out
}

// state is a position for machines.
type state struct {
	Cells map[string]int `json:"cells"` // cell of every piece that takes part
	Turn  string         `json:"turn"`  // letter of the colour; "" after the end
	Dice  []int          `json:"dice"`  // unused numbers, [] if none
}

// traceState is the position after a request of parts 3 to 5.
type traceState struct {
	Request string `json:"request,omitempty"` // the request; none at the start
	Reply   string `json:"reply,omitempty"`   // the reply; none at the start and for giveup
	state

	board Board // the position, to be drawn
	last  event // the request
}

// diceState is the state of parts 1 and 2.
type diceState struct {
	Dice []int `json:"dice"`
}

func (b *Board) state() state {
	s := state{Cells: make(map[string]int, pieces), Turn: b.turn.Letter(), Dice: b.left.Numbers()}
	for p := Piece(1); p <= pieces; p++ {
		if b.Cell(p) > 0 {
			s.Cells[p.String()] = b.Cell(p)
		}
	}
	return s
}
