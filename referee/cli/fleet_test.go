package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"umpire/referee/fleet/recheck"
)

// TestNoteRechecks: where nothing was played again, it is said why.
func TestNoteRechecks(t *testing.T) {
	for want, found := range map[string]recheck.Summary{
		"recheck: the sample has none of the matches that workers have played\n":                                                     {},
		"recheck: 1 match could not be played again: nobody else could (workers at one address: only with keys), or umpire failed\n": {Skipped: 1},
		"recheck: 2 matches played again elsewhere, 1 with the same outcome\n":                                                       {Matches: 2, Same: 1},
	} {
		var out bytes.Buffer
		noteRechecks(newApp(strings.NewReader(""), &out, &out, os.DirFS("../../testdata/cases")), &found)
		if out.String() != want {
			t.Errorf("%+v: found %q, expected %q", found, out.String(), want)
		}
	}
}
