package report

import "testing"

func TestReflow(t *testing.T) {
	const text = `# A heading that is not broken

A paragraph of
two lines.
- an item that goes on
  here, with
  1. one of its own that
     goes on
- another

    shown  as it  is, whatever its width

| a table | too |`
	const narrow = `# A heading that is not broken

A paragraph of two
lines.
- an item that goes
  on here, with
  1. one of its own
     that goes on
- another

    shown  as it  is, whatever its width

| a table | too |`
	for room, want := range map[int]string{0: text, 100: text, 20: narrow} {
		if got := Reflow(text, room); got != want {
			t.Errorf("%d columns: found\n%s\nexpected\n%s", room, got, want)
		}
	}
}
