package vmukni

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
)

// pictured compares a picture with lines that begin with "|".
func pictured(t *testing.T, m protocols.Match, want string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(want) {
		if _, line, ok := strings.Cut(line, "|"); ok {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	if diff := cmp.Diff(strings.Join(lines, "\n"), m.String()); diff != "" {
		t.Errorf("%s\n%v", diff, m)
	}
}

func TestPicture(t *testing.T) {
	m := worked(t)
	pictured(t, m, `
		|The start: ways 1 to 5 lead in from the left, 6 to 10 from above, 11 to 15 from the right.
		|
		|        6  7  8  9 10
		|    1 | .  .  .  .  . | 11
		|    2 | .  .  4  .  . | 12
		|    3 | 2  .  2  2  . | 13
		|    4 | 1  2  4  2  . | 14
		|    5 | 3  1  4  5  . | 15
		|        1  2  3  4  5
		|
		|Score: seat 1 0, seat 2 0. Next: move 1 of 2, seat 1.
		|Queue: [3] and 1 face down`)
	m.Reply(1, "3")
	pictured(t, m, `
		|Move 1, seat 1: way 3, tile 3 from the left into row 3, 30 points.
		|  row 3, columns 2 to 4: 3 tiles 2, 10 points
		|  column 3, rows 3 to 5: 3 tiles 4, 20 points
		|
		|        6  7  8  9 10                    6  7  8  9 10
		|    1 | .  .  .  .  . | 11           1 | .  .  .  .  . | 11
		|    2 | .  .  4  .  . | 12           2 | .  .  .  .  . | 12
		|3 → 3 | 3 [2][2][2] . | 13           3 | 3  . [4] .  . | 13
		|    4 | 1  2  4  2  . | 14           4 | 1  2 [4] 2  . | 14
		|    5 | 3  1  4  5  . | 15           5 | 3  1 [4] 5  . | 15
		|        1  2  3  4  5                    1  2  3  4  5
		|
		|        6  7  8  9 10
		|    1 | .  .  .  .  . | 11
		|    2 | .  .  .  .  . | 12
		|    3 | 3  .  .  .  . | 13
		|    4 | 1  2  .  2  . | 14
		|    5 | 3  1  .  5  . | 15
		|        1  2  3  4  5
		|
		|Score: seat 1 30, seat 2 0. Next: move 2 of 2, seat 2.
		|Queue: [2]`)
}

func TestPictureOfDrops(t *testing.T) {
	m := newMatch(mustParse(t, sample))
	m.Next()
	m.Reply(1, "14")
	pictured(t, m, `
		|Move 1, seat 1: way 14, tile 3 from the right into row 4, 4 falls off, 0 points.
		|
		|        6  7  8  9 10
		|    1 | 1  2  3  4  1 | 11
		|    2 | 2  3  4  1  2 | 12
		|    3 | 3  4  1  2  3 | 13
		|4 ← 4 | 1  2  3  4  3 | 14 ← 3
		|    5 | 1  2  3  4  1 | 15
		|        1  2  3  4  5
		|
		|Score: seat 1 0, seat 2 0. Next: move 2 of 2, seat 2.
		|Queue: [2]`)
	m.Next()
	m.Fail(2, protocols.Failure{Kind: protocols.KindTime})
	pictured(t, m, `
		|Seat 2 failed (time): way 6 is played for it from now on.
		|Move 2, seat 2: way 6, tile 2 from above into column 1, 1 falls off, 0 points.
		|
		|        2↓
		|        6  7  8  9 10
		|    1 | 2  2  3  4  1 | 11
		|    2 | 1  3  4  1  2 | 12
		|    3 | 2  4  1  2  3 | 13
		|    4 | 3  2  3  4  3 | 14
		|    5 | 1  2  3  4  1 | 15
		|        1  2  3  4  5
		|        1↓
		|
		|Score: seat 1 0, seat 2 0. The match is over.`)
}

// TestPictureOfFailure shows a move played without asking.
func TestPictureOfFailure(t *testing.T) {
	m := newMatch(mustParse(t, strings.Replace(sample+" 1 1", "2 1 4", "4 1 4", 1)))
	m.Next()
	m.Fail(1, protocols.Failure{Kind: protocols.KindCrash})
	m.Next()
	m.Reply(2, "7")
	m.Next()
	pictured(t, m, `
		|Move 3, seat 1, played for it: way 6, tile 1 from above into column 1, 4 falls off, 0 points.
		|
		|        1↓
		|        6  7  8  9 10
		|    1 | 1  2  3  4  1 | 11
		|    2 | 3  2  4  1  2 | 12
		|    3 | 1  3  1  2  3 | 13
		|    4 | 2  4  2  3  4 | 14
		|    5 | 3  1  3  4  1 | 15
		|        1  2  3  4  5
		|        4↓
		|
		|Score: seat 1 0, seat 2 0. Next: move 4 of 4, seat 2.
		|Queue: [1]`)
}

// TestPictureWidth checks that a picture fits into 100 columns.
func TestPictureWidth(t *testing.T) {
	c, err := generate("extreme", 6)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(Seats)
	drive(t, m, func(int) string {
		for line := range strings.Lines(m.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 100 {
				t.Fatalf("%d columns: %s", n, line)
			}
		}
		return "8"
	})
}
