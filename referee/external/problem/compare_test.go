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
		{"float_tolerance 1e-6", "-.5E+1 5. +05", "-5 5e0 5.0", ""},
		{"float_tolerance 1e-6", "INF", "inf", ""}, // the same word
		{"float_tolerance 1e-6", "5", "inf", "word 1"},
		{"float_tolerance 1e-6", "-inf", "inf", "word 1"},
		{"float_tolerance 1e-6", "5", "Infinity", "word 1"},
		{"float_tolerance 1e-6", "inf", "5", "word 1"},
		{"float_tolerance 1e-6", "1e400", "1e500", "word 1"},
		{"float_tolerance 1e-6", "0x_1p0", "1", "word 1"},
		{"float_tolerance 1e-6", "1_000", "1000", "word 1"},
		{"", "caf\xe8", "caf\xe9", `word 1 of the output is "caf\xe8", expected "caf\xe9"`},
		{"", "\xff\xfe", "\x80\x81", "word 1"},
		{"", "\ufffd", "\xff", "word 1"},
		{"", "\u212a", "k", "word 1"},
		{"", "\u017f", "s", "word 1"},
		{"", "\u00c9", "\u00e9", "word 1"},
		{"", "a\u00a0b", "a b", "word 1"},
		{"case_sensitive", "a\u3000b", "a b", "word 1"},
		{"", "a\u0085b", "a b", "word 1"},
		{"", "a\fb\vc", "a b\tc", ""},
		{"space_change_sensitive", "a\u00a0b", "a b", "word 1"},
	} {
		for _, ieee := range []bool{false, true} {
			c, err := (&Problem{IEEE: ieee}).Comparison(strings.Fields(test.flags))
			if err != nil {
				t.Fatal(err)
			}
			if found := c.Differ(test.output, test.answer); (found == "") != (test.want == "") || !strings.Contains(found, test.want) {
				t.Errorf("%q, IEEE %t: %q and %q: found %q, expected %q", test.flags, ieee, test.output, test.answer, found, test.want)
			}
		}
	}
	for _, flags := range []string{"float_tolerance", "float_tolerance x", "float_tolerance -1", "float_tolerance inf", "float_tolerance 1_0", "fuzzy"} {
		for _, ieee := range []bool{false, true} {
			if _, err := (&Problem{IEEE: ieee}).Comparison(strings.Fields(flags)); err == nil {
				t.Errorf("%s, IEEE %t: found no error", flags, ieee)
			}
		}
	}
}

// TestComparisonOfVersions: older formats take what IEEE 754 does for a number, and of several
// tolerances the last one; in newer ones, numbers are decimal.
func TestComparisonOfVersions(t *testing.T) {
	for _, test := range []struct{ output, answer string }{
		{"0x1p0", "1"}, {"0x10", "16"}, {"16", "0X10"}, {"+Infinity", "inf"},
	} {
		for _, ieee := range []bool{false, true} {
			c, err := (&Problem{IEEE: ieee}).Comparison([]string{"float_tolerance", "1e-6"})
			if err != nil {
				t.Fatal(err)
			}
			if found := c.Differ(test.output, test.answer); (found == "") != ieee {
				t.Errorf("IEEE %t: %q and %q: found %q", ieee, test.output, test.answer, found)
			}
		}
	}
	for _, flags := range []string{
		"float_tolerance 1e-6 float_tolerance 1", "float_tolerance 1e-6 float_relative_tolerance 1", "float_absolute_tolerance 0 float_tolerance 1", "float_relative_tolerance 1 float_relative_tolerance 1",
		"float_tolerance 0x1p0",
	} {
		for _, ieee := range []bool{false, true} {
			c, err := (&Problem{IEEE: ieee}).Comparison(strings.Fields(flags))
			if (err == nil) != ieee || ieee && c.Differ("11", "10") != "" {
				t.Errorf("%s, IEEE %t: found %+v, %v", flags, ieee, c, err)
			}
		}
	}
	if _, err := new(Problem).Comparison(strings.Fields("float_absolute_tolerance 1e-6 float_relative_tolerance 1e-3")); err != nil {
		t.Error(err)
	}
}
