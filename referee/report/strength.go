package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"umpire/referee/scoring"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Strength says which of two bots is the stronger one, and how sure that is.
type Strength struct {
	Game    string  `json:"game"`
	Bot     string  `json:"bot"` // compared with To
	To      string  `json:"to"`
	Verdict Outcome `json:"verdict"`
	// Elo is from mirrored pairs of matches of two seats in which the bots met.
	Elo *strength.Elo `json:"elo,omitempty"`
	// Matches are those in which they met.
	Matches *standings.HeadToHead `json:"matches,omitempty"`
	// Paired compares bots that did not meet case by case; Cases has what decides it,
	// the most first.
	Paired *standings.Paired          `json:"paired,omitempty"`
	Cases  []standings.CaseDifference `json:"cases,omitempty"`
	SPRT   *SPRT                      `json:"sprt,omitempty"`
	// Total compares what two submissions of a scoring have earned in all.
	Total *scoring.Difference `json:"total,omitempty"`
}

// Outcome is what a comparison has found.
type Outcome string

// The outcomes: the 95 % interval leaves but one order, or it does not.
const (
	Stronger Outcome = "stronger"
	Weaker   Outcome = "weaker"
	Unclear  Outcome = "unclear"
)

// NewStrength compares a bot with another, to, that it has met.
func NewStrength(game string, m standings.HeadToHead) *Strength {
	s := &Strength{Game: game, Bot: m.Bot, To: m.Opponent, Matches: &m, Verdict: Unclear}
	if m.Ptnml.Pairs() > 0 {
		e := strength.NewElo(m.Ptnml)
		s.Elo, s.Verdict = &e, outcomeOf(e.Low, e.High)
	} else if m.Apart != nil {
		s.Verdict = outcomeOf(m.Apart.Low, m.Apart.High)
	}
	return s
}

// NewAnytimeStrength is NewStrength for two of so many bots of a round robin that went on
// where its order was least certain.
func NewAnytimeStrength(game string, m standings.HeadToHead, bots int) *Strength {
	e := strength.NewAnytimeElo(m.Ptnml, bots)
	return &Strength{Game: game, Bot: m.Bot, To: m.Opponent, Matches: &m, Elo: &e, Verdict: outcomeOf(e.Low, e.High)}
}

// NewStrengthByCase compares bots case by case.
func NewStrengthByCase(game string, p *standings.Paired, cases []standings.CaseDifference) *Strength {
	return &Strength{Game: game, Bot: p.Bot, To: p.To, Paired: p, Cases: cases, Verdict: outcomeOf(p.Low, p.High)}
}

// outcomeOf says on which side of 0 an interval lies; nil is an end that it lacks.
func outcomeOf(low, high *float64) Outcome {
	switch {
	case low != nil && *low > 0:
		return Stronger
	case high != nil && *high < 0:
		return Weaker
	}
	return Unclear
}

// Worse says why the bot did not pass: it is weaker, or a sequential test that has decided
// found it not to be stronger; "" if it did.
func (s *Strength) Worse() string {
	if s.SPRT != nil && s.SPRT.Decision != strength.NotDecided && s.SPRT.Decision != strength.Undecided {
		return s.SPRT.refuted()
	}
	if s.Verdict == Weaker {
		return fmt.Sprintf("%s is weaker than %s", s.Bot, s.To)
	}
	return ""
}

// wantedHalf is the half width of an interval, in Elo, for which it is said how many
// more pairs it takes.
const wantedHalf = 10

// sentence is the answer in a sentence.
func (s *Strength) sentence() string {
	by, sure, more := "", 0.0, ""
	switch {
	case s.Elo != nil:
		by, sure = eloText(*s.Elo), s.Elo.Superior
		if n := s.Elo.MorePairs(wantedHalf); n > 0 {
			more = fmt.Sprintf("; about %s for ±%d", Plural(int(twoFigures(int64(n))), "more pair"), wantedHalf)
		}
	case s.Paired != nil:
		by, sure = signedInterval(&s.Paired.Rating)+" "+pairedUnits[s.Paired.By]+" a match", s.Paired.Superior
		if s.Paired.By == standings.ByFormula {
			by = signedInterval(&s.Paired.Rating) + " points a case"
		}
	case s.Matches.Apart != nil:
		by = signedInterval(s.Matches.Apart) + " score a match"
	default:
		return fmt.Sprintf("%s and %s can't be told apart: no mirrored pair of matches is complete.", s.Bot, s.To)
	}
	likely := ""
	if sure > 0 {
		likely = ", " + likelihood(max(sure, 1-sure))
	}
	switch s.Verdict {
	case Stronger, Weaker:
		return fmt.Sprintf("%s is %s than %s: %s%s.", s.Bot, s.Verdict, s.To, by, likely)
	}
	return fmt.Sprintf("%s and %s can't be told apart yet: %s%s.", s.Bot, s.To, by, more)
}

// likelihood writes a probability above ½ so that it is never 100 %.
func likelihood(p float64) string {
	switch {
	case p >= 0.9999:
		return "over 99.99 %"
	case p >= 0.995:
		return fmt.Sprintf("%.2f %%", math.Floor(p*1e4)/100)
	}
	return fmt.Sprintf("%.1f %%", math.Floor(p*1e3)/10)
}

// superiority is likelihood for any probability.
func superiority(p float64) string {
	if p < 0.5 {
		return Number(math.Ceil(1e4*p)/100) + " %"
	}
	return likelihood(p)
}

