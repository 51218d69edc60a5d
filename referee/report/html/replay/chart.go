package replay

import (
	"fmt"
	"math"
	"strings"

	"umpire/referee/report"
)

// chart shows how long each reply took, on a logarithmic scale: a lane for each
// seat, in which a bar stands where its step is.
type chart struct {
	Low, High string // the times at the bottom and the top
	Grid      string // path of the lines between them, one for each power of ten
	Wide      bool   // there is room for wide bars
	Lanes     []lane
}

// maxWide is how many steps there may be for wide bars on a narrow screen.
const maxWide = 60

// lane is one seat's. Paths are within 1000 by 100 units.
type lane struct {
	Seat        int
	Bot         string
	Bars        string
	Slowest     string // time of the slowest reply; "" if there was none
	SlowestStep int
}

// newChart draws the times of steps. Without any it has no lanes.
func newChart(steps []step, bots []string) chart {
	low, high := int64(math.MaxInt64), int64(0)
	for _, s := range steps {
		if s.timed {
			low, high = min(low, max(1, s.WallUS)), max(high, s.WallUS)
		}
	}
	if low > max(1, high) {
		return chart{}
	}
	bottom := math.Floor(math.Log10(float64(low)))
	top := max(bottom+1, math.Ceil(math.Log10(float64(max(1, high)))))
	c := chart{Low: report.TimeText(int64(math.Pow(10, bottom))), High: report.TimeText(int64(math.Pow(10, top)))}
	c.Wide = len(steps) <= maxWide
	var grid strings.Builder
	for power := bottom; power <= top; power++ {
		fmt.Fprintf(&grid, "M0 %dH1000", height(power, bottom, top))
	}
	c.Grid = grid.String()
	for i, bot := range bots {
		l := lane{Seat: i + 1, Bot: bot}
		var bars strings.Builder
		slowest := int64(-1)
		for n, s := range steps {
			if !s.timed || s.Seat != i+1 {
				continue
			}
			y := height(math.Log10(float64(max(1, s.WallUS))), bottom, top)
			fmt.Fprintf(&bars, "M%.1f 100V%d", 1000*(float64(n)+.5)/float64(len(steps)), y)
			if s.WallUS > slowest {
				slowest, l.SlowestStep = s.WallUS, n
				l.Slowest = report.TimeText(s.WallUS)
			}
		}
		l.Bars = bars.String()
		c.Lanes = append(c.Lanes, l)
	}
	return c
}

// height is where a power of ten stands; the bottom is a little above 100, so
// that there is a bar for every reply.
func height(power, bottom, top float64) int {
	return int(math.Round(94 - 92*(power-bottom)/(top-bottom)))
}
