package record

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestDigests(t *testing.T) {
	long := strings.Repeat("x", 3<<20) + "\n" // longer than what is read at a time
	for name, test := range map[string]struct {
		text         string
		of           int
		covers, all  string
		lines, after int
	}{
		"nothing":         {"", 0, "", "", 0, 0},
		"all":             {"a\n\nb\n", 3, "a\n\nb\n", "a\n\nb\n", 3, 0},
		"the first":       {"a\nb\nc\n", 1, "a\n", "a\nb\nc\n", 1, 2},
		"none":            {"a\nb\n", 0, "", "a\nb\n", 0, 2},
		"fewer":           {"a\n", 3, "a\n", "a\n", 1, 0},
		"torn":            {"a\nb", 2, "a\n", "a\n", 1, 0},
		"torn afterwards": {"a\nb\nc", 1, "a\n", "a\nb\n", 1, 1},
		"long":            {"a\n" + long + long, 2, "a\n" + long, "a\n" + long + long, 2, 1},
	} {
		digest := func(text string, lines int) Digest {
			sum := sha256.Sum256([]byte(text))
			return Digest{lines, hex.EncodeToString(sum[:])}
		}
		first, all := digest(test.covers, test.lines), digest(test.all, test.lines+test.after)
		if found, whole, err := Digests(strings.NewReader(test.text), test.of); err != nil || found != first || whole != all {
			t.Errorf("%s: found %+v and %+v, %v; expected %+v and %+v", name, found, whole, err, first, all)
		}
	}
}
