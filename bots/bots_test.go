package bots_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"umpire/bots"
)

func TestInts(t *testing.T) {
	table := bots.NewTable("nim", 1, 2, strings.NewReader("  3 -1\t+2 007\r\n\n12 x\n9999999999999999999\n"), io.Discard)
	if got, err := table.Ints(); err != nil || !slices.Equal(got, []int{3, -1, 2, 7}) {
		t.Errorf("read %v, %v", got, err)
	}
	for _, want := range []string{`read "12 x", expected integers`, `read "9999999999999999999", expected integers`} {
		if got, err := table.Ints(); err == nil || err.Error() != want {
			t.Errorf("read %v, %v, want %s", got, err, want)
		}
	}
	if got, err := table.Ints(); err != io.EOF {
		t.Errorf("at the end of the input, read %v, %v", got, err)
	}
}
