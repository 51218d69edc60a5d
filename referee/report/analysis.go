package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/analysis"
)

// expectedReplies is how many replies are shown of those expected after the best one.
const expectedReplies = 8

// remark says in one line what the reply that led to a step was worth, or what the
// failure cost; "" where there is nothing to say, as in a nil Match.
func remark(m *analysis.Match, step int) string {
	var plain Printer
	var text Text
	if move, failure := m.At(step); move != nil {
		text = plain.loss(*move, ValuesIn(m))
	} else if failure != nil {
		text = plain.cost(*failure, ValuesIn(m))
	}
	return SafeLine(text.fit).fit
}

// Values says what replies were worth.
type Values struct {
	unit    string
	alone   bool // there is one seat: a value is its score, and no lead over others
	classes analysis.Classes
}

// ValuesIn returns how values of a match are written.
func ValuesIn(m *analysis.Match) Values {
	return Values{m.Unit, len(m.Seats) == 1, m.Classes}
}

// ValuesOfBot returns how values of a bot's matches are written.
func ValuesOfBot(b *analysis.Bot) Values { return Values{b.Unit, b.Alone, b.Classes} }

// AccuracyIs names the accuracy of choices, and says in a sentence what that is.
func AccuracyIs(c analysis.Classes) (name, meaning string) {
	if c.Opinion != "" {
		return "as " + c.Opinion, fmt.Sprintf("As %s: the share of choices that are those of %s, which says little of how matches end.", c.Opinion, c.Opinion)
	}
	return "accuracy", "Accuracy: the share of the " + c.Of + " that a choice kept, in the mean."
}

// signed formats a value.
func (v Values) signed(value float64) string {
	text := tenths(value)
	if value > 0 && text != "0" && !v.alone {
		return "+" + text
	}
	return text
}

func (p *Printer) loss(m analysis.Move, v Values) Text {
	text := v.Worth(m)
	if m.Lost > 0 {
		text += "; best: " + v.BestReply(m)
	}
	if m.Class == "" || m.Class == analysis.Differs {
		return SafeLine(text)
	}
	return Textf("%s: %s", p.Style(classColour(m.Class), m.Class), SafeLine(text))
}

// Worth says what a reply was worth and what it lost.
func (v Values) Worth(m analysis.Move) string {
	value := About(m.Exact) + v.signed(m.Value)
	switch {
	case m.Choices == 1:
		return fmt.Sprintf("worth %s, the only reply", value)
	case m.Lost == 0:
		return fmt.Sprintf("worth %s, the best of %d replies", value, m.Choices)
	case v.classes.Opinion != "":
		return fmt.Sprintf("differs from %s by %s%s %s: worth %s to it", v.classes.Opinion, About(m.Exact), tenths(m.Lost), v.unit, value)
	}
	part := ""
	if m.ResultLost > 0 {
		part = fmt.Sprintf(" and %s of the %s", Percent(m.ResultLost), v.classes.Of)
	}
	return fmt.Sprintf("lost %s%s %s%s: worth %s", About(m.Exact), tenths(m.Lost), v.unit, part, value)
}

