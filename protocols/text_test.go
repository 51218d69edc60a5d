package protocols

import (
	"strings"
	"testing"
)

// TestQuote: what is cut off of a text begins with a whole character.
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb":                        `"a\nb"`,
		strings.Repeat("a", 60):       `"` + strings.Repeat("a", 60) + `"`,
		strings.Repeat("a", 61):       `"` + strings.Repeat("a", 60) + `"…`,
		"a" + strings.Repeat("Ж", 30): `"a` + strings.Repeat("Ж", 29) + `"…`,
		strings.Repeat("\x80", 61):    `"` + strings.Repeat(`\x80`, 56) + `"…`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: found %s, expected %s", text, got, want)
		}
	}
}

// TestTidy: of a reply only the fields and the values of numbers are left.
func TestTidy(t *testing.T) {
	for reply, want := range map[string]string{
		"": "", " ": "", "3": "3", "0": "0", "00": "0", "3 ": "3", " 3": "3", "3  4": "3 4", "3\t4\r": "3 4", "3 04": "3 4",
		"0 3": "0 3", "100 0": "100 0", "-05": "-05", "a 007 b": "a 7 b", "a0 b": "a0 b",
	} {
		if got := Tidy(reply); got != want {
			t.Errorf("%q becomes %q, expected %q", reply, got, want)
		}
	}
}
