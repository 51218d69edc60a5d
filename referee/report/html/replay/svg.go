package replay

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
)

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

// withoutNamespace is a picture's start tag on a page, since HTML knows SVG.
func withoutNamespace(head string) string {
	return strings.Replace(head, ` xmlns="http://www.w3.org/2000/svg"`, "", 1)
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
