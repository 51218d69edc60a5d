package html

import (
	"fmt"
	"math"
	"strings"

	"umpire/referee/report"
	"umpire/referee/report/html/page"
)

// drawing is a plot as a page shows it.
type drawing struct {
	Title, Legend, Summary string
	Class                  string
	Width, Height          int
	Lines                  []stroke
	Dots                   []dot
	Boxes                  []box
	Texts                  []label

	plot       report.Plot
	left, tall float64 // where the plot begins, and how tall it is
}

// plotted is a plot as a page shows it; on a narrow screen that is Narrow.
type plotted struct {
	drawing
	Narrow drawing
}

// format is how wide a drawing is, in pixels, how many letters of a name it has, and its
// class in the style sheet.
type format struct {
	wide, letters int
	class         string
}

var wideFormat, narrowFormat = format{900, 28, "drawn"}, format{300, 12, "drawn narrow"}

// stroke is a line of a drawing, of a class in the style sheet.
type stroke struct{ Class, D string }

type dot struct {
	X, Y  float64
	Label string
}

type box struct {
	X, Y, W, H float64
	Label      string
}

type label struct {
	X, Y   float64
	Anchor string
	Text   string
}

// What a drawing takes, in pixels.
const (
	letterWide = 8 // of a label, at most
	spanTall   = 24
	barsTall   = 48
	pathTall   = 240
)

// drawings draws plots.
func drawings(plots []report.Plot) (list []plotted) {
	for _, p := range plots {
		narrow := newDrawing(p, narrowFormat)
		narrow.joinBoxes()
		list = append(list, plotted{newDrawing(p, wideFormat), narrow})
	}
	return list
}

func newDrawing(p report.Plot, in format) drawing {
	d := drawing{Title: p.Title, Legend: "Horizontally: " + p.Axis + ". " + p.Legend, Width: in.wide, Class: in.class, plot: p, left: 16}
	names := p.Names()
	if p.Path != nil {
		for _, b := range p.Path.Bounds {
			names = append(names, b.Label)
		}
	}
	for i, name := range names {
		names[i] = report.Cut(page.SafeLine(name), in.letters)
		d.left = max(d.left, float64(letterWide*report.Width(names[i])+26))
	}
	switch {
	case p.Path != nil:
		d.drawPath(names)
	case p.Bars != nil:
		d.drawBars(names)
	default:
		d.drawSpans(names)
	}
	d.drawAxis(in.letters)
	return d
}

// joinBoxes draws all boxes as one, which takes a fifth of their room; they lose their labels.
func (d *drawing) joinBoxes() {
	var all strings.Builder
	for _, b := range d.Boxes {
		fmt.Fprintf(&all, "M%g %gh%gv%gh-%gz", b.X, b.Y, b.W, b.H, b.W)
	}
	if d.Boxes = nil; all.Len() > 0 {
		d.Lines = append(d.Lines, stroke{"bars", all.String()})
	}
}

// x is where a value of the horizontal axis is.
func (d *drawing) x(at float64) float64 {
	return round1(d.left + (float64(d.Width)-20-d.left)*(at-d.plot.Low)/(d.plot.High-d.plot.Low))
}

// drawAxis draws the axis below what has been drawn, and the ticks across it. A label that
// would run into the one before it is left out.
func (d *drawing) drawAxis(letters int) {
	bottom := round1(d.tall)
	grid, end := "", math.Inf(-1)
	for _, t := range d.plot.Ticks {
		grid += fmt.Sprintf("M%g 4V%g", d.x(t.At), bottom+5)
		anchor, text := "middle", page.SafeLine(report.Cut(t.Label, letters))
		wide := float64(letterWide * report.Width(text))
		begin := d.x(t.At) - wide/2
		if begin+wide > float64(d.Width) {
			anchor, begin = "end", d.x(t.At)-wide
		} else if begin < 0 {
			anchor, begin = "start", d.x(t.At)
		}
		if begin > end {
			d.Texts = append(d.Texts, label{d.x(t.At), bottom + 20, anchor, text})
			end = begin + wide
		}
	}
	d.Texts = append(d.Texts, label{d.x(d.plot.High), bottom + 38, "end", d.plot.Axis})
	d.Lines = append([]stroke{{"grid", grid}, {"axis", fmt.Sprintf("M%g %gH%g", d.x(d.plot.Low), bottom, d.x(d.plot.High))}}, d.Lines...)
	d.Height = int(bottom) + 44
}

