package svg

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Caption adds a part with a sentence or more, in up to that many lines, the
// first at y.
func (p *Picture) Caption(y, lines int, text string) {
	const leading = 17
	p.Part("caption", 8, y)
	p.caption = y
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	for i, line := range Wrap(text, lineOfCaption, lines) {
		p.Text("l", 0, i*leading, line)
	}
	p.End()
}

// lineOfCaption is the number of characters that fit on a line as wide as the
// picture, in the widest of the common fonts.
const lineOfCaption = 42

// Wrap breaks text between words into at most that many lines, each at most
// width characters long. Text too long for that ends in "…".
func Wrap(text string, width, lines int) []string {
	var out []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		word = Cut(word, width)
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		case len(out) == lines-1:
			return append(out, Cut(line+" "+word, width))
		default:
			out, line = append(out, line), word
		}
	}
	return append(out, line)
}

// Cut shortens text to at most width characters, the last of them "…" if any
// are missing.
func Cut(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	return string(runes[:width-1]) + "…"
}

// Score is a seat's part of a scoreboard.
type Score struct {
	Fill   string // class of the seat's colour
	Name   string
	Value  int
	Unit   string // what the value counts; "": it is the seat's score
	Gain   int    // points gained by the last reply; shown only with one or two seats
	Next   bool   // the seat is to reply
	Failed bool
}

// Scores adds the parts "score1" and so on, side by side at the top. They end
// 46 units below the top.
func (p *Picture) Scores(scores ...Score) {
	const margin, gap = 8, 8
	p.top = 46
	width := (Width - 2*margin - gap*(len(scores)-1)) / len(scores)
	for i, s := range scores {
		p.unit = s.Unit
		p.Part("score"+strconv.Itoa(i+1), margin+i*(width+gap), 8)
		p.score(width, s)
		p.End()
	}
}

func (p *Picture) score(width int, s Score) {
	const height = 38
	frame := "cell"
	if s.Next {
		frame = "cell next"
	}
	p.Rect(frame, 0, 0, width, height, 6)
	p.Rect(s.Fill, 0, 0, 8, height, 4)
	if s.Next {
		p.Path("solid", "M13 14l7 5l-7 5z") // the seat to move
	}
	name := s.Name
	if s.Failed {
		name += " ✗"
	}
	valueAt, value := width-8, strconv.Itoa(s.Value)
	switch {
	case width < 100: // the name above the value
		p.Text("b l", 24, 11, name)
		p.Text("mid r", valueAt, 27, value)
		return
	case s.Gain > 0:
		p.Text("big r", valueAt, 13, value)
		p.Text("gain r", valueAt, 30, "+"+strconv.Itoa(s.Gain))
	default:
		p.Text("big r", valueAt, 20, value)
	}
	p.Text("l", 26, 19, name)
}

// Die draws a die with its upper left corner at (x, y): face 1 to 6, or 0 for a
// die that has not been rolled.
func (p *Picture) Die(class string, x, y, size, face int) {
	p.Rect("die "+class, x, y, size, size, size/6)
	if face == 0 {
		p.Text("big", x+size/2, y+size/2, "?")
		return
	}
	near, mid, far, r := size/4, size/2, size-size/4, size/10
	pip := func(dx, dy int) { p.Circle("pip "+class, x+dx, y+dy, r) }
	if face%2 == 1 {
		pip(mid, mid)
	}
	if face >= 2 {
		pip(far, near)
		pip(near, far)
	}
	if face >= 4 {
		pip(near, near)
		pip(far, far)
	}
	if face == 6 {
		pip(near, mid)
		pip(far, mid)
	}
}
