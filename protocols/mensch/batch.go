package mensch

import (
	"fmt"
	"iter"
	"strings"

	"umpire/protocols"
)

// Start begins the one match of a batch task: input in, output out, compared.
func (t *task) Start(seats int) protocols.Match {
	protocols.CheckSeats(taskName(t.part), seats, 1, 1)
	b := batch{Batch: protocols.NewBatch(t, t.judge), task: t}
	if t.part <= 2 {
		return &b
	}
	return &tracedBatch{b}
}

// judge scores 1 for an output that is right in every line, else 0.
func (t *task) judge(output string) (protocols.Outcome, *protocols.Mistake) {
	m := firstMistake(output, string(t.answer()))
	if m == nil {
		return protocols.Outcome{Score: protocols.Points(1)}, nil
	}
	m.Input, m.InputLine = t.inputOf(m.Line)
	return protocols.Outcome{Wrong: describe(m)}, m
}

// batch is the match of a batch task.
type batch struct {
	protocols.Batch
	task *task
	last *Board // the board after the last request; nil until first needed
}

// State is the subject of the output: the numbers, or the position after the
// last request.
func (b *batch) State() any {
	if b.task.part <= 2 {
		return diceState{b.task.faces()}
	}
	return b.end().state()
}

// String shows the answer to draw, or the position after the last request.
func (b *batch) String() string {
	switch b.task.part {
	case 1:
		return b.news() + "\n" + strings.TrimSuffix(Face(b.task.face), "\n")
	case 2:
		return b.news() + "\n" + wrapped(b.task.faces(), 40)
	}
	return fmt.Sprintf("%s\nAfter %d requests:\n%v", b.news(), len(b.task.requests), b.end())
}

// inputOf returns the input up to the request that a line of the right output
// answers, and the number of that line of input; the whole input, and 0, where
// there are no requests, and nothing beyond the end of the output.
func (t *task) inputOf(line int) (input []string, number int) {
	const before = 2 // lines of input before the first request
	if t.part <= 2 {
		return strings.Split(t.String(), "\n"), 0
	}
	board := NewBoard(t.dice, t.colours())
	for i, request := range t.requests {
		input = append(input, request.String())
		board.Do(request)
		if request.Verb != GiveUp {
			line--
		}
		if t.part == 5 {
			line -= strings.Count(string(board.AppendPicture(nil)), "\n")
		}
		if line <= 0 {
			return input, before + 1 + i
		}
	}
	return nil, 0
}

// news describes the output.
func (b *batch) news() string {
	switch wrong := b.Result()[0].Wrong; {
	case !b.Answered:
		return "The output is awaited."
	case b.Failed != "":
		return "There is no output: " + string(b.Failed) + "."
	case wrong != "":
		return "The output is wrong: " + wrong
	}
	return "The output is right."
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

// wrapped shows the first numbers, that many per line, in at most ten lines.
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
		if !yield(traceState{state: board.state(), board: board}) {
			return
		}
		for _, request := range b.task.requests {
			e := event{kind: asked, colour: board.turn, request: request, from: board.at[request.Piece]}
			e.reply = board.Do(request)
			if !yield(traceState{request.String(), e.reply.String(), board.state(), board, e}) {
				return
			}
		}
	}
}
