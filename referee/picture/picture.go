// Package picture makes pictures of positions harmless that came from elsewhere: from a
// game's own judge, and with it from contestants, whose bytes judges put into pictures.
// It knows no game and no page.
package picture

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"umpire/protocols"
)

// MaxBytes bounds a picture, as it came and as it is written.
const MaxBytes = 64 << 10

// Bounds on what a browser has to lay out.
const (
	maxDepth = 64
	maxDrawn = 20_000 // elements, those that are used again included
)

// namespace is that of SVG.
const namespace = "http://www.w3.org/2000/svg"

// Class is the class of each picture's root.
const Class = "own"

// prefix begins all classes, ids and keys, which therefore are none of a page's own.
const prefix = Class + "-"

// Clean parses an SVG as XML and writes it anew, with those elements and attributes alone
// that can do nothing but draw. What is not among them is left out, elements with all that
// they hold. Classes, ids and data-key begin with "own-". A data-reply stays if it is one
// of the choices, and what has it can be reached by the keyboard. Clean(Clean(s)) is
// Clean(s). The error says why there is no picture.
func Clean(svg string, choices []protocols.Choice) (string, error) {
	if len(svg) > MaxBytes {
		return "", fmt.Errorf("found %d bytes, expected at most %d", len(svg), MaxBytes)
	}
	c := cleaner{choices: choices, drawn: map[string]*group{}}
	if err := c.read(svg); err != nil {
		return "", err
	}
	if err := c.count(); err != nil {
		return "", err
	}
	role := "img"
	if c.clickable { // the parts of an image can't be reached to be clicked
		role = "group"
	}
	out := `<svg xmlns="` + namespace + `" class="` + Class + `" viewBox="` + c.viewBox + `" role="` + role + `"` + c.label() + ">" + c.out.String() + "</svg>"
	if len(out) > MaxBytes {
		return "", fmt.Errorf("found %d bytes when written anew, expected at most %d", len(out), MaxBytes)
	}
	return out, nil
}

// cleaner writes a picture anew.
type cleaner struct {
	choices   []protocols.Choice
	out       strings.Builder // what is below the root
	open      []*group        // the root is the first
	skipping  int             // elements open since one that is left out
	whole     *group          // the root, once it has ended
	viewBox   string
	named     string // the root's aria-label
	titled    bool   // the root has a title
	clickable bool
	drawn     map[string]*group // by id
}

// group is an element, and what is drawn by it.
type group struct {
	name     string
	elements int      // it and those below, without those used
	uses     []string // ids used by it and those below
	total    int      // elements, those used included; 0: not counted yet, -1: being counted
}

// read reads all of a picture.
func (c *cleaner) read(svg string) error {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = c.token(token)
		}
		if err != nil {
			if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
				return fmt.Errorf("not well-formed XML: %s", syntax.Msg)
			}
			return err
		}
	}
	if c.whole == nil {
		return fmt.Errorf("found no element, expected svg")
	}
	return nil
}

func (c *cleaner) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return c.start(t)
	case xml.EndElement:
		c.end()
	case xml.CharData:
		text := string(t)
		switch {
		case len(c.open) == 0 && strings.TrimSpace(text) != "":
			return fmt.Errorf("found %s outside of svg", protocols.Quote(text))
		case len(c.open) > 0 && c.skipping == 0 && textual()[c.open[len(c.open)-1].name]:
			c.text(text)
		}
	case xml.Directive:
		return fmt.Errorf("found <!%s, expected elements and text alone", strings.Fields(string(t) + " ?")[0])
	}
	return nil // comments and instructions are left out
}

func (c *cleaner) text(text string) {
	_ = xml.EscapeText(&c.out, []byte(text)) // a Builder does not fail
}

func (c *cleaner) start(e xml.StartElement) error {
	if len(c.open) == 0 {
		return c.root(e)
	}
	parent := c.open[len(c.open)-1]
	name := e.Name.Local
	if c.skipping > 0 || !elements()[name] || !ours(e.Name) || textual()[parent.name] && !mayHold(parent.name, name) {
		c.skipping++
		return nil
	}
	if len(c.open) == maxDepth {
		return fmt.Errorf("found elements %d deep, expected at most %d", maxDepth+1, maxDepth)
	}
	g := &group{name: name, elements: 1}
	c.open = append(c.open, g)
	c.titled = c.titled || name == "title" && len(c.open) == 2
	c.out.WriteString("<" + name)
	if err := c.attributes(g, plain(e.Attr)); err != nil {
		return err
	}
	c.out.WriteByte('>')
	return nil
}

