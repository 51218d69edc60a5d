package record

import "fmt"

// Charged returns what each event cost of its seat's budget, in microseconds. A
// failure costs nothing more. The error names the event whose cost does not
// agree with its time.
func (r Record) Charged() ([]int64, error) {
	costs := make([]int64, len(r.Events))
	replied := make(map[int]bool)
	for i, e := range r.Events {
		if e.Fail != "" {
			continue
		}
		cost, _, err := r.charged(e, !replied[e.Seat])
		if err != nil {
			return nil, fmt.Errorf("events[%d].%w", i, err)
		}
		costs[i], replied[e.Seat] = cost, true
	}
	return costs, nil
}
