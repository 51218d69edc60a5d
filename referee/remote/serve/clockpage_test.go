package serve_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"umpire/referee/remote"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/testlevel"
)

// clockOf is the JavaScript expression for what the clock of a seat says.
func clockOf(seat int) string {
	return fmt.Sprintf(`document.querySelector('[data-seat="%d"] .clock').textContent`, seat)
}

// leftOn is the JavaScript expression for the seconds on the clock of a seat.
func leftOn(seat int) string { return "parseFloat(" + clockOf(seat) + ")" }

// The clock of a seat runs down while the seat owes a reply, on the pages of a
// player and of an onlooker, also of one who comes late; after the reply it
// stands where umpire says. People have no limit but that for each reply.
func TestClocks(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]map[string]any{
		"budget": {"time_ms": 50_000, "move_ms": 0}, "each reply": {"time_ms": 0, "move_ms": 50_000},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "budget" {
				testlevel.Needs(t, testlevel.Thorough)
			}
			player, onlooker := browsertest.New(t), browsertest.New(t)
			s := open(t, t.TempDir(), nil)
			s.player("alice")
			o := map[string]any{"game": "vmukni", "seats": []string{"human:eve", "remote:alice"}, "case": "standard/01"}
			maps.Copy(o, limits)
			m := get[invited](s, "POST", "matches", token, o)
			onlooker.Visit(s.server.URL, "/matches/"+m.ID)
			player.Visit(s.server.URL, m.Seats[0].Link)
			seat := get[remote.SeatInfo](s, "POST", "join", s.keys["alice"], map[string]any{"wait": 30})
			get[remote.TurnInfo](s, "GET", "seat/turns/1", seat.Ticket, nil)
			pages := []*browsertest.Tab{player, onlooker}
			for _, b := range pages {
				b.Await(clockOf(1) + ".startsWith('reply within ')")
				b.Await(clockOf(2) + " === '50.0 s left'")
			}
			player.Await(owed)
			clickFirst(player)
			late := browsertest.New(t)
			late.Visit(s.server.URL, "/matches/"+m.ID)
			for _, b := range append(pages, late) {
				b.Await(leftOn(2) + " < 50")
				seen := browsertest.Eval[float64](b, leftOn(2))
				b.Await(fmt.Sprintf("%s < %g", leftOn(2), seen))
				if got := browsertest.Eval[string](b, clockOf(1)); got != "" {
					t.Errorf("the clock of a person that has replied says %q", got)
				}
				if n := browsertest.Eval[int](b, "document.querySelectorAll('[aria-live] .clock, [role=status] .clock').length"); n != 0 {
					t.Error("clocks are read out")
				}
			}
			get[remote.TurnInfo](s, "PUT", "seat/turns/1", seat.Ticket, map[string]string{"reply": "1"})
			info := get[remote.MatchInfo](s, "GET", "matches/"+m.ID, "", nil)
			for info.Steps < 2 { // the match takes the reply in its own time
				info = get[remote.MatchInfo](s, "GET", "matches/"+m.ID, "", nil)
			}
			// JavaScript rounds 49.25 to 49.3, Go to 49.2.
			left := fmt.Sprintf("(%d / 1000).toFixed(1) + ' s left'", info.Seats[1].LeftMS)
			for _, b := range append(pages, late) {
				b.Await(fmt.Sprintf("%s === 2 && %s === %s", moves, clockOf(2), left))
				b.Await(clockOf(1) + ".startsWith('reply within')")
				if n := browsertest.Eval[int](b, "document.querySelectorAll('.clock.low').length"); n != 0 {
					t.Error("a clock with most of its time is red")
				}
				if got, want := browsertest.Eval[string](b, clockOf(2)), browsertest.Eval[string](b, left); got != want {
					t.Errorf("the clock goes on after the reply: %s", got)
				}
			}
			get[struct{}](s, "DELETE", "matches/"+m.ID, token, nil)
			for _, b := range append(pages, late) {
				b.Await(`document.getElementById('status').textContent.startsWith('This match does not count')`)
				if got := browsertest.Eval[string](b, clockOf(1)); got != "" {
					t.Errorf("the clock of a match that is void says %q", got)
				}
				b.Check(name)
			}
		})
	}
}

