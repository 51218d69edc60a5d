package protocols_test

import (
	"slices"
	"testing"

	"umpire/protocols"
)

// Ties share the better place, and as many places are left out after it.
func TestPlaces(t *testing.T) {
	for _, test := range []struct{ scores, want []int }{
		{nil, []int{}},
		{[]int{7}, []int{1}},
		{[]int{3, 9}, []int{2, 1}},
		{[]int{5, 5}, []int{1, 1}},
		{[]int{4, 8, 4, 1}, []int{2, 1, 2, 4}},
		{[]int{2, 2, 0, 2}, []int{1, 1, 4, 1}},
	} {
		got := protocols.Places(len(test.scores), func(a, b int) bool { return test.scores[a] > test.scores[b] })
		if !slices.Equal(got, test.want) {
			t.Errorf("scores %v: places %v, want %v", test.scores, got, test.want)
		}
	}
}

func TestUnknownGroup(t *testing.T) {
	for _, test := range []struct {
		known []string
		want  string
	}{
		{[]string{"small"}, `generate chess: found group "x\x1b", expected small`},
		{[]string{"small", "large"}, `generate chess: found group "x\x1b", expected one of small, large`},
	} {
		if err := (&protocols.UnknownGroup{Game: "chess", Group: "x\x1b", Known: test.known}); err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

func TestCheckSeats(t *testing.T) {
	for _, test := range []struct {
		seats, low, high int
		want             any
	}{
		{1, 1, 1, nil},
		{4, 2, 4, nil},
		{2, 1, 1, "chess: found 2 seats, expected 1"},
		{1, 2, 4, "chess: found 1 seats, expected 2 to 4"},
		{5, 2, 4, "chess: found 5 seats, expected 2 to 4"},
	} {
		func() {
			defer func() {
				if got := recover(); got != test.want {
					t.Errorf("%d seats: panic %v, want %v", test.seats, got, test.want)
				}
			}()
			protocols.CheckSeats("chess", test.seats, test.low, test.high)
		}()
	}
}
