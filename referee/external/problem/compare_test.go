package problem

import (
	"strings"
	"testing"
)

// TestComparison: the default validator, as the format describes it.
func TestComparison(t *testing.T) {
	for _, test := range []struct {
		flags, output, answer string
		want                  string // part of what is said; "": it does not differ
	}{
		{"", "a b\n", "a  b", ""},
		{"", "a\nb", "a b\n\n", ""},
		{"", "A b", "a B", ""},
		{"", "a", "a b", "ends after word 1"},
		{"", "a b c", "a b", "expected its end"},
		{"", "", "", ""},
		{"", "1.0", "1", "word 1 of the output is"},
		{"case_sensitive", "A", "a", "word 1"},
		{"case_sensitive", "a", "a", ""},
		{"space_change_sensitive", "a b\n", "a b\n", ""},
		{"space_change_sensitive", "a  b\n", "a b\n", "the space before word 2"},
		{"space_change_sensitive", "a b", "a b\n", "the space before word 3"},
		{"float_tolerance 1e-6", "1.0000001", "1", ""},
		{"float_tolerance 1e-6", "1.00001", "1", "word 1"},
		{"float_tolerance 1e-6", "1000000.5", "1000000", ""},
		{"float_absolute_tolerance 0.1", "1000000.5", "1000000", "word 1"},
		{"float_relative_tolerance 0.1", "0.05", "0", "word 1"},
		{"float_relative_tolerance 0.1", "95", "100", ""},
		{"float_tolerance 1e-6", "x", "1", "word 1"},
		{"float_tolerance 1e-6", "nan", "1", "word 1"},
		{"float_tolerance 1e-6", "2", "two", "word 1"},
	} {
		c, err := ParseComparison(strings.Fields(test.flags))
		if err != nil {
			t.Fatal(err)
		}
		if found := c.Differ(test.output, test.answer); (found == "") != (test.want == "") || !strings.Contains(found, test.want) {
			t.Errorf("%q: %q and %q: found %q, expected %q", test.flags, test.output, test.answer, found, test.want)
		}
	}
	for _, flags := range []string{"float_tolerance", "float_tolerance x", "float_tolerance -1", "float_tolerance inf", "fuzzy"} {
		if _, err := ParseComparison(strings.Fields(flags)); err == nil {
			t.Errorf("%s: found no error", flags)
		}
	}
}
