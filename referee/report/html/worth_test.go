package html

import (
	"strings"
	"testing"

	"umpire/protocols/catalog"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/testlevel"
)

// given makes the record of an ioiwari match from its replies.
func given(t *testing.T, replies ...string) record.Record {
	t.Helper()
	g := game(t, "ioiwari")
	c, err := g.Parse("4 3 2 4 2 3 2")
	if err != nil {
		t.Fatal(err)
	}
	r := record.Record{V: 1, ID: "x", Game: g.Name, Case: record.Case{Name: "a case", Text: c.String()}, Seats: []record.Seat{{Bot: "a"}, {Bot: "b"}}}
	for i, reply := range replies {
		r.Events = append(r.Events, record.Event{Seat: 1 + i%2, Reply: &reply})
	}
	return r
}

func analysed(t *testing.T, r record.Record) string {
	t.Helper()
	m, err := analysis.Of(r, catalog.Games(), nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := AnalysedReplay(r, catalog.Games(), m)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestWorth: seat 1 plays pit 7 in 0 0 0 0 1 1 1, 8 beads to 9, and so 8 to 12
// where 11 to 9 was to be had.
func TestWorth(t *testing.T) {
	page := analysed(t, given(t, "2", "3", "5", "4", "7", "5"))
	d, _ := dataOf(t, page)
	if w := d.Steps[5].Worth; w == nil || *w != (stepWorth{"blunder", "lost 6 beads: worth -4", "5, worth +2, then 7", -100}) {
		t.Errorf("step 5 is %+v", w)
	}
	if w := d.Steps[4].Worth; w == nil || w.Class != "" || w.Best != "" || d.Steps[0].Worth != nil {
		t.Errorf("step 4 is %+v, step 0 %+v", w, d.Steps[0].Worth)
	}
	for _, want := range []string{
		`lost 6 beads: 0 inaccuracies, 0 mistakes, 1 blunder<`, `lost 0 beads: 0 inaccuracies, 0 mistakes, 0 blunders<`,
		`<a href="#step=5">blunder at 5</a>`, `as is a win or a tie given away for certain`,
		// From +2 until step 5, then -4: the curve's lowest.
		`<path class="line" d="M71.4 4L214.3 4L357.1 4L500.0 4L642.9 4L785.7 96L928.6 96"/>`,
		`<path class="bars blunder" d="M785.7 100V4"/>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Count(page, `class="plot curve"`) != 1 || strings.Count(page, `class="plot loss"`) != 2 {
		t.Error("expected one curve, and the losses of two seats")
	}
}

// TestWorthOfFailure: what a failure cost stands at its step.
func TestWorthOfFailure(t *testing.T) {
	d, _ := dataOf(t, analysed(t, given(t, "2", "3", "5", "4", "1")))
	if w := d.Steps[5].Worth; w == nil || !strings.HasPrefix(w.Text, "foul cost 3 beads: ") || w.Class != "" {
		t.Errorf("step 5 is %+v", w)
	}
	// A match that is over before anything is valued has no chart.
	if page := analysed(t, given(t, "9")); strings.Contains(page, "What replies were worth") {
		t.Error("there is a chart of nothing")
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
		r := sample(t, g.Name)
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
		if curves := strings.Count(page, `class="plot curve"`); len(r.Seats) != 2 && curves != len(r.Seats) {
			t.Errorf("%s: %d curves for %d seats", g.Name, curves, len(r.Seats))
		}
	}
	g := game(t, "vmukni")
	for seed := range uint64(2) {
		c, err := g.Generate("large", seed)
		if err != nil {
			t.Fatal(err)
		}
		if page := analysed(t, play(t, g, c, 2, choose())); len(page) >= limit {
			t.Errorf("seed %d: %d bytes, expected less than %d", seed, len(page), limit)
		}
	}
}

// TestWorthInBrowser opens an analysed page: the step that the address names says
// what its reply was worth and offers the best one, and the list of moves marks it.
func TestWorthInBrowser(t *testing.T) {
	b := browsertest.New(t)
	path := written(t, analysed(t, given(t, "2", "3", "5", "4", "7", "5")))
	for address, want := range map[string]string{
		"#step=5": `<p>blunder: lost 6 beads: worth -4</p><details><summary>Best reply</summary><p>5, worth +2, then 7</p></details>`,
		"#step=4": `<p>worth -2, the best of 2 replies</p><details hidden=""><summary>Best reply</summary><p></p></details>`,
		"":        `<p></p><details hidden=""><summary>Best reply</summary><p></p></details>`,
	} {
		b.Open(path, address)
		if found := browsertest.Eval[string](b, `document.getElementById('worth').innerHTML`); found != want {
			t.Errorf("%s: found %s, expected %s", address, found, want)
		}
		if height := browsertest.Eval[string](b, `document.querySelector('#balance i').style.height`); height != map[string]string{"#step=5": "100%", "#step=4": "25%", "": "50%"}[address] {
			t.Errorf("%s: the second seat has %s of the bar", address, height)
		}
		if browsertest.Eval[int](b, `document.querySelectorAll('.mark.blunder[title=blunder][role=img][aria-label=blunder]').length`) < 1 {
			t.Errorf("%s: no move is marked", address)
		}
		b.Check(address)
	}
	b.Open(path, "#step=2")
	b.Press("n")
	if at := stateOf(b).Where; !strings.HasPrefix(at, "5 of ") {
		t.Errorf("the next mistake is at %s, expected 5", at)
	}
	b.Accessible("an analysed page")
}
