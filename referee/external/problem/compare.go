package problem

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"umpire/protocols"
)

// Comparison says how output is compared with an answer where a problem has no judge: as
// the default validator of Kattis and the ICPC does. Texts are bytes: letters are those of ASCII,
// and so is space.
type Comparison struct {
	CaseSensitive  bool
	SpaceSensitive bool
	// IEEE has what IEEE 754 takes for a number be one, such as 0x1p-3 and inf, as in the older
	// formats; else it is decimal and finite.
	IEEE bool
	// Numbers may differ by these; negative: they are compared as words.
	Absolute, Relative float64
}

// Comparison reads the flags of the default validator.
func (p *Problem) Comparison(flags []string) (Comparison, error) {
	c := Comparison{IEEE: p.IEEE, Absolute: -1, Relative: -1}
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
			value, ok := c.number(flags[i])
			if !ok || value < 0 || math.IsInf(value, 0) {
				return c, fmt.Errorf("%s: found %q, expected a number of 0 or more", flag, flags[i])
			}
			absolute, relative := flag != "float_relative_tolerance", flag != "float_absolute_tolerance"
			if !p.IEEE && (absolute && c.Absolute >= 0 || relative && c.Relative >= 0) {
				return c, fmt.Errorf("%s: found a second tolerance, expected float_tolerance alone, or float_absolute_tolerance and float_relative_tolerance once each", flag)
			}
			if absolute {
				c.Absolute = value
			}
			if relative {
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
	have, want := strings.FieldsFunc(output, isSpace), strings.FieldsFunc(answer, isSpace)
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

// isSpace reports whether words end there. What is no ASCII is part of a word.
func isSpace(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }

// nextWord splits a text into space, a word, and the rest.
func nextWord(text string) (space, word, rest string) {
	rest = strings.TrimLeftFunc(text, isSpace)
	space = text[:len(text)-len(rest)]
	end := strings.IndexFunc(rest, isSpace)
	if end < 0 {
		return space, rest, ""
	}
	return space, rest[:end], rest[end:]
}

// same reports whether two words are the same.
func (c Comparison) same(have, want string) bool {
	if have == want || !c.CaseSensitive && len(have) == len(want) && lower(have) == lower(want) {
		return true
	}
	if c.Absolute < 0 && c.Relative < 0 {
		return false
	}
	w, isNumber := c.number(want)
	h, ok := c.number(have)
	if !isNumber || !ok || math.IsInf(w, 0) {
		return isNumber && ok && h == w
	}
	difference := math.Abs(h - w)
	return difference <= c.Absolute || difference <= c.Relative*math.Abs(w)
}

// lower returns a word with the letters of ASCII in lower case.
func lower(word string) string {
	b := []byte(word)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// number reads a word as a number, and reports whether it is one.
func (c Comparison) number(word string) (float64, bool) {
	isDecimal := strings.Trim(word, "0123456789+-.eE") == ""
	switch {
	case !c.IEEE && !isDecimal, strings.Contains(word, "_"):
		return 0, false
	case !isDecimal && strings.ContainsAny(word, "xX") && !strings.ContainsAny(word, "pP"):
		word += "p0" // as scanf reads it
	}
	n, err := strconv.ParseFloat(word, 64)
	return n, err == nil && !math.IsNaN(n)
}
