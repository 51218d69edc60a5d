package referee

import (
	"slices"
	"testing"

	"umpire/protocols"
)

// TestBrokenComesLast: seats that never ran score nothing and come last, whatever
// the game gave them, and the others keep their order.
func TestBrokenComesLast(t *testing.T) {
	for _, test := range []struct {
		broken []bool
		places []int // by the game
		want   []int
	}{
		{[]bool{false, false}, []int{2, 1}, []int{2, 1}},
		{[]bool{true, false}, []int{1, 2}, []int{2, 1}},
		{[]bool{true, false, true, false}, []int{1, 2, 3, 4}, []int{3, 1, 3, 2}},
		{[]bool{false, true, false}, []int{1, 1, 1}, []int{1, 3, 1}},
		{[]bool{true, true}, []int{2, 1}, []int{2, 2}},
		{[]bool{true}, []int{1}, []int{1}},
	} {
		d := &driver{seats: make([]seat, len(test.broken))}
		outcomes := make([]protocols.Outcome, len(test.broken))
		for i, broken := range test.broken {
			outcomes[i] = protocols.Outcome{Score: protocols.Points(5), Place: test.places[i]}
			d.seats[i].failure = &protocols.Failure{Kind: protocols.KindCrash}
			if broken {
				d.seats[i].failure = &protocols.Failure{Kind: protocols.KindCompile}
				if i%2 == 1 {
					d.seats[i].failure = &protocols.Failure{Kind: protocols.KindCrash, Detail: protocols.Absent + " within 60 s"}
				}
			}
		}
		d.demote(outcomes)
		var places []int
		for i, o := range outcomes {
			places = append(places, o.Place)
			if (o.Score == protocols.Points(0)) != test.broken[i] {
				t.Errorf("%v: seat %d scores %v", test.broken, i+1, o.Score)
			}
		}
		if !slices.Equal(places, test.want) {
			t.Errorf("%v, places %v: got %v, expected %v", test.broken, test.places, places, test.want)
		}
	}
}
