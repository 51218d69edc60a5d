package html

import (
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee/record"
)

// album stores pictures. Each distinct text is there once, whether it is the
// root of a picture, a part of one, or a picture that is plain text; of a picture
// like the one before, only the parts that changed are kept.
type album struct {
	texts []string
	bytes int // of the texts that the match has added
	index map[string]int
	head  int   // of the picture added last: its root; -1 for plain text
	parts []int // and its parts
}

func newAlbum() *album { return &album{index: make(map[string]int), head: -1} }

// begin begins the pictures of another match. Texts that it has in common with
// those before are shared.
func (a *album) begin() { a.bytes, a.head, a.parts = 0, -1, nil }

// picture is a picture in an album. Without All, it differs from the one before
// in the parts of Changed alone.
type picture struct {
	Head    int   `json:"h,omitempty"` // the root's text, counted from 1; 0 for plain text
	All     []int `json:"p,omitempty"` // the text of each part
	Changed []int `json:"d,omitempty"` // a part, its text, a part, its text, …
}

func (a *album) text(text string) int {
	i, ok := a.index[text]
	if !ok {
		i = len(a.texts)
		a.index[text] = i
		a.texts = append(a.texts, text)
		a.bytes += len(text)
	}
	return i
}

// add stores a picture that is an SVG or, where it is not in the form that
// splitSVG wants, the text.
func (a *album) add(drawn string, text func() string) picture {
	head, parts, ok := splitSVG(drawn)
	headText := -1
	if ok {
		headText = a.text(head)
	} else {
		parts = []string{safe(text())}
	}
	now := make([]int, len(parts))
	for i, part := range parts {
		now[i] = a.text(part)
	}
	before := a.parts
	alike := headText == a.head && len(now) == len(before)
	a.head, a.parts = headText, now
	if !alike {
		return picture{Head: headText + 1, All: now}
	}
	var p picture
	for i := range now {
		if now[i] != before[i] {
			p.Changed = append(p.Changed, i, now[i])
		}
	}
	return p
}

// draw returns a position as an SVG, "" where it can't be drawn, and as text,
// which is rarely needed.
func draw(position any) (drawn string, text func() string) {
	if d, ok := position.(protocols.Drawer); ok {
		drawn = svg.WithoutStyle(d.SVG(0))
	}
	return drawn, func() string {
		if p, ok := position.(fmt.Stringer); ok {
			return p.String()
		}
		state, err := json.MarshalIndent(position, "", " ")
		if err != nil {
			return "no picture: " + err.Error()
		}
		return string(state)
	}
}

// splitSVG takes a picture apart: the start tag of its root and the elements
// directly below it. A picture that is not ok is not well-formed or holds anything but
// elements and text.
func splitSVG(drawn string) (head string, parts []string, ok bool) {
	depth, start := 0, 0
	for at := 0; ; {
		i := strings.IndexByte(drawn[at:], '<')
		if i < 0 {
			return "", nil, false
		}
		begin := at + i
		end := tagEnd(drawn, begin)
		if end < 0 {
			return "", nil, false
		}
		at = end
		tag := drawn[begin:end]
		switch {
		case tag[1] == '!' || tag[1] == '?' || begin == 0 && !strings.HasPrefix(tag, "<svg "):
			return "", nil, false
		case tag[1] == '/':
			depth--
		case tag[len(tag)-2] == '/' && depth != 1:
			continue
		default:
			if depth == 0 {
				head = tag
			} else if depth == 1 {
				start = begin
			}
			if tag[len(tag)-2] != '/' {
				depth++
			}
		}
		switch depth {
		case 1:
			if tag != head {
				parts = append(parts, drawn[start:end])
			}
		case 0:
			return head, parts, end == len(drawn)
		}
	}
}

// tagEnd is the offset behind the tag that begins there; -1 without one.
func tagEnd(text string, begin int) int {
	quote := byte(0)
	for i := begin + 1; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			if i < begin+2 {
				return -1
			}
			return i + 1
		}
	}
	return -1
}

// pictureAfter is the picture that the steps end with: the text of its root, counted from
// 1, and those of its parts.
func pictureAfter(steps []step) (head int, parts []int) {
	for _, s := range steps {
		for _, p := range append(slices.Clip(s.Phases), s.picture) {
			if p.All != nil {
				head, parts = p.Head, slices.Clone(p.All)
			}
			for i := 0; i+1 < len(p.Changed); i += 2 {
				parts[p.Changed[i]] = p.Changed[i+1]
			}
		}
	}
	return head, parts
}

// NotDrawn is why there is no picture.
type NotDrawn struct{ Why string }

func (e *NotDrawn) Error() string { return e.Why }

// Picture returns the position after a step of a match, counted as on its page, as an SVG
// that stands alone. The error is a *NotDrawn, or says what is wrong with the record.
func Picture(r record.Record, games []protocols.Game, step int) (string, error) {
	in := newAlbum()
	v, err := newReplayIn(in, bounds{positions: 1 << 30, pictures: 1 << 30}, r, games, "", nil)
	if err != nil {
		return "", err
	}
	if last := len(v.Data.Steps) - 1; step > last {
		return "", &NotDrawn{fmt.Sprintf("found step %d, expected 0 to %d", step, last)}
	}
	head, parts := pictureAfter(v.Data.Steps[:step+1])
	if head == 0 {
		return "", &NotDrawn{fmt.Sprintf("%s has no picture of step %d; --from %[2]d prints it", v.Game, step)}
	}
	var b strings.Builder
	b.WriteString(in.texts[head-1] + "<style>" + svg.Style + "</style>")
	for _, part := range parts {
		b.WriteString(in.texts[part])
	}
	return b.String() + "</svg>\n", nil
}

// last is the picture that the steps end with, for a page without a script.
func last(steps []step, texts []string) template.HTML {
	head, parts := pictureAfter(steps)
	var b strings.Builder
	if head == 0 {
		b.WriteString("<pre>" + html.EscapeString(texts[parts[0]]) + "</pre>")
	} else {
		b.WriteString(strings.Replace(texts[head-1], ` xmlns="http://www.w3.org/2000/svg"`, "", 1)) // HTML knows it
		for _, part := range parts {
			b.WriteString(texts[part])
		}
		b.WriteString("</svg>")
	}
	return template.HTML(b.String()) // of games and of cleaned pictures
}

// sentence is the first sentence of a picture's description; "" without one.
func sentence(drawn string) string {
	_, parts, _ := splitSVG(drawn)
	i := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(part, "<desc") })
	if i < 0 {
		return ""
	}
	_, text, _ := strings.Cut(parts[i], ">")
	text, _, _ = strings.Cut(strings.TrimSuffix(text, "</desc>"), ". ")
	return html.UnescapeString(text)
}