// summarize says what is drawn to those who can't see it.
func (d *drawing) summarize(parts []string) {
	const most = 20
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most:most], fmt.Sprintf("and %d more", more))
	}
	d.Summary = d.Title + ", " + d.plot.Axis + ": " + strings.Join(parts, "; ") + "."
}

func (d *drawing) drawSpans(names []string) {
	d.tall = float64(8 + spanTall*len(names))
	if d.plot.Mark != nil {
		d.Lines = append(d.Lines, stroke{"mark", fmt.Sprintf("M%g 4V%g", d.x(*d.plot.Mark), d.tall)})
	}
	var parts []string
	for i, s := range d.plot.Spans {
		y := float64(8 + spanTall/2 + spanTall*i)
		if s.Low != nil && s.High != nil {
			low, high := d.x(*s.Low), d.x(*s.High)
			d.Lines = append(d.Lines, stroke{"whisker", fmt.Sprintf("M%g %gH%gM%g %gV%gM%g %gV%g", low, y, high, low, y-6, y+6, high, y-6, y+6)})
		}
		said := page.SafeLine(s.Name) + " " + rated(&s.Rating)
		parts = append(parts, said)
		d.Dots = append(d.Dots, dot{d.x(s.Value), y, said})
		d.Texts = append(d.Texts, label{d.left - 12, y + 4, "end", names[i]})
	}
	d.summarize(parts)
}

func (d *drawing) drawBars(names []string) {
	d.tall = float64(8 + barsTall*len(names))
	var parts []string
	for i, b := range d.plot.Bars {
		bottom := float64(8 + barsTall*(i+1))
		highest, at := -1.0, 0
		for n, h := range b.Heights {
			if math.IsNaN(h) {
				continue
			}
			if h > highest {
				highest, at = h, n
			}
			if h > 0 {
				tall := max(1, round1((barsTall-8)*h))
				d.Boxes = append(d.Boxes, box{d.x(float64(n)), round1(bottom - tall), round1(max(1, 0.85*(d.x(float64(n+1))-d.x(float64(n))))), tall, page.SafeLine(b.Name + ", " + b.Labels[n])})
			}
		}
		if highest >= 0 {
			parts = append(parts, page.SafeLine(b.Name+" highest at "+b.Labels[at]))
		}
		d.Lines = append(d.Lines, stroke{"grid", fmt.Sprintf("M%g %gH%g", d.x(d.plot.Low), bottom, d.x(d.plot.High))})
		d.Texts = append(d.Texts, label{d.left - 12, bottom - 4, "end", names[i]})
	}
	d.summarize(parts)
}

func (d *drawing) drawPath(names []string) {
	d.tall = pathTall
	path := d.plot.Path
	low, high := path.Ends()
	y := func(v float64) float64 { return round1(12 + (pathTall-24)*(high-v)/(high-low)) }
	for i, b := range path.Bounds {
		d.Lines = append(d.Lines, stroke{"bound", fmt.Sprintf("M%g %gH%g", d.x(0), y(b.At), d.x(d.plot.High))})
		d.Texts = append(d.Texts, label{d.left - 12, y(b.At) + 4, "end", names[i]})
	}
	d.Lines = append(d.Lines, stroke{"grid", fmt.Sprintf("M%g %gH%g", d.x(0), y(0), d.x(d.plot.High))})
	d.Texts = append(d.Texts, label{d.left - 12, y(0) + 4, "end", "0"})
	var line strings.Builder
	fmt.Fprintf(&line, "M%g %g", d.x(0), y(0))
	every := (len(path.Values) + d.Width - 1) / d.Width // points of which one is drawn
	for n := every - 1; n < len(path.Values); n += every {
		fmt.Fprintf(&line, "L%g %g", d.x(float64(n+1)), y(path.Values[n]))
	}
	last := path.Values[len(path.Values)-1]
	fmt.Fprintf(&line, "L%g %g", d.x(d.plot.High), y(last))
	d.Lines = append(d.Lines, stroke{"path", line.String()})
	d.summarize([]string{fmt.Sprintf("%.2f after %d, with bounds at %.2f and %.2f", last, len(path.Values), path.Bounds[0].At, path.Bounds[1].At)})
}
