package picture

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"umpire/protocols"
	"umpire/referee/pattern"
)

// elements are those that a picture may have below its root.
var elements = set(`g defs title desc rect circle ellipse line polyline polygon path text tspan use clipPath
	linearGradient radialGradient stop`)

// textual are the elements whose text is kept.
var textual = set("text tspan title desc")

// set returns what returns the names. It is made when it is called first, as the tables
// below are: umpire starts again for each of its own bots, which draw nothing.
func set(names string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := make(map[string]bool)
		for name := range strings.FieldsSeq(names) {
			m[name] = true
		}
		return m
	})
}

// reader reads the value of an attribute, and returns it as it is written; "" leaves the
// attribute out.
type reader func(c *cleaner, g *group, value string) (string, error)

// attributes are those that an element below the root may have.
var attributes = table(
	list{readNumber, `width height r rx ry cx cy x1 y1 x2 y2 fx fy offset opacity fill-opacity stroke-opacity stop-opacity
		stroke-width stroke-miterlimit stroke-dashoffset font-size letter-spacing textLength`},
	list{readForm(numbers, "numbers"), "x y dx dy rotate points stroke-dasharray"},
	list{readForm(path, "a path"), "d"},
	list{readForm(transforms, "translate, scale, rotate, skewX, skewY or matrix"), "transform gradientTransform"},
	list{readColour, "fill stroke color stop-color"},
	list{readWords, `stroke-linecap stroke-linejoin fill-rule clip-rule font-weight font-style font-family text-anchor
		dominant-baseline vector-effect clipPathUnits gradientUnits spreadMethod`},
	list{readHref, "href"},
	list{readClip, "clip-path"},
	list{readClasses, "class"},
	list{readID, "id"},
	list{readKey, "data-key"},
	list{readReply, "data-reply"},
	list{func(_ *cleaner, _ *group, value string) (string, error) { return value, nil }, "aria-label"},
)

type list struct {
	read  reader
	names string
}

func table(lists ...list) func() map[string]reader {
	return sync.OnceValue(func() map[string]reader {
		m := make(map[string]reader)
		for _, l := range lists {
			for name := range strings.FieldsSeq(l.names) {
				m[name] = l.read
			}
		}
		return m
	})
}

// maxNumber bounds the size of numbers.
const maxNumber = 1e6

var (
	number     = pattern.New(`[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`)
	numbers    = pattern.New(`^[ \t\r\n,]*$`)
	path       = pattern.New(`^[MmLlHhVvCcSsQqTtAaZz, \t\r\n]*$`)
	transforms = pattern.New(`^(?:[\s,]*(?:translate|scale|rotate|skewX|skewY|matrix)\s*\([\s,]*\))*[\s,]*$`)
	colour     = pattern.New(`^(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24}|(?:rgb|hsl)a?\([0-9., %/]{1,60}\))$`)
	words      = pattern.New(`^[a-zA-Z0-9 ,-]{1,80}$`)
	identifier = pattern.New(`^[A-Za-z0-9_.:-]{1,64}$`)
	local      = pattern.New(`^url\(#([A-Za-z0-9_.:-]{1,64})\)$`)
)

// withoutNumbers returns a text without the numbers in it, and how many they are. The
// error is about one that is too large.
func withoutNumbers(text string) (rest string, n int, err error) {
	rest = number().ReplaceAllStringFunc(text, func(one string) string {
		n++
		if v, bad := strconv.ParseFloat(one, 64); bad != nil || math.Abs(v) > maxNumber {
			err = fmt.Errorf("found %s, expected numbers of at most %.0f", protocols.Quote(one), float64(maxNumber))
		}
		return " "
	})
	return rest, n, err
}

// countNumbers returns how many numbers a text holds, which holds nothing else.
func countNumbers(text string) (int, error) {
	rest, n, err := withoutNumbers(text)
	if err == nil && !numbers().MatchString(rest) {
		err = fmt.Errorf("found %s, expected numbers", protocols.Quote(text))
	}
	return n, err
}

// readForm returns a reader of numbers among what is of a form.
func readForm(form func() *regexp.Regexp, expected string) reader {
	return func(_ *cleaner, _ *group, value string) (string, error) {
		rest, _, err := withoutNumbers(value)
		if err == nil && !form().MatchString(rest) {
			err = fmt.Errorf("found %s, expected %s", protocols.Quote(value), expected)
		}
		return strings.TrimSpace(value), err
	}
}

func readNumber(_ *cleaner, _ *group, value string) (string, error) {
	value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "px"))
	n, err := countNumbers(value)
	if err == nil && n != 1 {
		err = fmt.Errorf("found %s, expected a number", protocols.Quote(value))
	}
	return value, err
}

func readColour(_ *cleaner, _ *group, value string) (string, error) {
	value = strings.TrimSpace(value)
	if at := local().FindStringSubmatch(value); at != nil {
		return "url(#" + own(at[1]) + ")", nil
	}
	if !colour().MatchString(value) {
		return "", nil
	}
	return value, nil
}

func readWords(_ *cleaner, _ *group, value string) (string, error) {
	if value = strings.TrimSpace(value); !words().MatchString(value) {
		return "", nil
	}
	return value, nil
}

// readHref reads what is used, which is in the picture itself.
func readHref(_ *cleaner, g *group, value string) (string, error) {
	id, ok := strings.CutPrefix(value, "#")
	if !ok || g.name != "use" || !identifier().MatchString(id) {
		return "", nil
	}
	g.uses = append(g.uses, own(id))
	return "#" + own(id), nil
}

func readClip(_ *cleaner, g *group, value string) (string, error) {
	at := local().FindStringSubmatch(strings.TrimSpace(value))
	if at == nil {
		return "", nil
	}
	g.uses = append(g.uses, own(at[1]))
	return "url(#" + own(at[1]) + ")", nil
}

// own puts the prefix before a name, unless it has it.
func own(name string) string {
	if strings.HasPrefix(name, prefix) {
		return name
	}
	return prefix + name
}

func readClasses(_ *cleaner, _ *group, value string) (string, error) {
	var list []string
	for name := range strings.FieldsSeq(value) {
		if identifier().MatchString(name) {
			list = append(list, own(name))
		}
	}
	return strings.Join(list, " "), nil
}

func readID(c *cleaner, g *group, value string) (string, error) {
	id := own(value)
	if !identifier().MatchString(id) || c.drawn[id] != nil {
		return "", nil
	}
	c.drawn[id] = g
	return id, nil
}

func readKey(_ *cleaner, _ *group, value string) (string, error) {
	if value = own(value); !identifier().MatchString(value) {
		return "", nil
	}
	return value, nil
}

func readReply(c *cleaner, _ *group, value string) (string, error) {
	if c.choice(value) < 0 {
		return "", nil
	}
	c.clickable = c.clickable || value != ""
	return value, nil
}

// choice returns which of the choices a reply is; -1: none.
func (c *cleaner) choice(reply string) int {
	return slices.IndexFunc(c.choices, func(one protocols.Choice) bool { return protocols.Tidy(one.Reply) == protocols.Tidy(reply) })
}
