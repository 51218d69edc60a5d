package record

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestDigestOf(t *testing.T) {
	long := strings.Repeat("x", 3<<20) + "\n" // longer than what is read at a time
	for name, test := range map[string]struct {
		text         string
		most         int
		covers       string
		lines, after int
	}{
		"nothing":         {"", -1, "", 0, 0},
		"all":             {"a\n\nb\n", -1, "a\n\nb\n", 3, 0},
		"the first":       {"a\nb\nc\n", 1, "a\n", 1, 2},
		"none":            {"a\nb\n", 0, "", 0, 2},
		"fewer":           {"a\n", 3, "a\n", 1, 0},
		"torn":            {"a\nb", -1, "a\n", 1, 0},
		"torn afterwards": {"a\nb\nc", 1, "a\n", 1, 1},
		"long":            {"a\n" + long + long, 2, "a\n" + long, 2, 1},
	} {
		sum := sha256.Sum256([]byte(test.covers))
		want := Digest{Lines: test.lines, SHA256: hex.EncodeToString(sum[:])}
		if got, after, err := DigestOf(strings.NewReader(test.text), test.most); err != nil || got != want || after != test.after {
			t.Errorf("%s: found %+v, %d after it, %v; expected %+v, %d", name, got, after, err, want, test.after)
		}
	}
}
