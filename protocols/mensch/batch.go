package mensch

import (
	"fmt"
	"iter"
	"strings"

	"umpire/protocols"
)

// Start begins the one match of a batch task: input in, output out, compared.
func (t *task) Start(seats int) protocols.Match {
	if seats != 1 {
		panic(fmt.Sprintf("mensch-%d: %d seats, expected 1", t.part, seats))
	}
	b := batch{task: t}
	if t.part <= 2 {
		return &b
	}
	return &tracedBatch{b}
}

// batch is the match of a batch task.
type batch struct {
	task  *task
	asked bool
	news  string // what happened last, for people
	score int
	wrong string
	last  *Board // after the last request; nil until it is asked for
}

// Next hands out the whole input and asks for the whole output.
func (b *batch) Next() protocols.Step {
	if b.asked {
		return protocols.Step{}
	}
	b.asked = true
	return protocols.Step{
		Send:  []protocols.Line{{Seat: 1, Text: b.task.String()}},
		Await: []int{1},
		Whole: true,
	}
}

// Reply compares the output; a wrong one is no foul.
func (b *batch) Reply(_ int, text string) *protocols.Foul {
	b.wrong = compare(text, string(b.task.answer()))
	if b.wrong == "" {
		b.score = 1
		b.news = "The output is right."
	} else {
		b.news = "The output is wrong: " + b.wrong
	}
	return nil
}

// Fail costs the case.
func (b *batch) Fail(_ int, why protocols.Failure) {
	b.news = "There is no output: " + string(why.Kind) + "."
}

// Result is 1 for an output that is right in every line, else 0.
func (b *batch) Result() []protocols.Outcome {
	return []protocols.Outcome{{Score: b.score, Place: 1, Wrong: b.wrong}}
}

// State is what the output is about: the numbers, or the position after the last
// request.
func (b *batch) State() any {
	if b.task.part <= 2 {
		return diceState{b.task.faces()}
	}
	return b.end().state()
}

// String shows the answer to draw, or the position after the last request.
func (b *batch) String() string {
	news := b.news
	if news == "" {
		news = "The output is awaited."
	}
	switch b.task.part {
	case 1:
		return news + "\n" + strings.TrimSuffix(Face(b.task.face), "\n")
	case 2:
		return news + "\n" + wrapped(b.task.faces(), 40)
	}
	return fmt.Sprintf("%s\nAfter %d requests:\n%v", news, len(b.task.requests), b.end())
}

// end is the board after the last request of parts 3 to 5.
func (b *batch) end() *Board {
	if b.last == nil {
		board := NewBoard(b.task.dice, b.task.colours())
		for _, request := range b.task.requests {
			board.Do(request)
		}
		b.last = &board
	}
	return b.last
}

// wrapped shows the first numbers, so many a line, ten lines at most.
func wrapped(numbers []int, line int) string {
	const most = 10
	shown := min(len(numbers), most*line)
	var out strings.Builder
	fmt.Fprintf(&out, "%d numbers:", len(numbers))
	for i, n := range numbers[:shown] {
		sep := byte(' ')
		if i%line == 0 {
			sep = '\n'
		}
		out.WriteByte(sep)
		out.WriteByte(byte('0' + n))
	}
	if shown < len(numbers) {
		out.WriteString(" …")
	}
	return out.String()
}

// tracedBatch is a batch whose requests lead through positions.
type tracedBatch struct{ batch }

// Trace goes through the positions: the start, and one after every request.
func (b *tracedBatch) Trace() iter.Seq[any] {
	return func(yield func(any) bool) {
		board := NewBoard(b.task.dice, b.task.colours())
		if !yield(TraceState{State: board.state()}) {
			return
		}
		for _, request := range b.task.requests {
			reply := board.Do(request).String()
			if !yield(TraceState{request.String(), reply, board.state()}) {
				return
			}
		}
	}
}
