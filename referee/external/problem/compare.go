package problem

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"umpire/protocols"
)

// Comparison says how output is compared with an answer where a problem has no judge: as
// the default validator of Kattis and the ICPC does.
type Comparison struct {
	CaseSensitive  bool
	SpaceSensitive bool
	// Numbers may differ by these; negative: they are compared as words.
	Absolute, Relative float64
}

// ParseComparison reads the flags of the default validator.
func ParseComparison(flags []string) (Comparison, error) {
	c := Comparison{Absolute: -1, Relative: -1}
	for i := 0; i < len(flags); i++ {
		switch flag := flags[i]; flag {
		case "case_sensitive":
			c.CaseSensitive = true
		case "space_change_sensitive":
			c.SpaceSensitive = true
		case "float_absolute_tolerance", "float_relative_tolerance", "float_tolerance":
			if i++; i == len(flags) {
				return c, fmt.Errorf("%s: found no number", flag)
			}
			value, err := strconv.ParseFloat(flags[i], 64)
			if err != nil || !(value >= 0) || math.IsInf(value, 0) {
				return c, fmt.Errorf("%s: found %q, expected a number of 0 or more", flag, flags[i])
			}
			if flag != "float_relative_tolerance" {
				c.Absolute = value
			}
			if flag != "float_absolute_tolerance" {
				c.Relative = value
			}
		default:
			return c, fmt.Errorf("found flag %q, expected case_sensitive, space_change_sensitive or float_tolerance E", flag)
		}
	}
	return c, nil
}

// Differ says where output differs from the answer; "" if it does not.
func (c Comparison) Differ(output, answer string) string {
	if c.SpaceSensitive {
		return c.differSpaced(output, answer)
	}
	have, want := strings.Fields(output), strings.Fields(answer)
	for i := range min(len(have), len(want)) {
		if !c.same(have[i], want[i]) {
			return fmt.Sprintf("word %d of the output is %s, expected %s", i+1, protocols.Quote(have[i]), protocols.Quote(want[i]))
		}
	}
	switch {
	case len(have) < len(want):
		return fmt.Sprintf("the output ends after word %d, expected %s", len(have), protocols.Quote(want[len(have)]))
	case len(have) > len(want):
		return fmt.Sprintf("word %d of the output is %s, expected its end", len(want)+1, protocols.Quote(have[len(want)]))
	}
	return ""
}

// differSpaced is Differ where the space between words counts.
func (c Comparison) differSpaced(output, answer string) string {
	for n := 1; ; n++ {
		space, word, rest := nextWord(output)
		wantSpace, wantWord, wantRest := nextWord(answer)
		switch {
		case space != wantSpace:
			return fmt.Sprintf("the space before word %d of the output is %q, expected %q", n, space, wantSpace)
		case word == "" && wantWord == "":
			return ""
		case !c.same(word, wantWord):
			return fmt.Sprintf("word %d of the output is %s, expected %s", n, protocols.Quote(word), protocols.Quote(wantWord))
		}
		output, answer = rest, wantRest
	}
}

// nextWord splits a text into space, a word, and the rest.
func nextWord(text string) (space, word, rest string) {
	rest = strings.TrimLeft(text, " \t\r\n\v\f")
	space = text[:len(text)-len(rest)]
	end := strings.IndexAny(rest, " \t\r\n\v\f")
	if end < 0 {
		return space, rest, ""
	}
	return space, rest[:end], rest[end:]
}

// same reports whether two words are the same.
func (c Comparison) same(have, want string) bool {
	if have == want || !c.CaseSensitive && strings.EqualFold(have, want) {
		return true
	}
	if c.Absolute < 0 && c.Relative < 0 {
		return false
	}
	w, err := strconv.ParseFloat(want, 64)
	if err != nil {
		return false
	}
	h, err := strconv.ParseFloat(have, 64)
	if err != nil {
		return false
	}
	difference := math.Abs(h - w)
	return difference <= c.Absolute || difference <= c.Relative*math.Abs(w)
}
