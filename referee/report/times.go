package report

import (
	"fmt"
	"math"
	"strings"
)

// Bins of the distribution of reply times.
const (
	timeBins   = 560
	binsDecade = 60 // for each power of ten microseconds
)

// Times is a distribution of reply times: how many took so long, by bins that are even in
// logarithms.
type Times [timeBins]int64

// Add counts a reply by its time, in microseconds.
func (t *Times) Add(us int64) {
	t[min(timeBins-1, int(binsDecade*math.Log10(float64(max(1, us)))+1e-9))]++
}

// Include counts the replies of another distribution as well.
func (t *Times) Include(other *Times) {
	for i, n := range other {
		t[i] += n
	}
}

// Replies is how many there are.
func (t *Times) Replies() (total int64) {
	for _, n := range t {
		total += n
	}
	return total
}

// Within is the time that a share of the replies took at most, in microseconds, rounded up
// to two digits.
func (t *Times) Within(share float64) int64 {
	last, sum, total := timeBins-1, int64(0), t.Replies()
	for i, n := range t {
		if sum += n; float64(sum) >= share*float64(total) {
			last = i
			break
		}
	}
	return twoFigures(int64(math.Ceil(timeEdge(last+1))) - 1)
}

// Grouped counts the replies in groups of so many bins, from the first group in which a
// reply is to the last; from is the first one's number. There is none without replies.
func (t *Times) Grouped(bins int) (counts []int64, from int) {
	all := make([]int64, timeBins/bins)
	first, last := len(all), -1
	for i, n := range t {
		if n > 0 {
			first, last = min(first, i/bins), max(last, i/bins)
			all[i/bins] += n
		}
	}
	if last < 0 {
		return nil, 0
	}
	return all[first : last+1], first
}

// timeEdge is where a bin begins, in microseconds.
func timeEdge(bin int) float64 { return math.Pow(10, float64(bin)/binsDecade) }

// TimeEdge writes the time at which a group of so many bins begins.
func TimeEdge(group, bins int) string { return TimeText(int64(math.Round(timeEdge(group * bins)))) }

// TimeText writes a time, given in microseconds, in the unit that suits it.
func TimeText(us int64) string {
	switch {
	case us < 1000:
		return fmt.Sprintf("%d µs", us)
	case us < 1_000_000:
		return trimZeros(fmt.Sprintf("%.3f", float64(us)/1000)) + " ms"
	}
	return trimZeros(fmt.Sprintf("%.3f", float64(us)/1e6)) + " s"
}

// trimZeros takes the zeros off a fraction.
func trimZeros(number string) string {
	return strings.TrimRight(strings.TrimRight(number, "0"), ".")
}
