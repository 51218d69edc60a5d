// Package svg writes pictures of positions, for the games whose matches
// are Drawers. It holds what their pictures have in common: the document, the
// style sheet for light and dark, text, arrows, dice, scores. It knows no game.
//
// A picture is a flat list of parts below the root, each with a data-key. A game
// draws the same parts in the same order in every position of a match, leaving
// empty those it does not need; then a page can turn one picture into the next
// by replacing the parts that differ. What is drawn inside a part is placed
// relative to it, so that equal things have equal text wherever they are.
package svg

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Width is the width of every picture. Pictures are meant to be readable where
// a unit is a pixel, so no text is smaller than 11 units.
const Width = 320

// Picture is a picture being drawn.
type Picture struct {
	b       []byte
	height  int
	top     int    // of what is below the scores
	caption int    // its first line; 0 without one
	below   bool   // something is below the caption
	unit    string // of the scores
}

// New begins a picture of that height as a seat sees it; seat 0 is an onlooker.
// Title names the picture, desc describes the position, both in words: they are
// read out to people who can't see it.
func New(seat, height int, title, desc string) *Picture {
	p := &Picture{b: make([]byte, 0, 16<<10), height: height}
	role := "img"
	if seat > 0 { // the parts of an image can't be reached to be clicked
		role = "group"
	}
	size := strconv.Itoa(Width) + " " + strconv.Itoa(height)
	p.raw(`<svg xmlns="http://www.w3.org/2000/svg" class="drawn" viewBox="0 0 ` + size + `" role="` + role + `">` + styleElement)
	p.raw(`<title data-key="title">`)
	p.escape(title)
	p.raw(`</title><desc data-key="desc">`)
	p.escape(desc)
	p.raw(`</desc><g data-key="paper">`)
	p.Rect("paper", 0, 0, Width, height, 0)
	p.End()
	return p
}

// String ends the picture and returns it. Where the scores are above the board, or the
// caption is below it, data-board says from which y on, and in which height, the picture
// has neither: a page that shows them beside the board needs no more, except data-unit,
// which says what the scores count.
func (p *Picture) String() string {
	bottom := p.height
	if p.caption > 0 && !p.below {
		bottom = p.caption - 12
	}
	text := string(p.b) + "</svg>"
	if p.top == 0 && bottom == p.height {
		return text
	}
	const before = "<svg"
	facts := ` data-board="` + strconv.Itoa(p.top) + " " + strconv.Itoa(bottom-p.top) + `"`
	if p.unit != "" {
		facts += ` data-unit="` + p.unit + `"`
	}
	return before + facts + text[len(before):]
}

// Shapes are shapes alone, for a page that lays them over a picture.
func Shapes(draw func(*Picture)) string {
	p := new(Picture)
	draw(p)
	return string(p.b)
}

// Part begins the part with that key; its own (0, 0) is at (x, y). Parts do not
// nest.
func (p *Picture) Part(key string, x, y int) { p.Button(key, x, y, "", "") }

// Glide begins a part like Part that a page lets move to (x, y): from a point, "x y", or
// along the arrow of an earlier part with that key.
func (p *Picture) Glide(key, from string, x, y int) {
	p.Part(key, x, y)
	p.b = p.b[:len(p.b)-1]
	p.raw(` data-from="` + from + `">`)
}

// Button begins a part that gives a reply when clicked; the label says what the
// reply does. Without a reply it is a part like any other.
func (p *Picture) Button(key string, x, y int, reply, label string) {
	if p.caption > 0 && y > p.caption {
		p.below = true
	}
	p.raw(`<g data-key="` + key + `"`)
	if x != 0 || y != 0 {
		p.raw(` transform="translate(`)
		p.number(x)
		p.raw(" ")
		p.number(y)
		p.raw(`)"`)
	}
	if reply != "" {
		p.raw(` role="button" tabindex="0" data-reply="`)
		p.escape(reply)
		p.raw(`" aria-label="`)
		p.escape(label)
		p.raw(`"`)
	}
	p.raw(">")
}

// End ends the part that was begun last.
func (p *Picture) End() { p.raw("</g>") }