// Percent formats a share in per cent, one below a tenth with a decimal.
func Percent(share float64) string {
	if share < 0.1 {
		return Number(math.Round(share*1000)/10) + " %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// BestReply names the best reply, what it was worth and what is expected after it.
func (v Values) BestReply(m analysis.Move) string {
	text := fmt.Sprintf("%s, worth %s%s", m.Best, About(m.Exact), v.signed(m.BestValue))
	switch line := m.Line; {
	case len(line) > expectedReplies:
		text += ", then " + strings.Join(line[:expectedReplies], ", ") + ", …"
	case len(line) > 0:
		text += ", then " + strings.Join(line, ", ")
	}
	return text
}

func (p *Printer) cost(f analysis.Failure, v Values) Text {
	return Textf("%s %s", p.Style(Red, f.Kind), SafeLine(v.Cost(f)))
}

// Cost says what a failure cost.
func (v Values) Cost(f analysis.Failure) string {
	if f.Expected == nil {
		return "when it owed no reply: the scores stand"
	}
	if f.Cost == nil {
		return fmt.Sprintf("when the best reply, %s, was worth %s%s %s; the match ended at place %d", f.Best, About(f.Exact), v.signed(*f.Expected), v.unit, f.Place)
	}
	return fmt.Sprintf("cost %s%s %s: the best reply, %s, was worth %s%s; the match ended at %s, place %d", About(f.Exact), tenths(*f.Cost), v.unit,
		f.Best, About(f.Exact), v.signed(*f.Expected), v.signed(f.Margin.Float()), f.Place)
}

// classColour is the colour of a class.
func classColour(c analysis.Class) Colour {
	switch c {
	case analysis.Blunder:
		return Red
	case analysis.Mistake:
		return Yellow
	}
	return Dim
}

// About stands before a number that is an estimate.
func About(exact bool) string {
	if exact {
		return ""
	}
	return "about "
}

// tenths formats a number with at most one decimal, a very small one with two.
func tenths(x float64) string {
	if math.Abs(x) < 0.1 {
		return Number(x)
	}
	return Number(math.Round(x*10) / 10)
}

// Analysis prints the analysis of records: of one every move, of several what the
// bots lost.
type Analysis struct {
	*Printer
	Bot    string                                // only this bot's moves; "" for all
	Replay func(at analysis.At, step int) string // the command that shows a position
}

// Moves prints every move of a match.
func (v Analysis) Moves(m *analysis.Match) {
	values := ValuesIn(m)
	v.Say("%s\n", v.Style(Bold, SafeLine(fmt.Sprintf("%s, %srecord %s", m.Game, enclosed(m.Case, "case ", ", "), cmp.Or(m.Name, m.ID)))))
	for _, s := range m.Seats {
		margin := ""
		if m.Scores {
			margin = values.signed(s.Margin.Float()) + ", "
		}
		v.Printf("seat %d%s: ended at %splace %d\n", s.Seat, SafeLine(enclosed(s.Bot, " ", "")), margin, s.Place)
	}
	v.Printf("%s\n\n", v.wrapped(valuesIn(m.Unit, m.Method)))
	t := Table{
		Header: []string{"step", "seat", "reply", "worth", "best", "worth", lossColumn(m.Classes), ""},
		Right:  []bool{true, true, false, true, false, true, true, false},
	}
	for _, move := range m.Moves {
		best, value, lost := "", "", ""
		if move.Lost > 0 {
			best, value, lost = move.Best, values.signed(move.BestValue), tenths(move.Lost)
		}
		class := string(move.Class)
		if move.Class == analysis.Differs {
			class += " from " + m.Classes.Opinion
		} else if class != "" {
			class += ", " + Percent(move.ResultLost)
		}
		t.Add(move.Step, move.Seat, shorten(move.Reply), values.signed(move.Value), best, value, lost, class)
	}
	t.Shade = func(row, column int) Colour {
		if column == 7 {
			return classColour(m.Moves[row].Class)
		}
		return ""
	}
	v.Table(t)
	for _, f := range m.Failures {
		v.Say("step %d, seat %d: %s\n", f.Step, f.Seat, v.cost(f, values))
	}
	v.course(m, values)
	v.balance(m, values)
	v.Printf("\n")
}

// course draws, on a terminal, what the replies of each seat were worth, all on one scale.
func (v Analysis) course(m *analysis.Match, values Values) {
	if v.Columns == nil || len(m.Moves) < 3 {
		return
	}
	of := make([][]float64, len(m.Seats)+1)
	low, high := m.Moves[0].Value, m.Moves[0].Value
	for _, move := range m.Moves {
		low, high = min(low, move.Value), max(high, move.Value)
		of[move.Seat] = append(of[move.Seat], move.Value)
	}
	for _, s := range m.Seats {
		if len(of[s.Seat]) > 0 {
			v.Printf("seat %d: %s\n", s.Seat, v.sparkline(of[s.Seat], low, high, plotColumns/2))
		}
	}
	v.Say("%s\n", v.Style(Dim, fmt.Sprintf("what the replies were worth, from %s to %s", values.signed(low), values.signed(high))))
}

// balance says, for two seats and exact values, how what was lost adds up to how
// the match ended.
func (v Analysis) balance(m *analysis.Match, values Values) {
	if m.Start == nil || !m.Exact || len(m.Seats) != 2 || v.Bot != "" || len(m.Moves) == 0 {
		return
	}
	first := m.Moves[0].Seat
	if len(m.Failures) > 0 && m.Failures[0].Step < m.Moves[0].Step {
		first = m.Failures[0].Seat
	}
	own, other := m.Seats[first-1], m.Seats[2-first]
	lost := func(s analysis.Seat) string {
		text := tenths(s.Lost)
		for _, f := range m.Failures {
			if f.Seat == s.Seat && f.Cost != nil {
				text += ", its failure cost " + tenths(*f.Cost)
			}
		}
		return text
	}
	v.Say("the start was worth %s to seat %d; it lost %s, seat %d lost %s: it ended at %s\n", values.signed(*m.Start), first,
		lost(own), other.Seat, lost(other), values.signed(own.Margin.Float()))
}

// ValuesOf says how a game values replies and which losses are of which class; ""
// for a game that does not.
func ValuesOf(g protocols.Game) string {
	if g.Analysis.Unit == "" {
		return ""
	}
	return valuesIn(g.Analysis.Unit, g.Analysis.Method) + "; " + losses(analysis.ClassesOf(g, g.MinSeats))
}

// LossesIn says which losses are of which class in a match, as a sentence
// without a full stop.
func LossesIn(m *analysis.Match) string {
	text := losses(m.Classes)
	return strings.ToUpper(text[:1]) + text[1:]
}

func valuesIn(unit, method string) string { return fmt.Sprintf("values in %s, %s", unit, method) }

// Bots prints what each bot lost, and where it lost most.
func (v Analysis) Bots(t *analysis.Tally) {
	bots := t.Bots()
	for from := 0; from < len(bots); {
		to := from
		for to < len(bots) && bots[to].Game == bots[from].Game {
			to++
		}
		v.game(bots[from:to])
		from = to
	}
}

// game prints the bots of one game.
func (v Analysis) game(bots []*analysis.Bot) {
	unit := bots[0].Unit
	classes := bots[0].Classes
	title := "what was lost against the best reply"
	if classes.Opinion != "" {
		title = "how far replies differ from " + classes.Opinion
	}
	v.Say("%s\n", v.Style(Bold, bots[0].Game+": "+title))
	v.Printf("%s\n", v.wrapped(valuesIn(unit, bots[0].Method)))
	v.Printf("%s\n\n", v.wrapped(losses(classes)))
	counts := []string{"accuracy", "inacc.", "mist.", "blund."}
	if classes.Opinion != "" {
		counts = []string{"differs"}
	}
	t := Table{Header: slices.Concat([]string{"bot", "matches", "choices", lossColumn(classes), "mean"}, counts, []string{"thirds", "fail."})}
	t.Right = slices.Repeat([]bool{true}, len(t.Header))
	t.Right[0] = false
	for _, b := range bots {
		counted := []any{accuracy(b.Sum, classes), b.Inaccuracies, b.Mistakes, b.Blunders}
		if classes.Opinion != "" {
			counted = []any{b.Differs}
		}
		t.Add(slices.Concat([]any{b.Bot, b.Matches, b.Choices, tenths(b.Lost), Number(b.Mean)}, counted, []any{shares(b.Sum), b.Failed})...)
	}
	v.Table(t)
	note := "mean: for each choice; thirds: per cent lost in the first, the middle and the last third of a match's choices"
	if classes.Opinion == "" {
		note = "accuracy: the share of the " + classes.Of + " that a choice kept; " + note
	}
	v.Printf("%s\n", v.Style(Dim, v.wrapped(note)))
	for _, b := range bots {
		v.worst(b)
	}
	v.Printf("\n")
}

// accuracy is how accurate a bot's choices were in the mean.
func accuracy(s analysis.Sum, c analysis.Classes) string {
	share, ok := s.Accuracy(c)
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// lossColumn heads the column of what replies lost.
func lossColumn(c analysis.Classes) string {
	if c.Opinion != "" {
		return "less"
	}
	return "lost"
}

// losses says which losses are of which class.
func losses(c analysis.Classes) string {
	if c.Opinion != "" {
		return fmt.Sprintf("a reply that %s values less than another differs from it; that is its opinion and says little of how matches end", c.Opinion)
	}
	return fmt.Sprintf("a reply that loses %s of the %s is an inaccuracy, %s a mistake, %s a blunder%s",
		Percent(c.Inaccuracy), c.Of, Percent(c.Mistake), Percent(c.Blunder), enclosed(c.Results, "; the "+c.Of+" is ", ""))
}

// enclosed is text between two others; "" if there is none.
func enclosed(text, before, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

// wrapped breaks text where it has spaces into lines that fit the terminal, of at most 80
// columns.
func (p *Printer) wrapped(text string) string {
	room := 80
	if p.room() > 0 {
		room = min(room, p.room())
	}
	return Fill(text, room, 0, 0)
}

// shares are the parts of what was lost in per cent.
func shares(s analysis.Sum) string {
	if s.Lost == 0 {
		return "-"
	}
	parts := make([]string, len(s.Thirds))
	for i, part := range s.Thirds {
		parts[i] = fmt.Sprintf("%.0f", 100*part/s.Lost)
	}
	return strings.Join(parts, "/")
}

// worst prints a bot's worst moves and its failures, each with the command that
// shows it.
func (v Analysis) worst(b *analysis.Bot) {
	values := ValuesOfBot(b)
	if len(b.Worst) > 0 {
		title := "worst moves of " + b.Bot
		if bot := b.Classes.Opinion; bot != "" {
			title = "moves of " + b.Bot + " that differ most from " + bot
		}
		v.Say("\n%s\n", v.Style(Bold, SafeLine(title)))
	}
	for _, w := range b.Worst {
		v.Say("%s\n", Textf("seat %d played %s at step %d%s", w.Seat, shorten(w.Reply), w.Step, SafeLine(enclosed(w.Case, " of case ", "")+times(w.Times))))
		v.Say("  %s\n", v.loss(w.Move, values))
		v.Printf("  %s\n", v.Style(Dim, SafeLine(v.Replay(w.At, w.Step))))
	}
	if b.Failed == 0 {
		return
	}
	title := fmt.Sprintf("failures of %s: %d", b.Bot, b.Failed)
	if b.Scores {
		title += fmt.Sprintf(", which cost %s%s %s apart from what it lost", About(b.Exact), tenths(b.Cost), b.Unit)
	}
	v.Say("\n%s\n", v.Style(Bold, SafeLine(title)))
	for _, f := range b.Failures {
		v.Say("seat %d at step %d%s: %s\n", f.Seat, f.Step, SafeLine(enclosed(f.Case, " of case ", "")), SafeLine(f.Detail))
		v.Say("  %s\n", v.cost(f.Failure, values))
		v.Printf("  %s\n", v.Style(Dim, SafeLine(v.Replay(f.At, f.Step))))
	}
}

// times says how often something was done, if more than once.
func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(", × %d", n)
}

// AnalysisJSON is the last line of an analysis for other programs.
type AnalysisJSON struct {
	Matches int             `json:"matches"`
	Bots    []*analysis.Bot `json:"bots"`
}
