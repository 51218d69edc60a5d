package protocoltest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"umpire/protocols"
)

// checkDrawing checks the pictures of a game whose matches draw them.
func checkDrawing(s Suite, g protocols.Game) error {
	return s.eachMatch(g, func(c sample, seats int) error {
		if _, ok := c.Start(seats).(protocols.Drawer); !ok {
			return nil
		}
		return s.watchMatch(g, c, seats, func(d *drive, over bool) error {
			err := d.pictures.match(d.main, d.twin)
			if err == nil && over {
				err = checkTrace(d.main)
			}
			return err
		})
	})
}

// watchMatch plays a match of one of the first seeds, with all seats playing and with
// failures, and calls check in some positions, and at the end: it takes long.
func (s Suite) watchMatch(g protocols.Game, c sample, seats int, check func(d *drive, over bool) error) error {
	const fewer = 2 // seeds
	if c.seed >= fewer {
		return nil
	}
	for _, how := range []temper{{}, {junk: 0.1, foul: 0.2, fail: 0.03, kinds: protocols.Kinds}} {
		d, err := s.newDrive(g, c, seats, rand.New(rand.NewPCG(c.seed, uint64(seats))), how)
		if err != nil {
			return err
		}
		picked := seldom{}
		d.watch = func(over bool) error {
			if !picked.next() && !over {
				return nil
			}
			return check(d, over)
		}
		if err := d.play(); err != nil {
			return err
		}
	}
	return nil
}

// seldom picks some items of a sequence, for a check that takes long: the first
// ones, then ones ever further apart.
type seldom struct{ n, pick int }

// next reports whether the next item is picked.
func (s *seldom) next() bool {
	s.n++
	if s.n <= s.pick {
		return false
	}
	s.pick += 1 + s.pick/4
	return true
}

// gallery holds the keys of the pictures of a match, by the seat that sees them.
type gallery [][]string

// match checks the pictures of a match for every seat and the onlooker, and
// those of twin, which has the same history.
func (g gallery) match(m, twin protocols.Match) error {
	if auto, ok := m.(protocols.AutoMover); ok {
		look := seldom{}
		for _, at := range auto.AutoMoves() {
			if drawer, ok := at.(protocols.Drawer); ok && look.next() {
				if err := g.picture(drawer.SVG(0), 0, nil); err != nil {
					return fmt.Errorf("after a move without a reply: %w", err)
				}
			}
		}
	}
	if phaser, ok := m.(protocols.Phaser); ok {
		for _, phase := range phaser.Phases() {
			if err := g.picture(phase, 0, nil); err != nil {
				return fmt.Errorf("a phase: %w", err)
			}
		}
	}
	for seat := range g {
		var choices []protocols.Choice
		if chooser, ok := m.(protocols.Chooser); ok && seat > 0 {
			choices = chooser.Choices(seat)
		}
		picture := m.(protocols.Drawer).SVG(seat)
		if err := g.picture(picture, seat, choices); err != nil {
			return err
		}
		if m.(protocols.Drawer).SVG(seat) != picture || twin.(protocols.Drawer).SVG(seat) != picture {
			return fmt.Errorf("the same position is drawn in two ways for seat %d", seat)
		}
	}
	return nil
}

// picture checks one picture: its contents are allowed, clickable parts are
// choices, and its parts are those of the earlier pictures.
func (g gallery) picture(svg string, seat int, choices []protocols.Choice) error {
	keys, replies, err := readSVG(svg)
	if err != nil {
		return fmt.Errorf("picture for seat %d: %w in %s", seat, err, svg)
	}
	for _, reply := range replies {
		if !slices.ContainsFunc(choices, func(c protocols.Choice) bool { return c.Reply == reply }) {
			return fmt.Errorf("picture for seat %d: data-reply %q is none of its choices %+v", seat, reply, choices)
		}
	}
	if g[seat] == nil {
		g[seat] = keys
	}
	if !slices.Equal(g[seat], keys) {
		return fmt.Errorf("picture for seat %d: parts %v, before %v", seat, keys, g[seat])
	}
	return nil
}

