package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"umpire/referee/report/html/pagetest"
)

// UnmarshalJSON reads texts as the script of a page does.
func (t *texts) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, (*pagetest.Texts)(t)) }

// UnmarshalJSON reads steps as the script of a page does.
func (s *steps) UnmarshalJSON(b []byte) error {
	var in struct {
		Count   int
		Columns map[string][]json.RawMessage
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*s = make(steps, in.Count)
	highest := -1
	for i := range *s {
		var fields []string
		for name, column := range in.Columns {
			if i < len(column) && string(column[i]) != "0" {
				fields = append(fields, fmt.Sprintf("%q:%s", name, column[i]))
			}
		}
		one := &(*s)[i]
		if err := json.Unmarshal([]byte("{"+strings.Join(fields, ",")+"}"), one); err != nil {
			return err
		}
		for n := range one.Phases {
			one.Phases[n].lengthen(&highest)
		}
		one.picture.lengthen(&highest)
	}
	return nil
}

func (p *picture) lengthen(highest *int) {
	for i := range p.All {
		if p.All[i] < 0 {
			p.All[i] = *highest + 1
		}
		*highest = max(*highest, p.All[i])
	}
	for i := 1; i < len(p.Changed); i += 2 {
		if p.Changed[i] < 0 {
			p.Changed[i] = *highest + 1
		}
		*highest = max(*highest, p.Changed[i])
	}
}

// TestTexts packs texts and reads them again.
func TestTexts(t *testing.T) {
	for _, want := range []texts{
		{"no number", "a1", "a1b", "a2", "a2", "a10b", "07", "7", "x1,2", "x1,3", "x2,3", "&#39;", "&#34;", "&#34;5"},
		{"é1.5", "é1.5", "é2.5", "\x00", "1\x001", "2\x001"},
		{""},
	} {
		packed, err := json.Marshal(want)
		must(t, err)
		var got texts
		if err := json.Unmarshal(packed, &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("found %q, %v, expected %q in %s", got, err, want, packed)
		}
	}
}
