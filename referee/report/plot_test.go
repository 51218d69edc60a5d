package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"umpire/referee/strength"
)

// TestTicks: the labels of an axis are round numbers within it, whatever its ends are.
func TestTicks(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		want      []float64
	}{
		{0, 47, []float64{0, 10, 20, 30, 40}},
		{1126, 1874, []float64{1200, 1300, 1400, 1500, 1600, 1700, 1800}},
		{-1, 1, []float64{-1, -0.5, 0, 0.5, 1}},
		{0, 1, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
	} {
		var got []float64
		for _, tick := range ticks(test.low, test.high) {
			got = append(got, math.Round(tick.At*1e9)/1e9)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v to %v: found %v, expected %v", test.low, test.high, got, test.want)
		}
	}
	for _, ends := range [][2]float64{{1e9, 1e9}, {1e9, 1e9 + 2e-7}, {-1e9, 1e9}, {1e-12, 3e-12}} {
		p := Plot{Spans: []Span{{"a", strength.Rating{Value: ends[0]}}, {"b", strength.Rating{Value: ends[1]}}}}.measured("")
		if n := len(p.Ticks); n < 1 || n > 12 || p.Low >= p.High {
			t.Errorf("%v: found %d labels from %v to %v", ends, n, p.Low, p.High)
		}
	}
}

// TestPathIsDrawn: a path begins at 0, and ends where its last value is, between its bounds
// or beyond them.
func TestPathIsDrawn(t *testing.T) {
	p := Plot{High: 4, Path: &Path{[]float64{1, 2, 3, 5}, []Tick{{5, "up"}, {-5, "down"}}}}
	lines := p.lines(20) // 14 columns beside names of 4
	if n := len(lines); n != plotLines+2 {
		t.Fatalf("%d lines", n)
	}
	for line, want := range map[int]string{0: "up    ╌╌╌╌╌╌╌╌╌╌╌╌••", 5: "0     ••            ", 10: "down  ╌╌╌╌╌╌╌╌╌╌╌╌╌╌"} {
		if lines[line] != want {
			t.Errorf("line %d is %q, expected %q", line, lines[line], want)
		}
	}
	for _, line := range lines {
		if strings.TrimRight(line, " ") != "" && Width(line) > 20 {
			t.Errorf("%q is wider than 20 columns", line)
		}
	}
}
