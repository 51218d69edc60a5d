package replay

import (
	"context"
	"fmt"
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	printing "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"umpire/protocols/catalog"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/testlevel"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// TestReplayPages opens the page of a match of each game: nothing goes wrong and
// nothing is loaded, keys and addresses lead to each step, and at the end stand
// the scores that the game gives.
func TestReplayPages(t *testing.T) {
	b := browsertest.New(t)
	for n, g := range catalog.Games() {
		t.Run(g.Name, func(t *testing.T) {
			testlevel.Every(t, n, 2)
			b.T = t
			r := pagetest.Sample(t, g.Name)
			text := pageOf(t, r)
			d, texts := dataOf(t, text)
			want, end := pictures(d, texts), len(d.Steps)-1
			at := func(n int) {
				t.Helper()
				got := pagetest.StateOf(b)
				if where := fmt.Sprintf("%d of %d", n, end); got.Where != where || words(got.Picture) != words(want[n]) {
					t.Errorf("shows %q with %s, expected %q with %s", got.Where, words(got.Picture), where, words(want[n]))
				}
			}
			path := pagetest.Written(t, text)
			b.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
			b.Open(path, "")
			b.Check("opened")
			at(0)
			b.Press(kb.End)
			at(end)
			b.Press(kb.ArrowLeft)
			turns := turnEnds(d)
			at(turns[max(0, len(turns)-2)])
			b.Press(kb.Home)
			at(0)
			b.Press(kb.ArrowRight)
			at(turns[min(1, end)])
			// It must not come to the end by itself between two looks.
			b.Run(chromedp.Evaluate("window.setTimeout = () => 1", nil))
			b.Press(" ")
			if got := pagetest.StateOf(b).Play; got != "Pause" {
				t.Errorf("after space the button says %s", got)
			}
			b.Press(" ")
			if got := pagetest.StateOf(b).Play; got != "Play" {
				t.Errorf("after space twice the button says %s", got)
			}
			b.Open(path, "#step=12")
			at(min(12, end))
			b.Check("stepped")

			b.Press(kb.End)
			result, err := r.Replay(catalog.Games(), referee.Watcher{})
			must(t, err)
			for i, seat := range result.Seats {
				row := browsertest.Eval[[]string](b, fmt.Sprintf(`[...document.querySelectorAll('.result tbody tr')[%d].children].map((c) => c.textContent)`, i))
				if row[2] != string(seat.Verdict) || row[3] != fmt.Sprint(seat.Score) || row[4] != fmt.Sprint(seat.Place) {
					t.Errorf("seat %d: shows %q, expected %s, %v and %d", i+1, row, seat.Verdict, seat.Score, seat.Place)
				}
				if got := browsertest.Eval[string](b, fmt.Sprintf(`document.querySelectorAll('.seat .score')[%d].textContent`, i)); got != fmt.Sprint(seat.Score) {
					t.Errorf("seat %d: the score at the end is %s, expected %v", i+1, got, seat.Score)
				}
			}
			b.Accessible("replay " + g.Name)
			b.Check("shown")
		})
	}
}

// turnEnds lists the steps that the page stops at: of several replies of a seat in a row,
// as in mensch, the last.
func turnEnds(d data) (list []int) {
	for n, s := range d.Steps {
		if n == 0 || n == len(d.Steps)-1 || len(d.Bots) == 1 || s.Seat == 0 || s.Seat != d.Steps[n+1].Seat {
			list = append(list, n)
		}
	}
	return list
}

// TestOneScreen: a laptop and a phone show the board, the controls and moves without being
// scrolled, and the board nearly fills its height; a frame has these alone.
func TestOneScreen(t *testing.T) {
	b := browsertest.New(t)
	for n, g := range catalog.Games() {
		t.Run(g.Name, func(t *testing.T) {
			testlevel.Every(t, n, 4)
			b.T = t
			r := pagetest.Sample(t, g.Name)
			r.Error = "the disk is full" // above the board stand a note, and a hint for want of an analysis
			page, err := Match{Record: r, Games: catalog.Games(), Unvalued: "the disk is full"}.Page()
			must(t, err)
			b.Open(pagetest.Written(t, string(page)), "#step=3")
			for _, size := range [][2]int64{{1280, 720}, {1366, 768}, {390, 844}} {
				b.Run(emulation.SetDeviceMetricsOverride(size[0], size[1], 1, false))
				at := browsertest.Eval[map[string]float64](b, `(() => {
					const box = (selector) => document.querySelector(selector).getBoundingClientRect();
					return {controls: box('#controls').bottom, top: box('#picture').top, bottom: box('#picture').bottom, caption: box('#caption').bottom, moves: box('#moves').top + 40, begin: box('#controls').top,
						hidden: document.querySelectorAll('#picture svg[data-board] > [data-key=caption]').length && box('#picture svg > [data-key=caption]').height};
				})()`)
				if max(at["controls"], at["moves"]) > float64(size[1]) || at["caption"] > at["begin"]+1 || at["bottom"]-at["top"] < 240 || at["hidden"] != 0 {
					t.Errorf("%v: found %v", size, at)
				}
			}
			r.Error = ""
			b.Open(pagetest.Written(t, pageOf(t, r)), "#step=3")
			b.Run(emulation.SetDeviceMetricsOverride(360, 640, 1, false))
			at := browsertest.Eval[[]float64](b, `['#picture', '#caption', '#controls'].flatMap((part) => { const {top, bottom} = document.querySelector(part).getBoundingClientRect(); return [top, bottom]; })`)
			if at[1]-at[0] < 320 || at[3] > at[4]+1 || at[5] > 640 {
				t.Errorf("on a small phone the board, its words and the controls are at %v", at)
			}
		})
	}
	b.T = t
	b.Run(emulation.SetDeviceMetricsOverride(480, 400, 1, false))
	b.Open(pagetest.Written(t, pageOf(t, pagetest.Sample(t, "ioiwari"))), "#embed&step=3")
	if got := browsertest.Eval[string](b, `[document.getElementById('controls').getBoundingClientRect().bottom <= 400, document.getElementById('where').textContent.slice(0, 5),
		[...document.querySelectorAll('section, nav, p.facts')].filter((e) => e.offsetParent).length, document.querySelector('h1 a').href.endsWith('.html')].join()`); got != "true,3 of ,1,true" {
		t.Errorf("in a frame: found %s", got)
	}
}

// TestNoScript: without a script nothing is shown that one would fill, and the list of moves
// has its numbers within its card.
func TestNoScript(t *testing.T) {
	b := browsertest.New(t)
	b.Run(emulation.SetScriptExecutionDisabled(true), emulation.SetDeviceMetricsOverride(1280, 800, 1, false))
	r := pagetest.Completed(t, pagetest.Sample(t, "ioiwari"), "one", "two")
	worth, err := analysis.Of(r, catalog.Games(), nil)
	must(t, err)
	page, err := Match{Record: r, Games: catalog.Games(), Worth: worth}.Page()
	must(t, err)
	path := pagetest.Written(t, string(page))
	b.Allow(path)
	b.Run(chromedp.Navigate("file://" + strings.ReplaceAll(path, " ", "%20")))
	got := browsertest.Eval[string](b, `[[...document.querySelectorAll('button, progress, #graph, #balance, .keys, #moves, #where, #lines')].filter((e) => e.getClientRects().length).length,
		document.querySelector('.moves noscript').getBoundingClientRect().top - document.querySelector('.moves').getBoundingClientRect().top < 60,
		document.querySelector('.moves li').getBoundingClientRect().left - document.querySelector('.moves').getBoundingClientRect().left > 40,
		document.querySelector('.seat .score').textContent].join()`)
	if want := fmt.Sprintf("0,true,true,%v", r.Seats[0].Score); got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
}

// TestTicks: the axis of the graph has its numbers below the steps that they count.
func TestTicks(t *testing.T) {
	b := browsertest.New(t)
	r := given(t, "2", "3", "5", "4", "7", "5")
	worth, err := analysis.Of(r, catalog.Games(), nil)
	must(t, err)
	page, err := Match{Record: r, Games: catalog.Games(), Worth: worth}.Page()
	must(t, err)
	b.Open(pagetest.Written(t, string(page)), "")
	if off := browsertest.Eval[float64](b, `(() => {
		const {left, width} = document.getElementById('graph').getBoundingClientRect(), steps = document.querySelectorAll('#moves li').length;
		return Math.max(...[...document.querySelectorAll('.ticks span')].map((tick) => {
			const box = tick.getBoundingClientRect();
			return Math.abs((box.left + box.right) / 2 - left - (Number(tick.textContent) + .5) / steps * width);
		}));
	})()`); off > 1 {
		t.Errorf("a number is %g pixels beside its step", off)
	}
}

// TestWhatAMoveGained: the list of moves and the header say it, and below the board stands
// the picture's sentence.
func TestWhatAMoveGained(t *testing.T) {
	b := browsertest.New(t)
	b.Open(pagetest.Written(t, pageOf(t, given(t, "2", "3", "5", "4", "7", "5"))), "#step=1")
	seats := browsertest.Eval[[]string](b, `[...document.querySelectorAll('#moves li')].slice(0, 2).map((l) => l.querySelector('.gain') ? l.querySelector('.gain').textContent : '')`)
	if got := pagetest.StateOf(b).Caption; !strings.Contains(got, "Seat 1 played pit 2") || seats[0] != "" || !strings.HasPrefix(seats[1], "+") {
		t.Errorf("says %q and %q", got, seats)
	}
	if title, head := browsertest.Eval[string](b, "document.title"), browsertest.Eval[string](b, `document.querySelector('h1').textContent`); !strings.Contains(title, " 8 : 12 ") || !strings.Contains(strings.Join(strings.Fields(head), " "), " 8 : 12 ") || browsertest.Eval[string](b, `document.querySelector('.player.first strong').textContent`) != "12" {
		t.Errorf("the title is %q, the header %q", title, head)
	}
	if now := browsertest.Eval[string](b, `document.querySelector('.seat.now').dataset.seat`); now != "2" {
		t.Errorf("seat %s is marked, expected the one to move, 2", now)
	}
}

// TestWithoutScript: the last position and the moves are there.
func TestWithoutScript(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for _, g := range catalog.Games() {
		r := pagetest.Sample(t, g.Name)
		text := pageOf(t, r)
		d, texts := dataOf(t, text)
		all := pictures(d, texts)
		static := text[strings.Index(text, `<div id="picture"><noscript>`):]
		static = static[:strings.Index(static, "</noscript>")]
		if want := words(all[len(all)-1]); words(static) != want || want == "" {
			t.Errorf("%s: shows %s, expected %s", g.Name, words(static), want)
		}
		if moves := strings.Count(text[:strings.Index(text, `id="data"`)], "<li>"); len(d.Steps) <= maxStatic && moves != len(d.Steps)-1 {
			t.Errorf("%s: lists %d moves of %d", g.Name, moves, len(d.Steps)-1)
		}
	}
}

// TestHostilePage: what bots call themselves and write is text.
func TestHostilePage(t *testing.T) {
	b := browsertest.New(t)
	r := pagetest.Sample(t, "ioiwari")
	for i := range r.Seats {
		r.Seats[i].Bot, r.Seats[i].Stderr = "<script>alert(1)</script>", pagetest.Nasty
	}
	reply := pagetest.Nasty
	r.Events[len(r.Events)-1].Reply = &reply
	path := pagetest.Written(t, pageOf(t, r))
	for _, suffix := range []string{"", "#step=3", "#step=999", "#<img src=x onerror=alert(1)>"} {
		b.Open(path, suffix)
		b.Press(kb.End)
		if n := browsertest.Eval[int](b, `document.querySelectorAll('img, iframe, object, script:not([type]) ~ script:not([type])').length`); n != 0 {
			t.Errorf("%s: %d elements come from the record", suffix, n)
		}
		if name := browsertest.Eval[string](b, `document.querySelector('.players bdi').textContent`); name != "<script>alert(1)</script>" {
			t.Errorf("%s: the bot is called %q", suffix, name)
		}
		b.Check("hostile " + suffix)
	}
}

// TestPrinted: a page can be printed, on paper there are no controls, and less motion is
// respected.
func TestPrinted(t *testing.T) {
	b := browsertest.New(t)
	b.Open(pagetest.Written(t, pageOf(t, pagetest.Sample(t, "ioiwari"))), "")
	displayed := func(selector string) string {
		return browsertest.Eval[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).display`, selector))
	}
	if got := displayed("#controls"); got == "none" {
		t.Error("there are no controls on the screen")
	}
	b.Run(emulation.SetEmulatedMedia().WithMedia("print"))
	if got := displayed("#controls"); got != "none" {
		t.Errorf("printed controls: %s", got)
	}
	for _, problem := range browsertest.Eval[[]string](b, browsertest.Problems) {
		if strings.HasPrefix(problem, "contrast") {
			t.Errorf("printed: %s", problem)
		}
	}
	b.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	moving := browsertest.Eval[int](b, `[...document.querySelectorAll('*')].filter((e) => {
		const s = getComputedStyle(e);
		return s.animationName !== 'none' || parseFloat(s.transitionDuration) > 0;
	}).length`)
	if moving != 0 {
		t.Errorf("%d elements move", moving)
	}
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		paper, _, err := printing.PrintToPDF().Do(ctx)
		if err == nil && !strings.HasPrefix(string(paper), "%PDF") {
			err = fmt.Errorf("found %.10q, expected a PDF", paper)
		}
		return err
	}))
	b.Check("printed")
}

// TestReadOut: to those who hear a page, every control has a name, each move is said, and
// the picture says the position.
func TestReadOut(t *testing.T) {
	b := browsertest.New(t)
	b.Open(pagetest.Written(t, pageOf(t, given(t, "2", "3", "5", "4", "7", "5"))), "#step=2")
	var tree []*accessibility.Node
	b.Run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		tree, err = accessibility.GetFullAXTree().Do(ctx)
		return err
	}))
	text := func(v *accessibility.Value) string {
		if v == nil {
			return ""
		}
		return strings.Trim(string(v.Value), `"`)
	}
	controls := map[string]int{"button": 0, "slider": 0, "combobox": 0, "image": 0}
	said, position, live := false, "", 0
	for _, n := range tree {
		role, name := text(n.Role), text(n.Name)
		if _, ok := controls[role]; ok || role == "link" {
			controls[role]++
			if name == "" {
				t.Errorf("a %s has no name", role)
			}
		}
		said = said || role == "StaticText" && strings.HasPrefix(name, "Seat 2 played pit 3 and gained ")
		if name == "Ioiwari" && role == "image" {
			position = text(n.Description)
		}
		for _, p := range n.Properties {
			if p.Name == "live" && text(p.Value) == "polite" {
				live++
			}
		}
	}
	for role, n := range controls {
		if n == 0 {
			t.Errorf("found no %s", role)
		}
	}
	if !said || live == 0 || !strings.Contains(position, "Beads in the pits, clockwise from pit 1: ") {
		t.Errorf("the move is said %v, %d places are read out when they change, the picture's position is %q", said, live, position)
	}
}

// TestMotion: a bead that is sown and a piece that moves are seen on their way, unless the
// reader prefers less motion; at the end stands the position in either case.
func TestMotion(t *testing.T) {
	b := browsertest.New(t)
	path := pagetest.Written(t, pageOf(t, given(t, "2", "3", "5", "4", "7", "5")))
	for _, prefers := range []string{"no-preference", "reduce"} {
		b.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: prefers}}))
		b.Open(path, "")
		b.Run(chromedp.Evaluate(`window.seen = new Set(); new MutationObserver(() => seen.add(document.querySelector('#picture [data-key=pit3]').textContent)).observe(document.getElementById('picture'), {childList: true, subtree: true})`, nil))
		b.Press(kb.ArrowRight)
		b.Await(`document.querySelector('#picture [data-key=score1]').textContent.includes('3')`)
		b.Press(kb.ArrowRight)
		b.Await(`document.querySelector('#picture [data-key=pit3]').textContent === '0'`)
		if n := browsertest.Eval[int](b, "seen.size"); (n > 2) != (prefers != "reduce") {
			t.Errorf("%s: pit 3 was seen in %d states", prefers, n)
		}
	}
}

