package conformance

import (
	"context"
	"encoding/xml"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/picture"
	"umpire/referee/report"
)

// pictures looks at the pictures of matches that were played: what pages leave out of
// them is a warning.
func (s *Suite) pictures(_ context.Context, p *Part) error {
	n := 0
	left := make(map[string]int)
	var first string
	for _, one := range append(slices.Clone(s.seen), s.drawn...) {
		p.Matches++
		for svg, choices := range drawnIn(one.talk) {
			n++
			clean, err := picture.Clean(svg, choices)
			if err != nil {
				wrong := wrongf("draw an <svg viewBox=\"0 0 WIDTH HEIGHT\"> on one line, well-formed as XML, of at most 64 KiB", "a picture is not shown, but the text of `show`: %v", err)
				wrong.Where = []string{short(svg)}
				p.Warnings, p.Did = append(p.Warnings, *wrong), "not all are shown"
				return nil
			}
			for name := range missing(svg, clean) {
				if left[name]++; first == "" {
					first = svg
				}
			}
		}
	}
	if p.Did = report.Plural(n, "picture") + ", shown whole"; n == 0 {
		p.Did = "none: pages show the text of `show`"
	}
	if len(left) > 0 {
		p.Did = report.Plural(n, "picture")
		wrong := wrongf("what may be drawn with is in umpire help topic own-games, under Pictures; a data-reply must be one of the choices", "pages leave out of the pictures: %s", strings.Join(slices.Sorted(maps.Keys(left)), ", "))
		wrong.Where = []string{short(first)}
		p.Warnings = append(p.Warnings, *wrong)
	}
	return nil
}

// drawnIn yields the pictures in a talk, each with what could be replied by then: a
// picture may show buttons where nobody is asked any more.
func drawnIn(talk string) iter.Seq2[string, []protocols.Choice] {
	return func(yield func(string, []protocols.Choice) bool) {
		var svgs []string
		var choices []protocols.Choice
		known := make(map[string]bool)
		for line := range strings.Lines(talk + "\n") {
			verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			switch verb {
			case "svg-to":
				_, rest, _ = strings.Cut(rest, " ")
				fallthrough
			case "svg":
				svgs = append(svgs, rest)
			case "choice":
				_, reply, _ := strings.Cut(rest, " ")
				if reply, _, _ = strings.Cut(reply, "\t"); !known[reply] {
					known[reply] = true
					choices = append(choices, protocols.Choice{Reply: reply, Label: reply})
				}
			case "ask", "end":
				for _, svg := range svgs {
					if !yield(svg, choices) {
						return
					}
				}
				svgs = nil
			}
		}
	}
}

// missing returns what is in a picture and not in what has become of it: elements, and
// attributes with their elements.
func missing(before, after string) map[string]int {
	left, shown := partsOf(before), partsOf(after)
	maps.DeleteFunc(left, func(name string, n int) bool { return n <= shown[name] })
	return left
}

// partsOf counts the elements of a picture below its root, and their attributes.
func partsOf(svg string) map[string]int {
	parts := make(map[string]int)
	d := xml.NewDecoder(strings.NewReader(svg))
	for root := true; ; {
		token, err := d.Token()
		if err != nil {
			return parts
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !root {
			parts[e.Name.Local]++
			for _, a := range e.Attr {
				parts[fmt.Sprintf("%s of %s", a.Name.Local, e.Name.Local)]++
			}
		}
		root = false
	}
}
