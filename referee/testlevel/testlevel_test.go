package testlevel

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// at runs a test at a level, whatever the level of this run is.
func at(t *testing.T, short bool, word string) {
	t.Helper()
	was := testing.Short()
	set := func(short bool) {
		if err := flag.Set("test.short", fmt.Sprint(short)); err != nil {
			t.Fatal(err)
		}
	}
	set(short)
	t.Cleanup(func() { set(was) })
	t.Setenv(variable, word)
}

func TestCurrent(t *testing.T) {
	for _, c := range []struct {
		short bool
		word  string
		want  Level
	}{
		{false, "", Default}, {false, "thorough", Thorough}, {false, "release", Release},
		{true, "", Short}, {true, "release", Short},
	} {
		t.Run(fmt.Sprint(c.short, c.word), func(t *testing.T) {
			at(t, c.short, c.word)
			if got := Current(); got != c.want {
				t.Errorf("level %d, expected %d", got, c.want)
			}
		})
	}
}

func TestUnknownLevel(t *testing.T) {
	at(t, true, "through")
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, `found "through"`) {
			t.Errorf("panic %q", got)
		}
	}()
	Current()
}

func TestNeeds(t *testing.T) {
	skipped := func(level Level) (skipped bool) {
		t.Run("needs", func(t *testing.T) {
			t.Cleanup(func() { skipped = t.Skipped() })
			Needs(t, level)
		})
		return skipped
	}
	at(t, false, "thorough")
	if skipped(Default) || skipped(Thorough) || !skipped(Release) {
		t.Error("expected what needs a release run to be skipped, and nothing else")
	}
}

func TestTimes(t *testing.T) {
	for word, want := range map[string]int{"": 2, "thorough": 3, "release": 4} {
		t.Run(word, func(t *testing.T) {
			at(t, false, word)
			if got := Times(1, 2, 3, 4); got != want {
				t.Errorf("%d times, expected %d", got, want)
			}
			if got := Times(1, 2, 3); got != min(want, 3) {
				t.Errorf("%d times of three numbers, expected %d", got, min(want, 3))
			}
		})
	}
}

// shapes are sizes of dimensions as tests have them, and odd ones.
var shapes = [][]int{{1}, {5}, {2, 4}, {4, 3, 2}, {4, 4, 110}, {3, 13, 2, 2}, {2, 4, 5, 3}, {9, 8, 7, 6, 5}, {1, 1, 1}, {3, 0, 2}, {2, 2, 2, 2, 2, 2, 2, 2}}

// tuples counts what occurs in a set of rows: the values of each choice of so
// many dimensions.
func tuples(rows [][]int, strength int) map[string]bool {
	found := make(map[string]bool)
	var choose func(row []int, from, left int, have string)
	choose = func(row []int, from, left int, have string) {
		if left == 0 {
			found[have] = true
			return
		}
		for d := from; d < len(row); d++ {
			choose(row, d+1, left-1, fmt.Sprint(have, " ", d, "=", row[d]))
		}
	}
	for _, row := range rows {
		choose(row, 0, strength, "")
	}
	return found
}

// TestCovering: each choice of so many dimensions occurs with each combination of
// its values; no row comes twice, and none has a value that there is not.
func TestCovering(t *testing.T) {
	for _, sizes := range shapes {
		all := product(sizes)
		for strength := range min(len(sizes), 3) {
			rows := Covering(strength, sizes...)
			got, want := tuples(rows, strength), tuples(all, strength)
			for tuple := range want {
				if !got[tuple] {
					t.Errorf("strength %d of %v: %s does not occur in %v", strength, sizes, tuple, rows)
				}
			}
			if len(got) != len(want) {
				t.Errorf("strength %d of %v: %d tuples, expected %d", strength, sizes, len(got), len(want))
			}
			if again := tuples(rows, len(sizes)); len(again) != len(rows) {
				t.Errorf("strength %d of %v: %d of %d rows differ", strength, sizes, len(again), len(rows))
			}
		}
	}
}

// TestCoveringIsSmall: a set of pairs is not much larger than the product of the
// two largest dimensions, below which there is none.
func TestCoveringIsSmall(t *testing.T) {
	for _, sizes := range shapes {
		if len(sizes) < 3 || slices.Contains(sizes, 0) {
			continue
		}
		sorted := slices.Sorted(slices.Values(sizes))
		least := sorted[len(sorted)-1] * sorted[len(sorted)-2]
		if n := len(Covering(2, sizes...)); n < least || n > 2*least+2 {
			t.Errorf("%v: %d rows for pairs, expected %d or up to twice as many", sizes, n, least)
		}
	}
}

func TestCombine(t *testing.T) {
	for _, c := range []struct {
		word string
		want []string
	}{
		{"", []string{"a/x/1", "b/y/2"}},
		{"thorough", []string{"a/x/1", "a/y/2", "b/x/2", "b/y/1"}},
		{"release", []string{"a/x/1", "a/x/2", "a/y/1", "a/y/2", "b/x/1", "b/x/2", "b/y/1", "b/y/2"}},
	} {
		t.Run("level "+c.word, func(t *testing.T) {
			at(t, false, c.word)
			var got []string
			Combine(t, []Dimension{{"a", "b"}, {"x", "y"}, {"1", "2"}}, func(t *testing.T, values []string) {
				got = append(got, strings.Join(values, "/"))
				if !strings.HasSuffix(t.Name(), got[len(got)-1]) {
					t.Errorf("the subtest of %v is called %s", values, t.Name())
				}
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, expected %v", got, c.want)
			}
		})
	}
}
