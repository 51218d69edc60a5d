package scoring

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/cases"
)

// Baseline is the source of Y. The zero value takes each case's own baseline,
// or 1.
type Baseline struct {
	Name   string  // how the user named it: a number, best, or a file; "" for none
	best   bool    // the best X among the submissions scored
	number float64 // used if neither best nor byCase is set
	byCase map[string]float64
	scored bool // byCase holds the best X among stored results
}

// Best returns the baseline of the best X on each case among the submissions
// scored.
func Best() Baseline { return Baseline{Name: "best", best: true} }

// Constant returns the same baseline for every case: a finite number that is
// not 0.
func Constant(y float64) (Baseline, error) {
	if y == 0 || math.IsNaN(y) || math.IsInf(y, 0) {
		return Baseline{}, fmt.Errorf("found %v, expected a number that is not 0", y)
	}
	return Baseline{Name: strconv.FormatFloat(y, 'g', -1, 64), number: y}, nil
}

// BestOf returns the baseline of the best X on each case among stored results,
// without matches that umpire failed to play.
func BestOf(name string, results *Results) Baseline {
	b := Baseline{Name: name, byCase: make(map[string]float64), scored: true}
	for _, s := range results.Submissions {
		for text, entries := range s.matches {
			if slices.ContainsFunc(entries, func(e Entry) bool { return e.Record.Error != "" }) {
				continue
			}
			x := FactsOf(entries, 0, 0).X
			if have, ok := b.byCase[text]; !ok || x > have {
				b.byCase[text] = x
			}
		}
	}
	return b
}

// ReadBaseline reads lines `case,Y` (CSV). A case is GROUP/NAME, or NAME where
// that is unique among known. A first line `case,Y`, blank lines and lines that
// begin with # are skipped. Errors name file and line.
func ReadBaseline(name string, in io.Reader, known []cases.Case) (Baseline, error) {
	b := Baseline{Name: name, byCase: make(map[string]float64)}
	buffered := bufio.NewReader(in)
	if bom, err := buffered.Peek(3); err == nil && string(bom) == "\uFEFF" {
		_, _ = buffered.Discard(3) // spreadsheets write it
	}
	r := csv.NewReader(buffered)
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = '#', -1, true
	for first := true; ; first = false {
		row, err := r.Read()
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			if at, ok := errors.AsType[*csv.ParseError](err); ok {
				return b, fmt.Errorf("%s:%d: %w, expected case,Y", name, at.Line, at.Err)
			}
			return b, fmt.Errorf("%s: %w", name, err)
		}
		if first && len(row) == 2 && strings.EqualFold(strings.TrimSpace(row[0])+","+strings.TrimSpace(row[1]), "case,Y") {
			continue
		}
		line, _ := r.FieldPos(0)
		if err := b.add(row, known); err != nil {
			return b, fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
}

func (b Baseline) add(row []string, known []cases.Case) error {
	if len(row) != 2 {
		return fmt.Errorf("fields: found %d, expected 2: case,Y", len(row))
	}
	text := strings.TrimSpace(row[1])
	y, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(y) || math.IsInf(y, 0) {
		return fmt.Errorf("found Y %q, expected a finite number", text)
	}
	c, err := find(strings.TrimSpace(row[0]), known)
	if err != nil {
		return err
	}
	if have, ok := b.byCase[c]; ok && have != y {
		return fmt.Errorf("found case %q a second time, with Y %v and %v", row[0], have, y)
	}
	b.byCase[c] = y
	return nil
}

// find returns the text of the case with a name.
func find(name string, known []cases.Case) (string, error) {
	var found []cases.Case
	for _, c := range known {
		if c.Name == name {
			return c.String(), nil
		}
		if strings.HasSuffix(c.Name, "/"+name) {
			found = append(found, c)
		}
	}
	switch {
	case len(found) == 1:
		return found[0].String(), nil
	case len(found) > 1:
		return "", fmt.Errorf("found case %q, expected one of %s and %s", name, found[0].Name, found[1].Name)
	case len(known) == 0:
		return "", fmt.Errorf("found case %q, there are no cases", name)
	}
	return "", fmt.Errorf("found case %q, expected the name of a case such as %s", name, known[0].Name)
}

// of returns the Y of a case for a formula, where best is the best X. A formula that
// divides by a best X below 0 would put the worst first.
func (b Baseline) of(c cases.Case, f Formula, best float64) (float64, error) {
	y, err := b.value(c, best)
	if err == nil && y < 0 && f.dividesByY && (b.best || b.scored) {
		err = fmt.Errorf("baseline %s: the best score on case %s is %v, and a formula that divides by it puts the worst first; "+
			"expected a NUMBER, or a formula such as X - Y", b.Name, c.Name, y)
	}
	return y, err
}

func (b Baseline) value(c cases.Case, best float64) (float64, error) {
	switch {
	case b.best:
		return best, nil
	case b.byCase != nil:
		y, ok := b.byCase[c.String()]
		if !ok {
			return 0, fmt.Errorf("baseline %s: found no Y for case %s", b.Name, c.Name)
		}
		return y, nil
	case b.Name != "":
		return b.number, nil
	}
	return cmp.Or(c.Baseline, 1), nil
}
