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