// mayHold reports whether an element with text may hold another.
func mayHold(outer, inner string) bool {
	return (outer == "text" || outer == "tspan") && (inner == "tspan" || inner == "title")
}

// attributes writes those attributes of an element that it may have.
func (c *cleaner) attributes(g *group, found map[string]string) error {
	values := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		read := attributes()[name]
		if read == nil {
			continue
		}
		value, err := read(c, g, found[name])
		if err != nil {
			return fmt.Errorf("%s of %s: %w", name, g.name, err)
		}
		if value != "" {
			values[name] = value
		}
	}
	if reply, ok := values["data-reply"]; ok {
		values["role"], values["tabindex"] = "button", "0"
		values["aria-label"] = cmp.Or(values["aria-label"], c.choices[c.choice(reply)].Label)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		c.out.WriteString(attribute(name, values[name]))
	}
	return nil
}

// ours reports whether a name is of SVG, declared or not.
func ours(name xml.Name) bool { return name.Space == namespace || name.Space == "" }

// plain returns the attributes that are of no namespace, by name.
func plain(all []xml.Attr) map[string]string {
	m := make(map[string]string)
	for _, a := range all {
		if a.Name.Space == "" {
			m[a.Name.Local] = a.Value
		}
	}
	return m
}

// end ends an element.
func (c *cleaner) end() {
	if c.skipping > 0 {
		c.skipping--
		return
	}
	g := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	if len(c.open) == 0 {
		c.whole = g
		return
	}
	c.out.WriteString("</" + g.name + ">")
	parent := c.open[len(c.open)-1]
	parent.elements += g.elements
	parent.uses = append(parent.uses, g.uses...)
}

// root reads the root's attributes.
func (c *cleaner) root(e xml.StartElement) error {
	switch {
	case c.whole != nil:
		return fmt.Errorf("found %s after the end of svg", protocols.Quote(e.Name.Local))
	case e.Name.Local != "svg" || !ours(e.Name):
		return fmt.Errorf("found %s, expected svg", protocols.Quote(e.Name.Local))
	}
	c.open = append(c.open, &group{name: "svg", elements: 1})
	found := plain(e.Attr)
	c.named = found["aria-label"]
	box := found["viewBox"]
	if box == "" && found["width"] != "" && found["height"] != "" {
		box = "0 0 " + strings.TrimSuffix(found["width"], "px") + " " + strings.TrimSuffix(found["height"], "px")
	}
	n, err := countNumbers(box)
	four := number().FindAllString(box, -1)
	if err == nil && (n != 4 || !positive(four[2]) || !positive(four[3])) {
		err = fmt.Errorf("found %s, expected four numbers, the last two above 0", protocols.Quote(box))
	}
	if err != nil {
		return fmt.Errorf("viewBox of svg: %w", err)
	}
	c.viewBox = strings.Join(four, " ")
	return nil
}

func positive(number string) bool {
	n, _ := strconv.ParseFloat(number, 64)
	return n > 0
}

// label is the root's aria-label, if it needs one.
func (c *cleaner) label() string {
	if c.named == "" && c.titled {
		return ""
	}
	return attribute("aria-label", cmp.Or(c.named, "Position"))
}

func attribute(name, value string) string {
	var b strings.Builder
	b.WriteString(" " + name + `="`)
	_ = xml.EscapeText(&b, []byte(value))
	b.WriteByte('"')
	return b.String()
}

// count checks how much is drawn when all that is used again is drawn each time, and that
// nothing uses itself.
func (c *cleaner) count() error {
	if n, err := c.total(c.whole); err != nil || n <= maxDrawn {
		return err
	}
	return fmt.Errorf("found more than %d elements, those used again included", maxDrawn)
}

func (c *cleaner) total(g *group) (int, error) {
	switch {
	case g.total < 0:
		return 0, errors.New("found an element that uses itself")
	case g.total > 0:
		return g.total, nil
	}
	g.total = -1
	n := g.elements
	for _, id := range g.uses {
		used := c.drawn[id]
		if used == nil {
			continue
		}
		more, err := c.total(used)
		if err != nil {
			return 0, err
		}
		n = min(n+more, maxDrawn+1)
	}
	g.total = n
	return n, nil
}
