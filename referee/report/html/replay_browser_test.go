package html

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"

	"umpire/protocols/catalog"
	"umpire/referee"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// written writes a page to the disk.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a page.html")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// state is what a page that plays a match back shows.
type state struct {
	Where, Picture, Caption, Address, Play string
}

func (b *tab) state() state {
	b.t.Helper()
	return eval[state](b, `(() => {
		const text = (id) => document.getElementById(id).textContent.replace(/\s+/g, ' ').trim();
		return {Where: text('where'), Caption: text('caption'), Address: location.hash,
			Picture: document.getElementById('picture').innerHTML,
			Play: document.getElementById('play').getAttribute('aria-label')};
	})()`)
}

// TestReplayPages opens the page of a match of each game: nothing goes wrong and
// nothing is loaded, keys and addresses lead to each step, and at the end stand
// the scores that the game gives.
func TestReplayPages(t *testing.T) {
	b := newTab(t)
	for _, g := range catalog.Games() {
		t.Run(g.Name, func(t *testing.T) {
			b.t = t
			r := sample(t, g.Name)
			text := page(t, r)
			d, texts := dataOf(t, text)
			want, end := pictures(d, texts), len(d.Steps)-1
			at := func(n int) {
				t.Helper()
				got := b.state()
				if where := fmt.Sprintf("%d of %d", n, end); got.Where != where || words(got.Picture) != words(want[n]) {
					t.Errorf("shows %q with %s, expected %q with %s", got.Where, words(got.Picture), where, words(want[n]))
				}
			}
			path := written(t, text)
			b.open(path, "")
			b.check("opened")
			at(0)
			b.press(kb.End)
			at(end)
			b.press(kb.ArrowLeft)
			at(max(0, end-1))
			b.press(kb.Home)
			at(0)
			b.press(kb.ArrowRight)
			at(min(1, end))
			b.press(" ")
			if got := b.state().Play; got != "Pause" {
				t.Errorf("after space the button says %s", got)
			}
			b.press(" ")
			if got := b.state().Play; got != "Play" {
				t.Errorf("after space twice the button says %s", got)
			}
			b.open(path, "#step=12")
			at(min(12, end))
			b.check("stepped")

			b.press(kb.End)
			result, err := r.Replay(catalog.Games(), referee.Watcher{})
			if err != nil {
				t.Fatal(err)
			}
			for i, seat := range result.Seats {
				row := eval[[]string](b, fmt.Sprintf(`[...document.querySelectorAll('.result tbody tr')[%d].children].map((c) => c.textContent)`, i))
				if row[2] != string(seat.Verdict) || row[3] != fmt.Sprint(seat.Score) || row[4] != fmt.Sprint(seat.Place) {
					t.Errorf("seat %d: shows %q, expected %s, %d and %d", i+1, row, seat.Verdict, seat.Score, seat.Place)
				}
				if got := eval[string](b, fmt.Sprintf(`document.querySelectorAll('.seat .score')[%d].textContent`, i)); got != fmt.Sprint(seat.Score) {
					t.Errorf("seat %d: the score at the end is %s, expected %d", i+1, got, seat.Score)
				}
			}
			b.accessible("replay " + g.Name)
			b.check("shown")
		})
	}
}

// TestHostilePage: what bots call themselves and write is text.
func TestHostilePage(t *testing.T) {
	b := newTab(t)
	r := sample(t, "ioiwari")
	for i := range r.Seats {
		r.Seats[i].Bot, r.Seats[i].Stderr = "<script>alert(1)</script>", nasty
	}
	reply := nasty
	r.Events[len(r.Events)-1].Reply = &reply
	path := written(t, page(t, r))
	for _, suffix := range []string{"", "#step=3", "#step=999", "#<img src=x onerror=alert(1)>"} {
		b.open(path, suffix)
		b.press(kb.End)
		if n := eval[int](b, `document.querySelectorAll('img, iframe, object, script:not([type]) ~ script:not([type])').length`); n != 0 {
			t.Errorf("%s: %d elements come from the record", suffix, n)
		}
		if name := eval[string](b, `document.querySelector('.players bdi').textContent`); name != "<script>alert(1)</script>" {
			t.Errorf("%s: the bot is called %q", suffix, name)
		}
		b.check("hostile " + suffix)
	}
}

// nasty is text that would act if it were taken for markup, a script or a link.
const nasty = "</script><script>alert(1)</script><img src=x onerror=alert(2)><a href='javascript:alert(3)'>\"'`{{.}}\u202egnp\u2066\x1b[31m"

// TestPrinted: on paper there are no controls, and less motion is respected.
func TestPrinted(t *testing.T) {
	b := newTab(t)
	b.open(written(t, page(t, sample(t, "ioiwari"))), "")
	displayed := func(selector string) string {
		return eval[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).display`, selector))
	}
	if got := displayed("#controls"); got == "none" {
		t.Error("there are no controls on the screen")
	}
	b.run(emulation.SetEmulatedMedia().WithMedia("print"))
	if got := displayed("#controls"); got != "none" {
		t.Errorf("printed controls: %s", got)
	}
	for _, problem := range eval[[]string](b, problemsScript) {
		if strings.HasPrefix(problem, "contrast") {
			t.Errorf("printed: %s", problem)
		}
	}
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	moving := eval[int](b, `[...document.querySelectorAll('*')].filter((e) => {
		const s = getComputedStyle(e);
		return s.animationName !== 'none' || parseFloat(s.transitionDuration) > 0;
	}).length`)
	if moving != 0 {
		t.Errorf("%d elements move", moving)
	}
	b.check("printed")
}