// Rect draws a rectangle with corners of that radius.
func (p *Picture) Rect(class string, x, y, width, height, radius int) {
	p.shape("rect", class)
	p.attribute("x", x)
	p.attribute("y", y)
	p.attribute("width", width)
	p.attribute("height", height)
	p.attribute("rx", radius)
	p.raw("/>")
}

// Circle draws a circle.
func (p *Picture) Circle(class string, x, y, radius int) {
	p.shape("circle", class)
	p.attribute("cx", x)
	p.attribute("cy", y)
	p.attribute("r", radius)
	p.raw("/>")
}

// Path draws a path; the data is written as is, unescaped.
func (p *Picture) Path(class, data string) {
	p.shape("path", class)
	p.raw(` d="` + data + `"/>`)
}

// Text writes a line centred at (x, y); with class "l" it begins there, with
// "r" it ends there.
func (p *Picture) Text(class string, x, y int, text string) {
	p.shape("text", class)
	p.attribute("x", x)
	p.attribute("y", y)
	p.raw(">")
	p.escape(text)
	p.raw("</text>")
}

// Point is a point in a part, x and y.
type Point [2]int

// Between is the line from one point to another, shortened by begin and end
// units at its two ends.
func Between(from, to Point, begin, end int) []Point {
	dx, dy := float64(to[0]-from[0]), float64(to[1]-from[1])
	length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if length == 0 {
		return []Point{from, to}
	}
	at := func(d float64) Point {
		return Point{from[0] + int(math.Round(dx*d/length)), from[1] + int(math.Round(dy*d/length))}
	}
	return []Point{at(float64(begin)), at(length - float64(end))}
}

// Arrow draws a line from the first point to the last, with a head there.
// Points in between bend it, like corners cut off.
func (p *Picture) Arrow(class string, points ...Point) {
	from, to := points[len(points)-2], points[len(points)-1]
	p.shape("path", class)
	p.raw(` d="M`)
	p.point(float64(points[0][0]), float64(points[0][1]))
	for i, corner := range points[1 : len(points)-1] {
		next := points[i+2]
		p.raw("Q")
		p.point(float64(corner[0]), float64(corner[1]))
		p.raw(" ")
		p.point(float64(corner[0]+next[0])/2, float64(corner[1]+next[1])/2)
	}
	p.raw("L")
	p.point(float64(to[0]), float64(to[1]))
	p.head(from, to)
	p.raw(`"/>`)
}

// head adds the head of an arrow to its path.
func (p *Picture) head(from, to Point) {
	const length, spread = 8, 0.6 // spread: half the width over the length
	dx, dy := float64(to[0]-from[0]), float64(to[1]-from[1])
	if d := math.Sqrt(float64(dx*dx) + float64(dy*dy)); d > 0 {
		dx, dy = dx/d*length, dy/d*length
	}
	x, y := float64(to[0]), float64(to[1])
	p.raw("M")
	p.point(x-dx-float64(dy*spread), y-dy+float64(dx*spread))
	p.raw("L")
	p.point(x, y)
	p.raw("L")
	p.point(x-dx+float64(dy*spread), y-dy-float64(dx*spread))
}

// point writes a point to a tenth of a unit.
func (p *Picture) point(x, y float64) {
	p.b = strconv.AppendFloat(p.b, math.Round(x*10)/10, 'f', -1, 64)
	p.raw(" ")
	p.b = strconv.AppendFloat(p.b, math.Round(y*10)/10, 'f', -1, 64)
}

func (p *Picture) raw(text string) { p.b = append(p.b, text...) }

func (p *Picture) number(n int) { p.b = strconv.AppendInt(p.b, int64(n), 10) }

func (p *Picture) shape(name, class string) {
	p.raw("<" + name)
	if class != "" {
		p.raw(` class="` + class + `"`)
	}
}

// attribute writes a number; 0 is left out, which means the same thing.
func (p *Picture) attribute(name string, n int) {
	if n != 0 {
		p.raw(" " + name + `="`)
		p.number(n)
		p.raw(`"`)
	}
}

// escaper escapes the characters that have a meaning in XML.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// escape writes text from any source. White space becomes a space; a character
// that can't be seen, such as a control character or one that changes the
// direction of writing, becomes a replacement character.
func (p *Picture) escape(text string) {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsGraphic(r):
			return r
		}
		return unicode.ReplacementChar
	}, text)
	p.raw(escaper.Replace(visible))
}
