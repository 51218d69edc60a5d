package dispatch

import "slices"

// measure holds the times that a worker has needed for each of the matches, in microseconds.
type measure [][]int64

// medians returns the middle of what was needed for each match; 0 if umpire failed to play it.
func (m measure) medians() []int64 {
	list := make([]int64, len(m))
	for i, times := range m {
		if slices.Sort(times); len(times) > 0 {
			list[i] = times[len(times)/2]
		}
	}
	return list
}

// over returns how many times as much a worker needs as another, in the middle of the matches;
// 1 where nothing can be compared.
func (m measure) over(reference []int64) float64 {
	var ratios []float64
	for i, mine := range m.medians() {
		if mine > 0 && reference[i] > 0 {
			ratios = append(ratios, float64(mine)/float64(reference[i]))
		}
	}
	if len(ratios) == 0 {
		return 1
	}
	slices.Sort(ratios)
	return (ratios[len(ratios)/2] + ratios[(len(ratios)-1)/2]) / 2
}