// checkTrace checks the pictures of a match's trace, if it has any.
func checkTrace(m protocols.Match) error {
	tracer, ok := m.(protocols.Tracer)
	if !ok {
		return nil
	}
	pictures, look := make(gallery, 1), seldom{}
	for state := range tracer.Trace() {
		drawer, ok := state.(protocols.Drawer)
		if !ok || !look.next() {
			continue
		}
		if err := pictures.picture(drawer.SVG(0), 0, nil); err != nil {
			return fmt.Errorf("position %d of the trace: %w", look.n, err)
		}
	}
	return nil
}

// checkChoices plays matches by their choices alone and checks that each choice
// is legal.
func checkChoices(s Suite, g protocols.Game) error {
	return s.eachMatch(g, func(c sample, seats int) error {
		m := c.Start(seats)
		chooser, ok := m.(protocols.Chooser)
		if !ok {
			return nil
		}
		rng := rand.New(rand.NewPCG(c.seed, uint64(seats)))
		script := c.line
		var events []event
		look := seldom{}
		for n := 1; ; n++ {
			if n > s.steps() {
				return fmt.Errorf("the match does not end within %d steps", s.steps())
			}
			await := slices.Clone(m.Next().Await)
			offered, err := offers(chooser, seats, await)
			if err == nil && look.next() {
				err = tryAll(c, seats, events, await, offered)
			}
			if err != nil {
				return fmt.Errorf("step %d: %w", n, err)
			}
			if len(await) == 0 {
				return nil
			}
			for _, seat := range await {
				reply := offered[seat][rng.IntN(len(offered[seat]))].Reply
				if len(script) > 0 {
					reply, script = script[0], script[1:]
				}
				if foul := m.Reply(seat, reply); foul != nil {
					return fmt.Errorf("step %d: choice %q of seat %d is a foul: %w", n, reply, seat, foul)
				}
				events = append(events, event{seat: seat, reply: reply})
			}
		}
	})
}

// offers returns the choices of every seat, from 1: some for each awaited seat,
// all different and labelled, and none for the others.
func offers(m protocols.Chooser, seats int, await []int) ([][]protocols.Choice, error) {
	out := make([][]protocols.Choice, seats+1)
	for seat := range out {
		choices := m.Choices(seat)
		if awaited := slices.Contains(await, seat); awaited != (len(choices) > 0) {
			return nil, fmt.Errorf("seat %d has choices %+v, and it is awaited: %v", seat, choices, awaited)
		}
		seen := map[string]bool{}
		for _, c := range choices {
			if seen[c.Reply] {
				return nil, fmt.Errorf("seat %d has the choice %q twice", seat, c.Reply)
			}
			seen[c.Reply] = true
			if err := errors.Join(checkText(c.Reply, ""), checkSentence(c.Label)); err != nil {
				return nil, fmt.Errorf("choice %+v of seat %d: %w", c, seat, err)
			}
		}
		out[seat] = choices
	}
	return out, nil
}

// tryAll gives each of the choices to a match of its own with the same history.
func tryAll(c sample, seats int, events []event, await []int, offered [][]protocols.Choice) error {
	for _, seat := range await {
		for _, choice := range offered[seat] {
			m := c.Start(seats)
			repeat(m, events)
			if foul := m.Reply(seat, choice.Reply); foul != nil {
				return fmt.Errorf("choice %q of seat %d is a foul: %w", choice.Reply, seat, foul)
			}
		}
	}
	return nil
}

// A picture may consist of shapes and text, nothing that acts or loads.
var (
	svgElements   = strings.Fields("svg title desc style g rect circle ellipse line polyline polygon path text tspan")
	svgAttributes = strings.Fields(`xmlns class viewBox data-board data-unit role tabindex transform aria-label aria-hidden data-key data-from data-reply
		x y dx dy width height rx ry cx cy r x1 y1 x2 y2 d points fill stroke stroke-width`)
	svgOutside = regexp.MustCompile(`(?i)url\(|@import|javascript:|://|\\`)
)