// What a person and an onlooker see at the end is complete without umpire, which
// may have ended with the match.
func TestReplayWithoutServer(t *testing.T) {
	t.Parallel()
	player, onlooker := browsertest.New(t), browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	m := s.invite("vmukni", "human:eve", "human:guest")
	onlooker.Visit(s.server.URL, "/matches/"+m.ID)
	onlooker.Await(`document.querySelector('#picture svg')`)
	s.people(m, 2)
	player.Visit(s.server.URL, m.Seats[0].Link)
	player.Await(owed)
	click(player, "#choices button")
	steps := get[remote.MatchInfo](s, "GET", "matches/"+m.ID, "", nil).Steps
	s.close()
	player.Run(chromedp.Evaluate(`document.querySelector('#result a').click()`, nil))
	for b, from := range map[*browsertest.Tab]int{player: 0, onlooker: steps} {
		at := func(step int) string {
			return fmt.Sprintf(`document.getElementById('where') && document.getElementById('where').textContent === '%d of %d'`, step, steps)
		}
		b.Await(at(from))
		if got := browsertest.Eval[string](b, "location.pathname"); got != "/matches/"+m.ID {
			t.Errorf("the address is %s", got)
		}
		b.Run(chromedp.Evaluate(`document.getElementById('first').click()`, nil))
		b.Await(at(0))
		start := browsertest.Eval[string](b, `document.querySelector('#picture svg').outerHTML`)
		b.Run(chromedp.Evaluate(`document.getElementById('next').click()`, nil))
		b.Await(at(1))
		if browsertest.Eval[string](b, `document.querySelector('#picture svg').outerHTML`) == start {
			t.Error("the picture does not change")
		}
		b.Accessible("replay without umpire")
		b.Check("replay without umpire")
		b.Run(chromedp.Evaluate(`document.querySelector('.up a').click()`, nil))
		b.Await(`document.getElementById('ended') && ` + isReplay)
		b.Expect("net::ERR_")
		b.Check("the way out")
	}
	picture(player, "kept-replay")
}

// On a phone the board is in view wherever the choices are scrolled to.
func TestPhone(t *testing.T) {
	b := browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	for n, g := range dialogueGames(t) {
		t.Run(g.Name, func(t *testing.T) {
			testlevel.Every(t, n, 2)
			b.T = t
			seats := slices.Repeat([]string{"@2"}, g.MinSeats)
			seats[0] = "human:eve"
			m := s.invite(g.Name, seats...)
			b.Run(emulation.SetDeviceMetricsOverride(360, 640, 1, false))
			b.Visit(s.server.URL, m.Seats[0].Link)
			b.Await(owed)
			for _, part := range []string{"choices", "line"} {
				b.Run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById(%q).scrollIntoView({block: 'end'})`, part), nil))
				board := browsertest.Eval[[]float64](b, `(({top, bottom, height}) => [top, bottom, height])(document.querySelector('#picture svg').getBoundingClientRect())`)
				if board[0] < 0 || board[1] > 640 || board[2] < 200 {
					t.Errorf("with %s in view the board is at %v", part, board)
				}
			}
			a := s.request("DELETE", "/api/v1/matches/"+m.ID, token, nil)
			if a.status != 200 {
				t.Errorf("found %+v", a)
			}
			b.Await(`document.getElementById('status').textContent === 'This match does not count: voided by the organiser.'`)
			b.Check(g.Name)
		})
	}
}

// Board, players and what may be replied are on one screen, however many seats there are,
// each player once: the scores of the picture stand with the names. Onlookers have no less.
func TestOneScreen(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	s.house.Places.Most = 10
	// Pages are loaded once for each layout: narrow ones begin with their rules folded.
	layouts := [][][2]int64{{{1280, 720}, {1366, 768}}, {{390, 844}}}
	opens := func(size [2]int64, path, shown string) {
		b.T.Helper()
		b.Run(emulation.SetDeviceMetricsOverride(size[0], size[1], 1, false))
		b.Visit(s.server.URL, path)
		b.Await(shown)
	}
	fit := func(sizes [][2]int64, parts string) {
		b.T.Helper()
		for _, size := range sizes {
			b.Run(emulation.SetDeviceMetricsOverride(size[0], size[1], 1, false))
			if low := browsertest.Eval[float64](b, `Math.max(...[`+parts+`].map((part) => document.querySelector(part).getBoundingClientRect().bottom))`); low > float64(size[1]) {
				b.T.Errorf("at %v the page ends at %v", size, low)
			}
		}
	}
	for n, g := range dialogueGames(t) {
		t.Run(g.Name, func(t *testing.T) {
			testlevel.Every(t, n, 3) // the first, and that with the most seats
			b.T = t
			seats := slices.Repeat([]string{"@2"}, g.MaxSeats)
			seats[0] = "human:eve"
			m := s.invite(g.Name, seats...)
			for _, sizes := range layouts {
				opens(sizes[0], "/matches/"+m.ID, `document.querySelector('#picture svg') && document.querySelector('.seat .score').textContent`)
				fit(sizes, `'.stage', '.seats'`)
				opens(sizes[0], m.Seats[0].Link, owed)
				fit(sizes, `'.stage', '.seats', '#line button'`)
				if got := text(b, "#status"); !strings.HasPrefix(got, "Your move. You are ") {
					t.Errorf("found %q", got)
				}
				first := "0"
				if g.Name == "mensch" { // what is no score says what it is
					first = "0 steps,"
				}
				if got := browsertest.Eval[string](b, `[...document.querySelectorAll('.seat .score')].map((score) => score.textContent).join() + getComputedStyle(document.querySelector('[data-key=score1]')).display`); !strings.HasPrefix(got, first) || !strings.HasSuffix(got, "none") {
					t.Errorf("found scores %q", got)
				}
				b.Check(g.Name)
			}
			b.Accessible(g.Name)
		})
	}
}
