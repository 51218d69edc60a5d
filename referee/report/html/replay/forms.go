package replay

import (
	"encoding/json"
	"slices"
	"strings"

	"umpire/referee/report/html/page"
)

// texts are stored by their forms, a form being what is left of a text without its numbers:
// of a thousand pictures most differ in numbers alone, and columns of these pack well.
type texts []string

// formed is a form, and the numbers between its pieces: a column for each, in which one that
// is the same as in the row before is empty, and those at the end are left out.
type formed struct {
	Pieces  []string `json:"t"`
	Columns []string `json:"n,omitempty"`
	rows    [][]string
}

// MarshalJSON writes the forms, and in the order of the texts which form each has.
func (t texts) MarshalJSON() ([]byte, error) {
	var out struct {
		Forms []*formed `json:"forms"`
		Order []int     `json:"order"`
	}
	var forms page.Numbers[string]
	for _, text := range t {
		pieces, numbers := split(text)
		n := forms.Of(strings.Join(pieces, "\x00"))
		if n == len(out.Forms) {
			out.Forms = append(out.Forms, &formed{Pieces: pieces})
		}
		out.Forms[n].rows = append(out.Forms[n].rows, numbers)
		out.Order = append(out.Order, n)
	}
	for _, f := range out.Forms {
		f.transpose()
	}
	return page.JSON(out)
}

// split takes the numbers out of a text.
func split(text string) (pieces, numbers []string) {
	numbers = strings.FieldsFunc(text, func(c rune) bool { return c < '0' || c > '9' })
	for _, number := range numbers {
		before, after, _ := strings.Cut(text, number)
		pieces, text = append(pieces, before), after
	}
	return append(pieces, text), numbers
}

// transpose makes columns of the rows. A form that occurs once is a text.
func (f *formed) transpose() {
	if len(f.rows) == 1 {
		text := f.Pieces[0]
		for i, number := range f.rows[0] {
			text += number + f.Pieces[i+1]
		}
		f.Pieces = []string{text}
		return
	}
	for n := range f.rows[0] {
		column, before := make([]string, len(f.rows)), ""
		for i, row := range f.rows {
			if row[n] != before {
				column[i], before = row[n], row[n]
			}
		}
		f.Columns = append(f.Columns, strings.TrimRight(strings.Join(column, ","), ","))
	}
}

// steps are stored by fields, as columns.
type steps []step

// MarshalJSON writes how many steps there are, and a column for each field that any has; 0
// is none. A text that follows the highest one so far is -1.
func (s steps) MarshalJSON() ([]byte, error) {
	columns, highest := make(map[string][]json.RawMessage), -1
	for i, one := range s {
		one.Phases = slices.Clone(one.Phases)
		for n := range one.Phases {
			one.Phases[n].shorten(&highest)
		}
		one.picture.shorten(&highest)
		text, err := page.JSON(one)
		if err != nil {
			return nil, err
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(text, &fields); err != nil {
			return nil, err
		}
		for name, value := range fields {
			for len(columns[name]) < i {
				columns[name] = append(columns[name], json.RawMessage("0"))
			}
			columns[name] = append(columns[name], value)
		}
	}
	return page.JSON(struct {
		Count   int                          `json:"count"`
		Columns map[string][]json.RawMessage `json:"columns"`
	}{len(s), columns})
}

// shorten numbers the texts anew, in copies.
func (p *picture) shorten(highest *int) {
	short := func(n *int) {
		switch {
		case *n == *highest+1:
			*highest, *n = *n, -1
		case *n > *highest:
			*highest = *n
		}
	}
	p.All, p.Changed = slices.Clone(p.All), slices.Clone(p.Changed)
	for i := range p.All {
		short(&p.All[i])
	}
	for i := 1; i < len(p.Changed); i += 2 {
		short(&p.Changed[i])
	}
}