// twoFigures rounds a number to two significant figures, upwards.
func twoFigures(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

// eloText is a difference with its interval, or with the end that it has.
func eloText(e strength.Elo) string {
	switch {
	case e.Pairs == 1:
		return "one pair is too few"
	case e.Value == nil && e.Low != nil && *e.Low > 0:
		return fmt.Sprintf("at least %+.0f Elo, as it has won all %s", *e.Low, Plural(e.Pairs, "pair"))
	case e.Value == nil && e.High != nil && *e.High < 0:
		return fmt.Sprintf("at most %+.0f Elo, as it has lost all %s", *e.High, Plural(e.Pairs, "pair"))
	case e.Value == nil:
		return fmt.Sprintf("one has won all %s, which are too few", Plural(e.Pairs, "pair"))
	case e.Low == nil || e.High == nil:
		return fmt.Sprintf("%s Elo in %s, too few for an interval", eloEnd(e.Value), Plural(e.Pairs, "pair"))
	}
	return fmt.Sprintf("%s ±%.0f Elo", eloEnd(e.Value), (*e.High-*e.Low)/2)
}

// signedInterval is an estimate with its sign.
func signedInterval(r *strength.Rating) string {
	text := interval(r, 2)
	if r.Value > 0 {
		text = "+" + text
	}
	return text
}

// decidingCases is how many of the cases that decide a comparison are named.
const decidingCases = 5

// Print prints the comparison: the answer first, then what it rests on.
func (s *Strength) Print(p *Printer) {
	p.Say("%s\n", s.sentence())
	if s.SPRT != nil {
		p.Say("\n%s\n", strings.Join(s.SPRT.lines(), "\n"))
	}
	switch {
	case s.Elo != nil:
		p.Printf("\n")
		switch {
		case s.Elo.Low == nil || s.Elo.High == nil:
		case s.Elo.Anytime:
			p.Say("Elo: from %s to %s: bounds that hold at any number of looks, with those of all pairs of bots (95 %%)\n", eloEnd(s.Elo.Low), eloEnd(s.Elo.High))
		default:
			p.Say("Elo: from %s to %s (95 %% interval); likelihood of superiority %s\n", eloEnd(s.Elo.Low), eloEnd(s.Elo.High), superiority(s.Elo.Superior))
		}
		if s.SPRT == nil {
			lines := append([]string{fmt.Sprintf("Pairs: %d, Ptnml(0-2): %s", s.Elo.Pairs, ptnml(s.Elo.Ptnml))}, onFewCases(s.Elo.Pairs, s.Matches.Cases)...)
			p.Say("%s\n", strings.Join(lines, "\n"))
		}
	case s.Paired != nil:
		p.Say("\n%s\n", pairedSentence(*s.Paired))
		if s.Total != nil {
			p.Say("%s\n", totalSentence(*s.Total))
		} else {
			s.printCases(p)
		}
	}
	if m := s.Matches; m != nil {
		p.Say("Matches: %d won, %d drawn, %d lost; score %v to %v\n", m.Won, m.Drawn, m.Lost, m.Points, m.Against)
		if s.Elo != nil && m.Played > 2*s.Elo.Pairs {
			p.Say("Matches that repeat others reply by reply, or lack the one with exchanged seats, say nothing new: %d of %d.\n", m.Played-2*s.Elo.Pairs, m.Played)
		}
	}
}

// printCases names the cases that decide.
func (s *Strength) printCases(p *Printer) {
	var words []string
	for _, c := range s.Cases[:min(len(s.Cases), decidingCases)] {
		if c.Difference != 0 {
			words = append(words, changedBy(c.Case, c.Difference))
		}
	}
	if len(words) > 0 {
		p.Say("Most apart on %s.\n", Listing(words))
	}
}

// totalSentence compares totals, and names the cases that decide.
func totalSentence(d scoring.Difference) string {
	text := fmt.Sprintf("Total: %s to %s", Points(Number(d.Own)), Number(d.Other))
	if d.Low != nil {
		text += fmt.Sprintf(", %s; from %s to %s over cases like these (95 %% interval, bootstrap)", signed(d.Own-d.Other), signed(*d.Low), signed(*d.High))
	}
	text += "."
	var words []string
	for _, e := range d.Deciding[:min(len(d.Deciding), decidingCases)] {
		words = append(words, changedBy(e.Case, e.Points))
	}
	if len(words) > 0 {
		text += fmt.Sprintf("\nDecided most by %s.", Listing(words))
	}
	return text
}

// changedBy names a case on which the second is better, ▲, or worse.
func changedBy(name string, difference float64) string {
	mark := "▲"
	if difference < 0 {
		mark = "▼"
	}
	return fmt.Sprintf("%s %s (%s)", mark, name, signed(difference))
}

// signed is a number with its sign.
func signed(x float64) string {
	if x > 0 {
		return "+" + Number(x)
	}
	return Number(x)
}

// NewStrengthByFormula compares two submissions of a scoring by the points that each
// case earned them; nil if there is nothing to compare.
func NewStrengthByFormula(game string, of scoring.Scores, to, bot string) *Strength {
	find := func(name string) *scoring.Score {
		i := slices.IndexFunc(of.Submissions, func(s scoring.Score) bool { return s.Name == name })
		if i < 0 {
			return nil
		}
		return &of.Submissions[i]
	}
	first, own := find(to), find(bot)
	if first == nil || own == nil {
		return nil
	}
	p, cases := pairedByFormula(own, first)
	if p == nil {
		return nil
	}
	standings.SortByWeight(cases)
	s, total := NewStrengthByCase(game, p, cases), scoring.Compare(of.Groups, own.Cases, first.Cases)
	s.Total = &total
	return s
}
