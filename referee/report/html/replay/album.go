package replay

import "umpire/referee/report/html/page"

// album stores pictures. Each distinct text is there once, whether it is the
// root of a picture, a part of one, or a picture that is plain text; of a picture
// like the one before, only the parts that changed are kept.
type album struct {
	texts page.Numbers[string]
	bytes int   // of the texts that the match has added
	head  int   // of the picture added last: its root, as in Head
	parts []int // and its parts
}

// begin begins the pictures of another match. Texts that it has in common with
// those before are shared.
func (a *album) begin() { a.bytes, a.head, a.parts = 0, 0, nil }

// picture is a picture in an album. Without All, it differs from the one before
// in the parts of Changed alone.
type picture struct {
	Head    int   `json:"h,omitempty"` // the root's text, counted from 1; 0 for plain text
	All     []int `json:"p,omitempty"` // the text of each part
	Changed []int `json:"d,omitempty"` // a part, its text, a part, its text, …
}

func (a *album) text(text string) int {
	known := len(a.texts.Values)
	i := a.texts.Of(text)
	if i == known {
		a.bytes += len(text)
	}
	return i
}

// add stores a picture that is an SVG or, where it is not in the form that
// splitSVG wants, the text.
func (a *album) add(drawn string, text func() string) picture {
	root, parts, ok := splitSVG(drawn)
	head := 0
	if ok {
		head = 1 + a.text(root)
	} else {
		parts = []string{page.Safe(text())}
	}
	now := make([]int, len(parts))
	for i, part := range parts {
		now[i] = a.text(part)
	}
	before := a.parts
	alike := head == a.head && len(now) == len(before)
	a.head, a.parts = head, now
	if !alike {
		return picture{Head: head, All: now}
	}
	var p picture
	for i := range now {
		if now[i] != before[i] {
			p.Changed = append(p.Changed, i, now[i])
		}
	}
	return p
}
