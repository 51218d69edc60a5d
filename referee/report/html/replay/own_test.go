package replay

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"umpire/referee/report/html/browsertest"
	"umpire/referee/report/html/pagetest"
)

// hostile is a picture that tries to take over the page; harmless is that picture after cleaning.
const (
	hostile = `<rect id="slider" class="note unseen skip" x="-1000000" y="-1000000" width="1000000" height="1000000" onclick="alert(1)" data-reply="1"/>` +
		`<a href="https://example.com/"><rect width="9" height="9"/></a><style>#controls{display:none}</style><script>alert(2)</script>` +
		`<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/"/></foreignObject>` +
		`<image href="https://example.com/a.png"/><use href="https://example.com/a.svg#b"/><rect fill="url(https://example.com/a.svg#b)"/>` +
		`<title><![CDATA[</title></svg><img src=x onerror=alert(3)>]]></title><animate href="#slider" attributeName="x" to="9"/>`
	harmless = `<rect class="own-note own-unseen own-skip" height="1000000" id="own-slider" width="1000000" x="-1000000" y="-1000000"></rect>` +
		`<use></use><rect></rect><title>&lt;/title&gt;&lt;/svg&gt;&lt;img src=x onerror=alert(3)&gt;</title>`
)

// svgOf is a line of a judge's with a picture.
func svgOf(parts string) string { return `svg <svg viewBox="0 0 9 9">` + parts + `</svg>` }

// TestOwnPictures: what a judge has drawn is shown as the allow-list leaves it; several
// pictures are phases of a move; where there is none, or none that can be shown, there is
// the text.
func TestOwnPictures(t *testing.T) {
	text := pageOf(t, pagetest.Drawn(t,
		"show start\n"+svgOf(hostile),
		"show one\n"+svgOf(`<circle r="1"/>`)+"\n"+svgOf(`<circle r="`)+"\n"+svgOf(`<circle r="2"/>`)+"\n"+svgOf(`<circle r="3"/>`),
		"show two\nnote well",
		"show three\n"+svgOf("<text>a < b</text>"),
		"show end\n"+svgOf("<text>the end</text>")))
	d, texts := dataOf(t, text)
	shown := func(parts string) string {
		label := ` aria-label="Position"`
		if strings.Contains(parts, "<title>") {
			label = ""
		}
		return `<svg xmlns="http://www.w3.org/2000/svg" class="own" viewBox="0 0 9 9" role="img"` + label + ">" + parts + "</svg>"
	}
	want := []string{
		shown(harmless), shown(`<circle r="3"></circle>`), shown(`<circle r="3"></circle>`),
		"three\nno picture: not well-formed XML: expected element name after <", shown("<text>the end</text>"),
	}
	// Phases are pictures that other pictures build on.
	var phases []string
	var flat data
	for _, s := range d.Steps {
		for _, p := range s.Phases {
			phases = append(phases, fmt.Sprint(len(flat.Steps)))
			flat.Steps = append(flat.Steps, step{picture: p})
		}
		flat.Steps = append(flat.Steps, s)
	}
	got := pictures(flat, texts)
	if fmt.Sprint(phases) != "[1 2]" || got[1] != shown(`<circle r="1"></circle>`) || got[2] != shown(`<circle r="2"></circle>`) {
		t.Errorf("found phases %v in %q", phases, got)
	}
	if got = slices.Delete(got, 1, 3); !slices.Equal(got, want) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	b := browsertest.New(t)
	b.Open(pagetest.Written(t, text), "")
	b.Accessible("a picture of one's own")
	if got := browsertest.Eval[string](b, `[document.getElementById('slider').tagName, document.querySelectorAll('#picture [class=note], #picture a, #picture iframe, img').length,
		getComputedStyle(document.getElementById('controls')).display, document.elementFromPoint(300, 20).closest('#picture')].join()`); got != "INPUT,0,flex," {
		t.Errorf("the page was changed by a picture: %s", got)
	}
	b.Check("hostile")
	// Phases are shown one by one, unless somebody wants less motion.
	b.Run(chromedp.Evaluate(`window.waiting = []; window.setTimeout = (f) => waiting.push(f)`, nil))
	b.Press(kb.ArrowRight)
	drawn := func() string { return browsertest.Eval[string](b, `document.getElementById('picture').innerHTML`) }
	for n, want := range []string{"1", "2", "3"} {
		if got := drawn(); !strings.Contains(got, `<circle r="`+want+`">`) {
			t.Errorf("phase %d: found %s", n+1, got)
		}
		b.Run(chromedp.Evaluate(`waiting.splice(0).forEach((f) => f())`, nil))
	}
	b.Press(kb.ArrowLeft, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	if got := drawn(); !strings.Contains(got, "three\nno picture: not well-formed XML") {
		t.Errorf("found %s", got)
	}
	b.Check("shown")
}
