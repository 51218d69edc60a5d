package html

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"umpire/referee/report"
	"umpire/referee/strength"
)

// TestDrawing: what a plot shows is where its axis says, in words too, and names are text.
func TestDrawing(t *testing.T) {
	low, high, mark := 1400.0, 1600.0, 1500.0
	ticks := []report.Tick{{At: 1400, Label: "1400"}, {At: 1600, Label: "1600"}}
	list := drawings([]report.Plot{
		{Title: "Ratings", Axis: "Elo", Low: low, High: high, Ticks: ticks, Mark: &mark, Legend: "●: it.", Spans: []report.Span{
			{Name: "<b>", Rating: strength.Rating{Value: 1450, Low: &low, High: &high}}, {Name: "b", Rating: strength.Rating{Value: 1550}},
		}},
		{Title: "Score", Axis: "case", High: 2, Legend: "Height.", Ticks: []report.Tick{{At: 0, Label: "one"}}, Bars: []report.Bars{
			{Name: "a", Heights: []float64{1, 0.5}, Labels: []string{"one: 8", "two: 4"}}, {Name: "b", Heights: []float64{math.NaN(), 0}, Labels: []string{"one", "two: 0"}},
		}},
		{Title: "LLR", Axis: "pairs", High: 2, Legend: "L.", Path: &report.Path{Values: []float64{1, 3}, Bounds: []report.Tick{{At: 3, Label: "H1 3"}, {At: -3, Label: "H0 -3"}}}},
	})
	d := list[0].drawing
	left, right := d.x(low), d.x(high)
	if d.Dots[0].X != round1(left+(right-left)/4) || d.Dots[1].X != round1(left+(right-left)*3/4) {
		t.Errorf("the dots are at %v, of an axis from %v to %v", d.Dots, left, right)
	}
	if want := "Ratings, Elo: <b> 1450, 95 % interval 1400 to 1600; b 1550."; d.Summary != want {
		t.Errorf("found %q, expected %q", d.Summary, want)
	}
	for _, dot := range list[0].Narrow.Dots {
		if dot.X < 30 || dot.X > 290 {
			t.Errorf("on a narrow screen a dot is at %g", dot.X)
		}
	}
	d = list[1].drawing
	if n := len(d.Boxes); n != 2 || d.Boxes[0].H != 2*d.Boxes[1].H || d.Boxes[1].X != d.x(1) || d.Boxes[0].Label != "a, one: 8" {
		t.Errorf("found the bars %+v", d.Boxes)
	}
	if want := "Score, case: a highest at one: 8; b highest at two: 0."; d.Summary != want {
		t.Errorf("found %q, expected %q", d.Summary, want)
	}
	d = list[2].drawing
	// From the top, 12, to the bottom, 228: 3 to -3. The path begins at 0, before any pair.
	if got, want := d.Lines[len(d.Lines)-1].D, fmt.Sprintf("M%g 120L%g 84L%g 12L%g 12", d.x(0), d.x(1), d.x(2), d.x(2)); got != want {
		t.Errorf("found the path %s, expected %s", got, want)
	}
	var page strings.Builder
	must(t, templates().ExecuteTemplate(&page, "plots", rankingView{Plots: list}))
	_, drawn, _ := strings.Cut(page.String(), "<svg")
	for in := xml.NewDecoder(strings.NewReader("<svg" + drawn[:strings.Index(drawn, "</svg>")] + "</svg>")); ; {
		token, err := in.Token()
		if err == io.EOF {
			break
		}
		must(t, err)
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "b" {
			t.Error("a name has become an element")
		}
	}
}
