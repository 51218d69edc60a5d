package svg

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// body is the part of a picture after its paper.
func body(p *Picture) string {
	text := WithoutStyle(p.String())
	_, text, _ = strings.Cut(text, `height="9"/></g>`)
	return strings.TrimSuffix(text, "</svg>")
}

func TestPicture(t *testing.T) {
	p := New(0, 9, "a <title>", `"x" & 'y'`)
	p.Part("a", 0, 0)
	p.Circle("c", 0, -2, 3)
	p.End()
	p.Button("b", 5, -6, `<1> "&"`, "one\x00\u202etwo\xff")
	p.Rect("", 1, 2, 3, 4, 0)
	p.Text("l", 0, 7, "<script>alert(1)</script>\n")
	p.End()
	p.Button("c", 1, 0, "", "no reply")
	p.End()
	const want = `<g data-key="a"><circle class="c" cy="-2" r="3"/></g>` +
		`<g data-key="b" transform="translate(5 -6)" role="button" tabindex="0" data-reply="&lt;1&gt; &#34;&amp;&#34;" aria-label="one��two�">` +
		`<rect x="1" y="2" width="3" height="4"/><text class="l" y="7">&lt;script&gt;alert(1)&lt;/script&gt; </text></g>` +
		`<g data-key="c" transform="translate(1 0)"></g>`
	if got := body(p); got != want {
		t.Errorf("found\n%s\nexpected\n%s", got, want)
	}
	const head = `<svg xmlns="http://www.w3.org/2000/svg" class="drawn" viewBox="0 0 320 9" role="img">` +
		`<title data-key="title">a &lt;title&gt;</title><desc data-key="desc">&#34;x&#34; &amp; &#39;y&#39;</desc>`
	if got := WithoutStyle(p.String()); !strings.HasPrefix(got, head) {
		t.Errorf("found %s, expected it to begin with %s", got, head)
	}
	if !strings.Contains(p.String(), "<style>"+Style+"</style>") {
		t.Error("the style is missing")
	}
	if got := New(2, 9, "t", "d").String(); !strings.Contains(got, `role="group"`) {
		t.Errorf("what can be clicked is in an image: %s", got)
	}
}

func TestArrow(t *testing.T) {
	p := New(0, 9, "t", "d")
	p.Arrow("a", Point{0, 0}, Point{30, 40})
	// A head of 8 units along the line, 4.8 to either side of it.
	const straight = `<path class="a" d="M0 0L30 40M21.4 36.5L30 40L29 30.7"/>`
	if got := body(p); got != straight {
		t.Errorf("found %s, expected %s", got, straight)
	}
	p = New(0, 9, "t", "d")
	p.Arrow("a", Point{0, 0}, Point{10, 0}, Point{10, 20})
	const bent = `<path class="a" d="M0 0Q10 0 10 10L10 20M5.2 12L10 20L14.8 12"/>`
	if got := body(p); got != bent {
		t.Errorf("found %s, expected %s", got, bent)
	}
	p = New(0, 9, "t", "d")
	p.Arrow("a", Point{3, 3}, Point{3, 3})
	if got := body(p); strings.Contains(got, "NaN") {
		t.Errorf("an arrow of no length is %s", got)
	}
	if got := Between(Point{0, 0}, Point{30, 40}, 10, 5); !slices.Equal(got, []Point{{6, 8}, {27, 36}}) {
		t.Errorf("between: %v", got)
	}
	if got := Between(Point{1, 2}, Point{1, 2}, 10, 5); !slices.Equal(got, []Point{{1, 2}, {1, 2}}) {
		t.Errorf("between a point and itself: %v", got)
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text         string
		width, lines int
		want         []string
	}{
		{"", 10, 2, []string{""}},
		{"one two three", 7, 3, []string{"one two", "three"}},
		{"one two three four", 7, 2, []string{"one two", "three …"}},
		{"one two three", 13, 1, []string{"one two three"}},
		{"one two threefour", 13, 1, []string{"one two thre…"}},
		{"ααααααααααααα β", 5, 2, []string{"αααα…", "β"}},
	} {
		if got := Wrap(test.text, test.width, test.lines); !slices.Equal(got, test.want) {
			t.Errorf("Wrap(%q, %d, %d): %q, expected %q", test.text, test.width, test.lines, got, test.want)
		}
	}
}

// TestDie counts the pips of every face.
func TestDie(t *testing.T) {
	for face := 1; face <= 6; face++ {
		p := New(0, 9, "t", "d")
		p.Die("", 0, 0, 40, face)
		if got := strings.Count(body(p), "<circle"); got != face {
			t.Errorf("face %d has %d pips", face, got)
		}
	}
}

// TestContrast checks the contrast of text with its background, in both themes
// (WCAG 2.2, 1.4.3: 4.5), and that of marks (1.4.11: 3).
func TestContrast(t *testing.T) {
	fills := map[string]string{}
	for _, rule := range strings.Split(Style, ".drawn .f")[1:] {
		if name, colour, ok := strings.Cut(rule, "{fill:"); ok && len(name) == 1 {
			fills["f"+name] = strings.TrimSuffix(colour, "}")[:7]
		}
	}
	if len(fills) != 8 {
		t.Fatalf("found fills %v, expected 8", fills)
	}
	for _, theme := range []string{light, dark} {
		colours := map[string]string{}
		for pair := range strings.SplitSeq(theme, ";") {
			name, value, _ := strings.Cut(pair, ":")
			colours[strings.TrimPrefix(name, "--")] = value
		}
		for _, ground := range []string{"paper", "cell"} {
			for _, text := range []string{"ink", "mute", "mark", "can"} {
				if c := contrast(t, colours[text], colours[ground]); c < 4.5 {
					t.Errorf("%s on %s: %.1f", text, ground, c)
				}
			}
		}
	}
	for name, fill := range fills {
		if c := contrast(t, "#16181c", fill); c < 4.5 {
			t.Errorf("dark text on %s: %.1f", name, c)
		}
	}
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	hex := strings.TrimPrefix(colour, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		t.Fatalf("colour %q", colour)
	}
	part := func(shift int) float64 {
		c := float64(n>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