const svgSpace = "http://www.w3.org/2000/svg"

// readSVG checks that a picture is well-formed and harmless, and returns the
// keys of its parts, in order, and the replies that can be clicked.
func readSVG(svg string) (keys, replies []string, err error) {
	r := svgReader{texts: map[string]string{}}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.RawToken()
		if err == nil {
			err = r.token(token)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if len(r.open) > 0 || r.roots != 1 {
		return nil, nil, fmt.Errorf("%d roots, %v not ended", r.roots, r.open)
	}
	for _, name := range []string{"title", "desc"} {
		if strings.TrimSpace(r.texts[name]) == "" {
			return nil, nil, fmt.Errorf("no %s", name)
		}
	}
	return r.keys, r.replies, nil
}

// svgReader is the state of reading a picture.
type svgReader struct {
	open          []string // elements not yet closed
	roots         int
	keys, replies []string
	texts         map[string]string // text of title and desc, by element
}

func (r *svgReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t)
	case xml.EndElement:
		if n := len(r.open); n == 0 || r.open[n-1] != t.Name.Local {
			return fmt.Errorf("the end of %s within %v", t.Name.Local, r.open)
		}
		r.open = r.open[:len(r.open)-1]
	case xml.CharData:
		text := string(t)
		if len(r.open) == 0 {
			return fmt.Errorf("%s outside of the root", protocols.Quote(text))
		}
		r.texts[r.open[len(r.open)-1]] += text
		if r.open[len(r.open)-1] == "style" && svgOutside.MatchString(text) {
			return fmt.Errorf("a style that refers to something outside: %s", text)
		}
		return checkText(text, "")
	default:
		return fmt.Errorf("a %T", token)
	}
	return nil
}

func (r *svgReader) start(e xml.StartElement) error {
	name := e.Name.Local
	if e.Name.Space != "" || !slices.Contains(svgElements, name) || (name == "svg") != (len(r.open) == 0) {
		return fmt.Errorf("element %s within %v", name, r.open)
	}
	attributes := map[string]string{}
	for _, a := range e.Attr {
		key, value := a.Name.Local, a.Value
		if _, twice := attributes[key]; twice || a.Name.Space != "" || !slices.Contains(svgAttributes, key) {
			return fmt.Errorf("attribute %s of %s", key, name)
		}
		if key != "xmlns" && key != "aria-label" && key != "data-reply" && (strings.ContainsAny(value, ":@\\") || strings.Contains(value, "url(")) {
			return fmt.Errorf("attribute %s=%q may refer to something outside", key, value)
		}
		if err := checkText(value, ""); err != nil {
			return err
		}
		attributes[key] = value
	}
	if err := r.part(name, attributes); err != nil {
		return err
	}
	r.open = append(r.open, name)
	return nil
}

// part notes the role of an element: the root, a part below it, something to
// click.
func (r *svgReader) part(name string, attributes map[string]string) error {
	key := attributes["data-key"]
	switch {
	case len(r.open) == 0:
		r.roots++
		if attributes["xmlns"] != svgSpace || attributes["viewBox"] == "" || attributes["role"] == "" {
			return fmt.Errorf("the root has attributes %v, expected xmlns, viewBox and role", attributes)
		}
	case len(r.open) == 1 && name != "style":
		if key == "" || slices.Contains(r.keys, key) {
			return fmt.Errorf("the key %q of %s, expected one of its own", key, name)
		}
		r.keys = append(r.keys, key)
	case key != "":
		return fmt.Errorf("the key %q of %s is not directly below the root", key, name)
	}
	if reply, ok := attributes["data-reply"]; ok {
		r.replies = append(r.replies, reply)
	}
	return nil
}