// TestGlide: a tile that is pushed in comes from its way, and a piece goes along its path.
func TestGlide(t *testing.T) {
	b := browsertest.New(t)
	b.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}))
	for name, want := range map[string]string{"vmukni": "2", "mensch": "13"} {
		text := pageOf(t, pagetest.Sample(t, name))
		d, _ := dataOf(t, text)
		moved := slices.IndexFunc(d.Steps, func(s step) bool { return name != "mensch" || strings.HasPrefix(s.Move, "move") })
		stops := turnEnds(d)
		from := stops[max(0, slices.IndexFunc(stops, func(stop int) bool { return stop >= moved })-1)]
		b.Open(pagetest.Written(t, text), fmt.Sprintf("#step=%d", from))
		b.Run(chromedp.Evaluate(`window.glides = new Set(); const animate = Element.prototype.animate;
			Element.prototype.animate = function(frames, options) { if (frames[0].transform) glides.add(frames.length); return animate.call(this, frames, options); }`, nil))
		b.Press(kb.ArrowRight)
		b.Await("glides.has(" + want + ")")
		b.Check(name)
	}
}

// words is the text of markup.
func words(markup string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(markup, " "))), " ")
}

func TestMain(m *testing.M) {
	code := m.Run()
	browsertest.Close()
	os.Exit(code)
}
