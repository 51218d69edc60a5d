package protocoltest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

// sketch is a picture that holds a body.
func sketch(body string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" role="img"><style>.a{fill:red}</style>` +
		`<title data-key="title">t</title><desc data-key="desc">d</desc>` + body + `</svg>`
}

func TestReadSVG(t *testing.T) {
	keys, replies, err := readSVG(sketch(`<g data-key="a" data-reply="1 &lt; 2"><text x="1">x</text></g><g data-key="b"/>`))
	if got, want := fmt.Sprint(keys, replies, err), "[title desc a b] [1 < 2] <nil>"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
	for body, want := range map[string]string{
		`<g data-key="a">`:                                              "the end of svg within [svg g]",
		`<g data-key="a"></b></g>`:                                      "the end of b",
		`<g data-key="a"><script/></g>`:                                 "element script",
		`<script data-key="a">1</script>`:                               "element script",
		`<g data-key="a"><foreignObject/></g>`:                          "element foreignObject",
		`<g data-key="a"><a href="x"/></g>`:                             "element a ",
		`<g data-key="a"><image x="1"/></g>`:                            "element image",
		`<g data-key="a"><use href="#b"/></g>`:                          "element use",
		`<g data-key="a" onclick="f()"/>`:                               "attribute onclick",
		`<g data-key="a" style="fill:red"/>`:                            "attribute style",
		`<g data-key="a"><rect xlink:href="#b"/></g>`:                   "attribute href",
		`<g data-key="a"><rect fill="url(http://a.b/c)"/></g>`:          "outside",
		`<g data-key="a"><rect fill="url(#b)"/></g>`:                    "outside",
		`<g data-key="a"/><g data-key="a"/>`:                            `the key "a"`,
		`<g/>`:                                                          `the key ""`,
		`<g data-key="a"><g data-key="b"/></g>`:                         "not directly below",
		`<!DOCTYPE svg><g data-key="a"/>`:                               "a xml.Directive",
		`<?xml-stylesheet href="a"?>`:                                   "a xml.ProcInst",
		`<g data-key="a"><text>a & b</text></g>`:                        "invalid character entity",
		`<g data-key="a"><text>&#7;</text></g>`:                         "illegal character",
		`<g data-key="a"><style>@import "x"</style></g>`:                "outside",
		`<g data-key="a"><style>a{fill:u\72l(x)}</style></g>`:           "outside",
		`<g data-key="a"><svg xmlns="http://www.w3.org/2000/svg"/></g>`: "element svg",
	} {
		if _, _, err := readSVG(sketch(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: found %v, expected %q", body, err, want)
		}
	}
	for _, svg := range []string{"", "text", sketch("") + sketch(""), strings.Replace(sketch(""), `role="img"`, "", 1), strings.Replace(sketch(""), ">d<", "><", 1)} {
		if _, _, err := readSVG(svg); err == nil {
			t.Errorf("%q is accepted", svg)
		}
	}
}

// drawn is a toy match with pictures and choices.
type drawn struct {
	protocols.Match
	steps   int
	svg     func(m *drawn, seat int) string
	choices func(m *drawn, seat int) []protocols.Choice
	await   []int
}

func (m *drawn) Next() protocols.Step {
	m.steps++
	step := m.Match.Next()
	m.await = append(m.await[:0], step.Await...)
	return step
}

func (m *drawn) SVG(seat int) string { return m.svg(m, seat) }

func (m *drawn) Choices(seat int) []protocols.Choice {
	if slices.Contains(m.await, seat) {
		return m.choices(m, seat)
	}
	return nil
}

// drawnCase starts drawn matches.
type drawnCase struct {
	protocols.Case
	like drawn
}

func (c drawnCase) Start(seats int) protocols.Match {
	m := c.like
	m.Match = c.Case.Start(seats)
	return &m
}

// drawnGame is Morra with pictures and choices.
func drawnGame(like drawn) protocols.Game {
	g := Morra()
	g.Parse = func(text string) (protocols.Case, error) {
		c, err := parseMorra(text)
		if err != nil {
			return nil, err
		}
		return drawnCase{c, like}, nil
	}
	g.Generate = func(group string, seed uint64) (protocols.Case, error) {
		c, err := Morra().Generate(group, seed)
		return drawnCase{c, like}, err
	}
	return g
}

func TestSuiteFindsPictures(t *testing.T) {
	fingers := func(*drawn, int) []protocols.Choice {
		return []protocols.Choice{{Reply: "1", Label: "one finger"}, {Reply: "2", Label: "two fingers"}}
	}
	plain := func(*drawn, int) string { return sketch(`<g data-key="a"/>`) }
	pictures := 0
	for _, test := range []struct {
		name    string
		svg     func(*drawn, int) string
		choices func(*drawn, int) []protocols.Choice
		check   string
		want    string // "": no finding
	}{
		{"sound", func(m *drawn, seat int) string {
			if len(m.Choices(seat)) == 0 {
				return sketch(`<g data-key="a"/>`)
			}
			return sketch(`<g data-key="a" data-reply="1"/>`)
		}, fingers, "drawing", ""},
		{"script", func(*drawn, int) string { return sketch(`<script data-key="a"/>`) }, fingers, "drawing", "element script"},
		{"chance", func(*drawn, int) string {
			pictures++
			return sketch(fmt.Sprintf(`<g data-key="a"><text>%d</text></g>`, pictures))
		}, fingers, "drawing", "drawn in two ways"},
		{"other parts", func(m *drawn, _ int) string {
			return sketch(fmt.Sprintf(`<g data-key="%d"/>`, m.steps))
		}, fingers, "drawing", "parts [title desc 2], before [title desc 1]"},
		{"no choice", func(m *drawn, seat int) string {
			return sketch(fmt.Sprintf(`<g data-key="a" data-reply="%d"/>`, min(seat, 1)*3))
		}, fingers, "drawing", `seat 0: data-reply "0" is none of its choices`},
		{"legal", plain, fingers, "choices", ""},
		{"illegal", plain, func(*drawn, int) []protocols.Choice {
			return []protocols.Choice{{Reply: "1", Label: "one finger"}, {Reply: "nine", Label: "nine fingers"}}
		}, "choices", `choice "nine" of seat 1 is a foul`},
		{"none", plain, func(*drawn, int) []protocols.Choice { return nil }, "choices", "seat 1 has choices []"},
		{"twice", plain, func(*drawn, int) []protocols.Choice {
			return []protocols.Choice{{Reply: "1", Label: "one finger"}, {Reply: "1", Label: "another"}}
		}, "choices", "twice"},
		{"no label", plain, func(*drawn, int) []protocols.Choice { return []protocols.Choice{{Reply: "1"}} }, "choices", "empty"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, c := range checks {
				if c.name != test.check {
					continue
				}
				err := guard(func() error {
					return c.run(Suite{Seeds: 2, OpenReplies: "only some fingers are offered"}, drawnGame(drawn{svg: test.svg, choices: test.choices}))
				})
				if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
					t.Errorf("%q finds %v, expected %q", c.name, err, test.want)
				}
			}
		})
	}
}
