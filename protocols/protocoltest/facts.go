package protocoltest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
)

// rulesWidth is the maximum width of a line of a game's rules, in characters.
const rulesWidth = 100

// nameOf matches names that commands, records and folders use.
var nameOf = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func checkFacts(_ Suite, g protocols.Game) error {
	return errors.Join(checkNames(g), checkSeatFacts(g), checkRules(g), checkScoring(g), checkFuncs(g))
}

func checkNames(g protocols.Game) error {
	if !nameOf.MatchString(g.Name) {
		return fmt.Errorf("name %q does not match %v", g.Name, nameOf)
	}
	if strings.TrimSpace(g.Title) == "" {
		return errors.New("there is no title")
	}
	if err := checkText(g.Title, ""); err != nil {
		return fmt.Errorf("title: %w", err)
	}
	if len(g.Groups) == 0 {
		return errors.New("there are no groups")
	}
	for i, group := range g.Groups {
		if !nameOf.MatchString(group) {
			return fmt.Errorf("group %q does not match %v", group, nameOf)
		}
		if slices.Contains(g.Groups[:i], group) {
			return fmt.Errorf("group %q is listed twice", group)
		}
	}
	return nil
}

func checkSeatFacts(g protocols.Game) error {
	if g.MinSeats < 1 || g.MaxSeats < g.MinSeats {
		return fmt.Errorf("seats from %d to %d", g.MinSeats, g.MaxSeats)
	}
	for i, seat := range g.PlayedSeats() {
		if seat < 1 || seat > g.MaxSeats {
			return fmt.Errorf("submission seats: seat %d of %d", seat, g.MaxSeats)
		}
		if slices.Contains(g.PlayedSeats()[:i], seat) {
			return fmt.Errorf("submission seats: seat %d is listed twice", seat)
		}
	}
	if (g.DefaultOpponent != "") != (g.MaxSeats > 1) {
		return fmt.Errorf("default opponent %q with %d seats, expected a built-in bot for free seats, or none with one seat", g.DefaultOpponent, g.MaxSeats)
	}
	if g.DefaultOpponent != "" && !nameOf.MatchString(g.DefaultOpponent) {
		return fmt.Errorf("default opponent %q does not match %v", g.DefaultOpponent, nameOf)
	}
	if g.Simultaneous && g.MaxSeats == 1 {
		return errors.New("simultaneous with one seat")
	}
	return nil
}

func checkRules(g protocols.Game) error {
	if strings.TrimSpace(g.Rules) == "" {
		return errors.New("there are no rules")
	}
	if err := checkText(g.Rules, "\n"); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	for i, line := range strings.Split(g.Rules, "\n") {
		if n := utf8.RuneCountInString(line); n > rulesWidth {
			return fmt.Errorf("rules: line %d is %d characters wide, more than %d", i+1, n, rulesWidth)
		}
	}
	return nil
}

func checkScoring(g protocols.Game) error {
	if strings.TrimSpace(g.Formula) == "" {
		return errors.New("there is no formula")
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"points", g.Points}, {"baseline", g.Baseline}} {
		if !(f.value >= 0) || math.IsInf(f.value, 0) {
			return fmt.Errorf("%s are %v", f.name, f.value)
		}
	}
	if g.Rank < protocols.ByPoints || g.Rank > protocols.ByPlaces {
		return fmt.Errorf("rank %d is unknown", g.Rank)
	}
	return nil
}

func checkFuncs(g protocols.Game) error {
	if g.Parse == nil {
		return errors.New("there is no Parse")
	}
	if g.Generate == nil {
		return errors.New("there is no Generate")
	}
	return nil
}

// checkText refuses invalid UTF-8, and control characters except the allowed
// ones.
func checkText(text, allowed string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not valid UTF-8", protocols.Quote(text))
	}
	for _, r := range text {
		if (r < ' ' || r >= 0x7f && r < 0xa0) && !strings.ContainsRune(allowed, r) {
			return fmt.Errorf("%s holds the control character %q", protocols.Quote(text), r)
		}
	}
	return nil
}

// checkSentence checks a message for people. Its length must not grow with that
// of the text it complains about.
func checkSentence(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("the message is empty")
	}
	if len(text) > 1000 {
		return fmt.Errorf("the message is %d bytes long: %s", len(text), protocols.Quote(text))
	}
	return checkText(text, "")
}
