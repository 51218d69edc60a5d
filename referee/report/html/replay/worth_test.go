package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"umpire/protocols/catalog"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/testlevel"
)

// given makes the record of an ioiwari match from its replies.
func given(t *testing.T, replies ...string) record.Record {
	t.Helper()
	return pagetest.Given(t, "ioiwari", "4 3 2 4 2 3 2", replies...)
}

func analysed(t *testing.T, r record.Record) string {
	t.Helper()
	m, err := analysis.Of(r, catalog.Games(), nil)
	must(t, err)
	page, err := Match{Record: r, Games: catalog.Games(), Worth: m}.Page()
	must(t, err)
	return string(page)
}

// TestWorth: seat 1 plays pit 7 in 0 0 0 0 1 1 1, 8 beads to 9, and so 8 to 12
// where 11 to 9 was to be had.
func TestWorth(t *testing.T) {
	page := analysed(t, given(t, "2", "3", "5", "4", "7", "5"))
	d, texts := dataOf(t, page)
	w := d.Steps[5].Worth
	if w == nil || w.Class != "blunder" || !strings.HasPrefix(texts[w.Text-1], "lost 6 beads and ") || texts[w.Best-1] != "5, worth +2, then 7" ||
		!strings.Contains(texts[w.Hint-1], `class="best"`) || *w.At > 20 {
		t.Errorf("step 5 is %+v", w)
	}
	if w := d.Steps[4].Worth; w == nil || w.Class != "" || w.Best != 0 || w.Hint != 0 || *w.At < 60 || d.Steps[0].Worth == nil || *d.Steps[0].Worth.At != *d.Steps[1].Worth.At {
		t.Errorf("step 4 is %+v, step 0 %+v", w, d.Steps[0].Worth)
	}
	if w := d.Steps[6].Worth; w == nil || *w.At != 0 {
		t.Errorf("the graph ends at %+v, expected the result", w)
	}
	for _, want := range []string{
		`lost 6 beads: 0 inaccuracies, 0 mistakes, 1 blunder<`, `lost 0 beads: 0 inaccuracies, 0 mistakes, 0 blunders<`,
		`<a href="#step=5">blunder at 5</a>`, `A reply that loses 5 % of the expected result is an inaccuracy`,
		`aria-label="Expected result of a; `, `at last 0 %"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// TestWorthOfFailure: what a failure cost stands at its step.
func TestWorthOfFailure(t *testing.T) {
	d, texts := dataOf(t, analysed(t, given(t, "2", "3", "5", "4", "1")))
	if w := d.Steps[5].Worth; w == nil || !strings.HasPrefix(texts[w.Text-1], "foul cost 3 beads: ") || w.Class != "" || *w.At != 0 {
		t.Errorf("step 5 is %+v", w)
	}
	// A match that is over before anything is valued has no graph.
	if page := analysed(t, given(t, "9")); strings.Contains(page, "What replies were worth") {
		t.Error("there is a graph of nothing")
	}
}

// TestWorthOfGames: the pages of all games that value replies hold what the
// analysis says, and are not heavier than others may be.
func TestWorthOfGames(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	const limit = 500_000
	for _, g := range catalog.Games() {
		if g.Analysis.Unit == "" {
			continue
		}
		r := pagetest.Sample(t, g.Name)
		page := analysed(t, r)
		d, _ := dataOf(t, page)
		n := 0
		for _, s := range d.Steps {
			if s.Worth != nil {
				n++
			}
		}
		if n < len(r.Events)/2 || !strings.Contains(page, "What replies were worth") {
			t.Errorf("%s: %d of %d steps have a worth", g.Name, n, len(d.Steps))
		}
		lines := len(r.Seats)
		if g.Analysis.Results != "" {
			lines = 1
		}
		if !strings.Contains(page, fmt.Sprintf(`data-lines="%d"`, lines)) {
			t.Errorf("%s: expected %d lines for %d seats", g.Name, lines, len(r.Seats))
		}
	}
	g := pagetest.Game(t, "vmukni")
	for seed := range uint64(testlevel.Times(1, 1, 2)) {
		c, err := g.Generate("large", seed)
		must(t, err)
		if page := analysed(t, pagetest.Play(t, g, c, 2, pagetest.Choose())); len(page) >= limit {
			t.Errorf("seed %d: %d bytes, expected less than %d", seed, len(page), limit)
		}
	}
}

// TestWorthInBrowser opens an analysed page: the step that the address names says
// what its reply was worth and offers the best one, and the list of moves marks it.
func TestWorthInBrowser(t *testing.T) {
	b := browsertest.New(t)
	path := pagetest.Written(t, analysed(t, given(t, "2", "3", "5", "4", "7", "5")))
	for address, want := range map[string][3]string{
		"#step=5": {"blunder: lost 6 beads and ", "5, worth +2, then 7 (the dashed arrow)", "1"},
		"#step=4": {"worth -2, the best of 2 replies", "", "0"},
		"":        {"", "", "0"},
	} {
		b.Open(path, address)
		found := browsertest.Eval[[]string](b, `[...document.querySelectorAll('#worth p')].map((p) => p.textContent).concat(String(document.querySelectorAll('#picture [data-key=best] .best').length && 1))`)
		if !strings.HasPrefix(found[0], want[0]) || (found[0] == "") != (want[0] == "") || found[1] != want[1] || found[2] != want[2] {
			t.Errorf("%s: found %q, expected %q", address, found, want)
		}
		if browsertest.Eval[int](b, `document.querySelectorAll('.mark.blunder[title=blunder][role=img][aria-label=blunder]').length`) < 1 {
			t.Errorf("%s: no move is marked", address)
		}
		b.Check(address)
	}
	if drawn := browsertest.Eval[[]string](b, `[...document.querySelectorAll('#graph path')].map((p) => p.getAttribute('class'))`); strings.Join(drawn, " ") != "now area line grid dot blunder" {
		t.Errorf("the graph has %q", drawn)
	}
	b.Open(path, "#step=2")
	b.Press("m")
	if at := pagetest.StateOf(b).Where; !strings.HasPrefix(at, "5 of ") {
		t.Errorf("the next mistake is at %s, expected 5", at)
	}
	if part := browsertest.Eval[string](b, `document.querySelector('#balance i').style.height`); part == "" || part == "50%" {
		t.Errorf("after a blunder of the first seat, the second has %s of the bar", part)
	}
	b.Run(chromedp.Evaluate(`{const svg = document.getElementById('graph'), box = svg.getBoundingClientRect();
		svg.dispatchEvent(new MouseEvent('click', {clientX: box.left + box.width * 2.5 / 7}));}`, nil))
	if at := pagetest.StateOf(b).Where; !strings.HasPrefix(at, "2 of ") {
		t.Errorf("a click on the graph leads to %s, expected 2", at)
	}
	b.Accessible("an analysed page")
}
