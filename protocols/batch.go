package protocols

// Batch is the skeleton of a batch task's match: the whole input goes out, the
// whole output comes back and is judged. A Match embeds it and adds its
// Position.
type Batch struct {
	Output   string // the contestant's output
	Failed   Kind   // "" if there was a reply
	Answered bool   // there was a reply or a failure

	input   Case
	judge   func(output string) (Outcome, *Mistake)
	asked   bool
	outcome Outcome
	mistake *Mistake
}

// NewBatch starts a batch task whose input is the text of a case. Judge scores
// an output, and returns its first mistake, if that can be shown; the place in
// the outcome is ignored.
func NewBatch(input Case, judge func(output string) (Outcome, *Mistake)) Batch {
	return Batch{input: input, judge: judge, outcome: Outcome{Place: 1}}
}

// Next hands out the whole input and asks for the whole output, once.
func (b *Batch) Next() Step {
	if b.asked {
		return Step{}
	}
	b.asked = true
	return Step{Send: []Line{{Seat: 1, Text: b.input.String()}}, Await: []int{1}, Batch: true}
}

// Reply judges the output. An output is right or wrong, never a foul.
func (b *Batch) Reply(_ int, text string) *Foul {
	b.Answered, b.Output = true, text
	b.outcome, b.mistake = b.judge(text)
	b.outcome.Place = 1
	return nil
}

// Fail leaves the case without a score.
func (b *Batch) Fail(_ int, why Failure) {
	b.Answered, b.Failed = true, why.Kind
}

// Result is the judge's ruling on the output; without one, a score of 0.
func (b *Batch) Result() []Outcome { return []Outcome{b.outcome} }

// Mistake is the first mistake in the output, as the judge has found it.
func (b *Batch) Mistake() *Mistake { return b.mistake }

// Explainer is a Match of a batch task that shows where an output is wrong.
type Explainer interface {
	// Mistake is the first mistake in the output; nil if the output is right, or
	// there is none yet.
	Mistake() *Mistake
}
