package record

import "fmt"

// Charged returns what each event cost of its seat's budget, in microseconds.
// The error names the event whose cost does not agree with its time.
func (r Record) Charged() ([]int64, error) {
	costs := make([]int64, len(r.Events))
	asked := make(map[int]bool)
	for i, e := range r.Events {
		cost, _, err := r.charged(e, !asked[e.Seat])
		if err != nil {
			return nil, fmt.Errorf("events[%d].%w", i, err)
		}
		costs[i], asked[e.Seat] = cost, true
	}
	return costs, nil
}
