package protocoltest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"umpire/protocols"
)

func checkGenerate(s Suite, g protocols.Game) error {
	first, err := s.cases(g)
	if err != nil {
		return err
	}
	again, err := s.cases(g)
	if err != nil {
		return err
	}
	for i, c := range first {
		if c.String() != again[i].String() {
			return fmt.Errorf("%s: two different cases, %q and %q", c.from, c.String(), again[i].String())
		}
	}
	if len(s.seeds()) > 1 && !oneCase(g) && !slices.ContainsFunc(first, func(c sample) bool {
		return c.group == g.Groups[0] && c.String() != first[0].String()
	}) {
		return fmt.Errorf("group %q, the default, has only one case: %q", g.Groups[0], first[0].String())
	}
	return checkUnknownGroup(g)
}

// oneCase reports whether a game has a single case, such as a board with one
// fixed setup.
func oneCase(g protocols.Game) bool {
	if g.All == nil {
		return false
	}
	n := 0
	for range g.All() {
		n++
	}
	return n == 1
}

func checkUnknownGroup(g protocols.Game) error {
	const unknown = "no-such-group"
	_, err := g.Generate(unknown, 1)
	if err == nil {
		return fmt.Errorf("group %q is not refused", unknown)
	}
	var refused *protocols.UnknownGroup
	if !errors.As(err, &refused) {
		return fmt.Errorf("group %q: error %w of type %T, expected a *protocols.UnknownGroup", unknown, err, err)
	}
	if refused.Game != g.Name || refused.Group != unknown {
		return fmt.Errorf("group %q of %s is refused as group %q of %s", unknown, g.Name, refused.Group, refused.Game)
	}
	for _, group := range g.Groups {
		if !slices.Contains(refused.Known, group) {
			return fmt.Errorf("group %q is refused without naming group %q: %w", unknown, group, err)
		}
	}
	if err := checkSentence(err.Error()); err != nil {
		return fmt.Errorf("group %q is refused: %w", unknown, err)
	}
	return nil
}

func checkCases(s Suite, g protocols.Game) error {
	cases, err := s.cases(g)
	if err != nil {
		return err
	}
	for _, c := range cases {
		if err := checkCase(g, c.Case); err != nil {
			return fmt.Errorf("%s: %w", c.from, err)
		}
	}
	return nil
}

// checkCase checks that a case's text is canonical and reads back unchanged,
// with the line ends of other systems and editors too.
func checkCase(g protocols.Game, c protocols.Case) error {
	text := c.String()
	if strings.TrimSpace(text) == "" || strings.HasSuffix(text, "\n") {
		return fmt.Errorf("case text %q is empty or ends with a newline", text)
	}
	if err := checkText(text, "\n"); err != nil {
		return fmt.Errorf("case text: %w", err)
	}
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	for _, variant := range []string{text, text + "\n", text + "\n\n", crlf, crlf + "\r\n"} {
		if err := checkReadBack(g, variant, text); err != nil {
			return err
		}
	}
	return nil
}

func checkReadBack(g protocols.Game, text, canonical string) error {
	back, err := g.Parse(text)
	if err != nil {
		return fmt.Errorf("parse %q: %w", text, err)
	}
	if back.String() != canonical {
		return fmt.Errorf("parse %q gives %q, expected %q", text, back.String(), canonical)
	}
	return nil
}

func checkBroken(s Suite, g protocols.Game) error {
	cases, err := s.cases(g)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range cases {
		for _, b := range brokenTexts(c.String(), rng) {
			read, err := s.checkAnyText(g, b.text)
			if err != nil {
				return err
			}
			if read != nil && b.hopeless {
				return fmt.Errorf("parse %q: accepted, expected an error", b.text)
			}
			if read != nil && !strings.Contains(read.String(), b.kept) {
				return fmt.Errorf("parse %q: accepted without %q, as %q", b.text, b.kept, read.String())
			}
		}
	}
	return nil
}

// checkAnyText checks what Parse makes of a text that may or may not be a case:
// a proper error, or a proper case that can be played, which it returns.
func (s Suite) checkAnyText(g protocols.Game, text string) (c protocols.Case, err error) {
	var refusal error
	err = guard(func() error {
		s.pulse.call("parse", text, func() { c, refusal = g.Parse(text) })
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("parse %q: %w", text, err)
	case refusal != nil:
		return nil, checkRefusal(text, refusal)
	case c == nil:
		return nil, fmt.Errorf("parse %q: neither a case nor an error", text)
	}
	err = guard(func() error {
		if err := checkReadBack(g, c.String(), c.String()); err != nil {
			return err
		}
		m := c.Start(g.MaxSeats)
		m.Next()
		_, err := look(m, g.MaxSeats)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("parse %q: accepted, but %w", text, err)
	}
	return c, nil
}

func checkRefusal(text string, refusal error) error {
	e, ok := refusal.(*protocols.CaseError)
	if !ok {
		return fmt.Errorf("parse %q: the error is a %T, expected a *protocols.CaseError", text, refusal)
	}
	if lines := strings.Count(text, "\n") + 1; e.Line < 0 || e.Line > lines+1 {
		return fmt.Errorf("parse %q: the error is in line %d of %d", text, e.Line, lines)
	}
	if e.Found == "" || e.Expected == "" {
		return fmt.Errorf("parse %q: the error does not say what was found and expected: %w", text, refusal)
	}
	if err := checkSentence(refusal.Error()); err != nil {
		return fmt.Errorf("parse %q: %w", text, err)
	}
	return nil
}

func checkAll(_ Suite, g protocols.Game) error {
	if g.All == nil {
		return nil
	}
	var texts []string
	seen := map[string]bool{}
	for c := range g.All() {
		text := c.String()
		if seen[text] {
			return fmt.Errorf("case %q is listed twice", text)
		}
		if err := checkCase(g, c); err != nil {
			return fmt.Errorf("case %d: %w", len(texts)+1, err)
		}
		seen[text] = true
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return errors.New("there are no cases")
	}
	i := 0
	for c := range g.All() {
		if i == len(texts) || c.String() != texts[i] {
			return fmt.Errorf("the second time, case %d differs: %q", i+1, c.String())
		}
		i++
	}
	for range g.All() {
		break // a sequence that continues panics
	}
	return nil
}

func checkSeats(s Suite, g protocols.Game) error {
	cases, err := s.cases(g)
	if err != nil {
		return err
	}
	for _, c := range cases {
		for seats := g.MinSeats; seats <= g.MaxSeats; seats++ {
			if err := checkLimits(c.Limits(seats)); err != nil {
				return fmt.Errorf("%s, %d seats: %w", c.from, seats, err)
			}
			if _, err := look(c.Start(seats), seats); err != nil {
				return fmt.Errorf("%s, %d seats, before the first step: %w", c.from, seats, err)
			}
		}
		for _, seats := range []int{-1, 0, g.MinSeats - 1, g.MaxSeats + 1} {
			if guard(func() error { c.Start(seats); return nil }) == nil {
				return fmt.Errorf("%s: Start(%d) does not panic", c.from, seats)
			}
		}
	}
	return nil
}

func checkLimits(l protocols.Limits) error {
	if l.Time < 0 || l.PerMove < 0 || l.Startup < 0 || l.Memory < 0 {
		return fmt.Errorf("negative limits: %+v", l)
	}
	if l.Time == 0 && l.PerMove == 0 {
		return fmt.Errorf("no time limit: %+v", l)
	}
	return nil
}
