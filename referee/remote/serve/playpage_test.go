package serve_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"umpire/referee/keys"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/remote/serve"
	"umpire/referee/report/html/browsertest"
)

const (
	owed   = `document.body.classList.contains('owed')`
	isOver = `!document.getElementById('result').hidden`
)

// clickFirst clicks the first choice.
func clickFirst(b *browsertest.Tab) {
	b.T.Helper()
	b.Run(chromedp.Evaluate(`document.querySelector('#choices button').click()`, nil))
}

// isReplay tells that the page plays the match back: what it was sent is unpacked, and
// keys are heard.
const isReplay = `document.getElementById('where')?.textContent.includes(' of ')`

// moves is the JavaScript expression for how many moves a page lists.
const moves = `document.querySelectorAll('#moves li').length`

// pair opens a tab, and a site with a match of two people, the first of them eve.
func pair(t *testing.T, game string) (*browsertest.Tab, *site, invited) {
	t.Helper()
	b := browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	return b, s, s.invite(game, "human:eve", "human:guest")
}

// playedWell returns the record of a match in which eve has made no fault.
func (s *site) playedWell(m invited) record.Record {
	s.t.Helper()
	r := s.verified(m.ID)
	if r.Seats[0].Bot != "eve" || r.Seats[0].Verdict != "ok" {
		s.t.Errorf("found %+v", r.Seats[0])
	}
	return r
}

// A page that is loaded again in mid-match goes on, and an onlooker sees each
// move as it is made.
func TestReload(t *testing.T) {
	t.Parallel()
	b, onlooker := browsertest.New(t), browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	m := s.invite("vmukni", "human:eve", "human:guest")
	onlooker.Visit(s.server.URL, "/matches/"+m.ID)
	s.people(m, 2)
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(owed)
	for n := range 3 {
		clickFirst(b)
		b.Await(fmt.Sprintf("%s && %s === %d", owed, moves, 2*n+2))
		onlooker.Await(fmt.Sprintf("%s === %d && document.querySelector('#picture svg')", moves, 2*n+2))
		b.Run(chromedp.Reload())
		b.Await(fmt.Sprintf("%s && %s === %d", owed, moves, 2*n+2))
	}
	if got := text(onlooker, "#state"); got != "running" {
		t.Errorf("the onlooker reads %q", got)
	}
	onlooker.Accessible("live")
	picture(onlooker, "live")
	leave(b)
	if r := s.verified(m.ID); r.Seats[0].Bot != "eve" || r.Seats[0].Replies != 3 {
		t.Errorf("found %+v", r.Seats[0])
	}
	b.Check("played")
	onlooker.Check("looked on")

	// The link of another seat leads to that seat, also in the tab of this one.
	m = s.invite("ioiwari", "human:eve", "human:guest")
	you := `document.querySelector('[data-seat="%d"] .you').textContent === '(you)' && location.hash === ''`
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(fmt.Sprintf(you, 1))
	b.Run(chromedp.Evaluate("location.hash = '"+m.ticket(2)+"'", nil))
	b.Await(fmt.Sprintf(you, 2))
	b.Check("other seat")
}

// A person's link leads to one match after another; how one has ended stays to be read
// until the person goes on to the next, which has begun.
func TestPersonsPage(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	var file *keys.File
	s := open(t, t.TempDir(), func(c *serve.Config) { file = c.Keys })
	key, err := file.Add(keys.PersonKey("eve"))
	must(t, err)
	b.Visit(s.server.URL, serve.PersonPage+key)
	b.Await(`document.getElementById('status').textContent === 'Waiting for your next match.'`)
	b.Accessible("a person's page")
	first := s.invite("ioiwari", "human:eve", "human:guest")
	second := s.invite("ioiwari", "human:eve", "human:guest")
	s.people(first, 2)
	s.people(second, 2)
	b.Await(owed + ` && document.title.startsWith('● ') && location.pathname.endsWith('` + first.ID + `') && location.hash === ''`)
	click(b, "#choices button")
	b.Await(isOver + ` && document.querySelector('#next-match a') && document.getElementById('status').textContent.startsWith('The match is over.')`)
	s.verified(first.ID)
	b.Run(chromedp.Evaluate(`document.querySelector('#next-match a').click()`, nil))
	b.Await(owed + ` && location.pathname.endsWith('` + second.ID + `')`)
	b.Run(chromedp.Navigate(s.server.URL + strings.TrimSuffix(serve.PersonPage, "#"))) // whose key the tab keeps
	b.Await(owed + ` && location.pathname.endsWith('` + second.ID + `')`)
	click(b, "#choices button")
	b.Await(isOver + ` && document.getElementById('next-match').textContent === 'Waiting for your next match.'`)
	s.verified(second.ID)
	b.AwaitThat("the page's request waits", func(context.Context) (bool, error) {
		return s.hub.WaitsFor(keys.PersonKey("eve"), "ioiwari"), nil
	})
	s.close()
	b.Await(`document.getElementById('next-match').textContent === 'umpire has ended.'`)
}

// A hidden tab reads no events, and catches up when it is shown again.
func TestHiddenTab(t *testing.T) {
	b, s, m := pair(t, "vmukni")
	b.Visit(s.server.URL, "/matches/"+m.ID)
	b.Await(`document.querySelector('#picture svg')`)
	hide := func(hidden bool) {
		b.Run(chromedp.Evaluate(fmt.Sprintf(`Object.defineProperty(document, 'hidden', {value: %t, configurable: true});
			document.dispatchEvent(new Event('visibilitychange'))`, hidden), nil))
	}
	hide(true)
	for turn := 1; turn <= 3; turn++ {
		for seat := 1; seat <= 2; seat++ {
			path := fmt.Sprintf("seat/turns/%d?wait=30", turn)
			if turn == 1 && seat == 1 {
				get[remote.TurnInfo](s, "GET", "seat/turns/1", m.ticket(2), nil) // or the match does not begin
			}
			if info := get[remote.TurnInfo](s, "GET", path, m.ticket(seat), nil); info.State != remote.TurnMove {
				t.Fatalf("found %+v", info)
			}
			get[remote.TurnInfo](s, "PUT", fmt.Sprintf("seat/turns/%d", turn), m.ticket(seat), map[string]string{"reply": "1"})
		}
	}
	if n := browsertest.Eval[int](b, moves); n != 0 {
		t.Errorf("a hidden tab lists %d moves", n)
	}
	hide(false)
	b.Await(moves + " === 6")
	b.Check("shown again")
}

// Of two tabs the older one says that it has stopped, and may go on.
func TestTwoTabs(t *testing.T) {
	first, second := browsertest.New(t), browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	m := s.invite("ioiwari", "human:eve", "human:guest")
	s.people(m, 2)
	stopped := func(b *browsertest.Tab) {
		t.Helper()
		b.Await(`document.getElementById('status').textContent.includes('another tab')`)
		if browsertest.Eval[bool](b, owed) {
			t.Error("the older tab can be clicked")
		}
	}
	first.Visit(s.server.URL, m.Seats[0].Link)
	first.Await(owed)
	second.Visit(s.server.URL, m.Seats[0].Link)
	second.Await(owed)
	stopped(first)
	first.Accessible("superseded")
	first.Run(chromedp.Evaluate(`document.querySelector('#again button').click()`, nil))
	first.Await(owed)
	stopped(second)
	clickFirst(first)
	first.Await(owed + " && " + moves + " === 2")
	leave(first)
	s.verified(m.ID)
	first.Check("first")
	second.Check("second")
}

// A person who plays in another browser as well is told by umpire.
func TestSuperseded(t *testing.T) {
	b, s, m := pair(t, "ioiwari")
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(`document.querySelector('.you').textContent && document.getElementById('status').textContent.startsWith('Waiting')`)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for { // whose request is the later one is not known: the page's ends this one, too
			if a := s.request("GET", "/api/v1/seat/turns/1?wait=30", m.ticket(1), nil); a.code() != "superseded" {
				return
			}
		}
	}()
	b.Await(`document.getElementById('status').textContent.includes('another tab')`)
	b.Expect("409")
	b.Check("superseded")
	s.close()
	<-done
}

// gate is a proxy before a site, which can be shut and opened again: the server
// is dead to those who come through it.
type gate struct {
	t       testing.TB
	address string
	to      *httputil.ReverseProxy
	server  *http.Server
	done    chan error
}

func newGate(s *site) *gate {
	s.t.Helper()
	target, err := url.Parse(s.server.URL)
	must(s.t, err)
	// Nobody else listens there, so that the port is still free when it is opened again.
	g := &gate{t: s.t, address: "127.0.0.77:0", to: httputil.NewSingleHostReverseProxy(target)}
	transport := &http.Transport{}
	g.to.Transport, g.to.ErrorLog, g.to.FlushInterval = transport, nil, -1
	g.to.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	s.t.Cleanup(func() {
		g.shut()
		transport.CloseIdleConnections()
	})
	g.open()
	return g
}

func (g *gate) open() {
	g.t.Helper()
	l, err := net.Listen("tcp", g.address)
	must(g.t, err)
	g.address = l.Addr().String()
	g.server, g.done = &http.Server{Handler: g.to}, make(chan error, 1)
	go func(server *http.Server) { g.done <- server.Serve(l) }(g.server)
}

func (g *gate) shut() {
	g.t.Helper()
	if g.server == nil {
		return
	}
	if err := g.server.Close(); err != nil {
		g.t.Error(err)
	}
	<-g.done
	g.server = nil
}

// A server that does not answer is told, and asked again; a reply is taken once.
func TestDeadServer(t *testing.T) {
	t.Parallel()
	b, onlooker := browsertest.New(t), browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	g := newGate(s)
	m := s.invite("vmukni", "human:eve", "human:guest")
	s.people(m, 2)
	b.Visit("http://"+g.address, m.Seats[0].Link)
	onlooker.Visit("http://"+g.address, "/matches/"+m.ID)
	b.Await(owed)
	clickFirst(b)
	b.Await(owed + " && " + moves + " === 2")
	onlooker.Await(moves + " === 2")
	g.shut()
	clickFirst(b)
	dead := `!document.getElementById('trouble').hidden && document.getElementById('trouble').textContent.includes('does not answer')`
	b.Await(dead)
	onlooker.Await(dead)
	b.Accessible("dead server")
	picture(b, "dead")
	b.Run(chromedp.Evaluate(`{ const now = Date.now; Date.now = () => now() + 360_000; }`, nil)) // six minutes later
	b.Await(`document.getElementById('trouble').textContent === 'umpire does not answer, and may have ended. Trying again once a minute…'`)
	g.open()
	b.Run(chromedp.Evaluate(`dispatchEvent(new Event('online'))`, nil))
	b.Await(owed + " && " + moves + " === 4 && document.getElementById('trouble').hidden")
	onlooker.Await(moves + " === 4 && document.getElementById('trouble').hidden")
	click(b, "#choices button")
	if r := s.playedWell(m); *r.Events[0].Reply != *r.Events[2].Reply {
		t.Errorf("found first replies %s and %s", *r.Events[0].Reply, *r.Events[2].Reply)
	}
	b.Expect("net::ERR_")
	onlooker.Expect("net::ERR_")
	b.Check("played")
	onlooker.Check("looked on")
}

// A person who uses the keyboard alone can play a whole match.
func TestKeyboard(t *testing.T) {
	b, s, m := pair(t, "ioiwari")
	s.people(m, 2)
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(owed)
	tab := func(to string) {
		t.Helper()
		for range 60 {
			if browsertest.Eval[bool](b, `document.activeElement.matches(`+"`"+to+"`"+`)`) {
				return
			}
			b.Press(kb.Tab)
		}
		t.Fatalf("no tab leads to %s", to)
	}
	tab("#picture [data-reply]")
	b.Press(kb.Enter)
	b.Await(owed + " && " + moves + " === 2")
	for n := 2; ; n++ {
		if !browsertest.Eval[bool](b, `document.activeElement.matches('#choices button')`) {
			t.Fatal("the focus is lost after a reply")
		}
		b.Press(kb.Enter)
		b.Await(fmt.Sprintf("%s || %s && %s === %d", isOver, owed, moves, 2*n))
		if browsertest.Eval[bool](b, isOver) {
			break
		}
	}
	if got := browsertest.Eval[string](b, "document.activeElement.id"); got != "result-title" {
		t.Errorf("at the end the focus is at %q", got)
	}
	s.playedWell(m)
	b.Check("played")
}

// What is typed and can't be played is explained and asked for again; who leaves resigns.
func TestMistypeAndResign(t *testing.T) {
	b := browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	m := s.invite("ioiwari", "human:eve", "@2")
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(owed)
	if got := browsertest.Eval[string](b, "document.title"); !strings.HasPrefix(got, "● Your move") {
		t.Errorf("found title %q", got)
	}
	b.Run(chromedp.SendKeys("#text", "<b>pit nine</b>\r", chromedp.ByQuery))
	b.Await(owed + ` && !document.getElementById('refused').hidden`)
	if got := text(b, "#refused"); !strings.HasPrefix(got, "<b>pit nine</b> can’t be played now.") || browsertest.Eval[int](b, moves) != 0 {
		t.Errorf("the page says %q", got)
	}
	b.Accessible("mistyped")
	b.Run(chromedp.SendKeys("#text", " 1 \r", chromedp.ByQuery))
	b.Await(owed + " && " + moves + ` === 2 && document.getElementById('refused').hidden`)
	leave(b)
	if r := s.verified(m.ID); r.Seats[0].Verdict != "crash" || r.Seats[0].Detail != "left" || *r.Events[0].Reply != "1" {
		t.Errorf("found %+v", r.Seats[0])
	}
	if got := text(b, "#status"); !strings.Contains(got, "You resigned.") || strings.Contains(got, "crash") {
		t.Errorf("the page says %q", got)
	}
	b.Check("left")
	b.Visit(s.server.URL, "/")
	if got := text(b, "#finished"); !strings.Contains(got, "resigned") {
		t.Errorf("the lobby says %q", got)
	}
	b.Visit(s.server.URL, "/matches/"+m.ID)
	b.Await(`document.querySelector('h1 .badge').textContent === 'resigned'`)
	b.Check("looked")
}

// A server that is started again knows the match no more: the page says so.
func TestServerStartedAgain(t *testing.T) {
	b := browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	g := newGate(s)
	m := s.invite("ioiwari", "human:eve", "@2")
	b.Visit("http://"+g.address, m.Seats[0].Link)
	b.Await(owed)
	g.shut()
	g.to = newGate(open(t, t.TempDir(), nil)).to
	g.open()
	clickFirst(b)
	b.Await(`document.getElementById('status').textContent === 'This match does not count: the server was started again, and knows it no more.'`)
	b.Await(`document.getElementById('trouble').hidden && document.getElementById('leaving').hidden && !document.body.classList.contains('owed') && !document.querySelector('.now')`)
	for _, expected := range []string{"net::ERR_", "410", "404"} {
		b.Expect(expected)
	}
	b.Check("started again")
	s.close()
	b.Visit(open(t, s.dir, nil).server.URL, m.Seats[0].Link)
	b.Await(`document.getElementById('status').textContent === 'This match does not count: umpire was stopped before the match was over.'`)
	b.Expect("410")
	b.Check("stopped")
}

// nasty is text that would act if it were taken for markup, a script or a link.
const nasty = "</script><script>alert(1)</script><img src=x onerror=alert(2)><a href='javascript:alert(3)'>\"'`{{.}}${alert(4)}\u202egnp"

// What programs call themselves, reply and write is text on every page.
func TestHostileProgram(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := open(t, t.TempDir(), func(c *serve.Config) {
		for i := range c.Games {
			c.Games[i].Title += nasty
			c.Games[i].Bots = append(c.Games[i].Bots, house.Bot{Name: "@" + nasty, About: nasty})
		}
	})
	m := s.invite("ioiwari", "human:eve", "@"+nasty)
	foreign := func(where string) {
		t.Helper()
		if n := browsertest.Eval[int](b, `document.querySelectorAll('img, iframe, object, a[href^=javascript], script:not([src]):not([type="application/json"])').length`); n != 0 {
			t.Errorf("%s: %d elements come from a name or a reply", where, n)
		}
		if got := browsertest.Eval[string](b, "document.body.textContent"); !strings.Contains(got, "<script>alert(1)</script>") || strings.Contains(got, "\u202e") {
			t.Errorf("%s: the name is not shown as text", where)
		}
		b.Accessible(where)
		b.Check(where)
	}
	b.Visit(s.server.URL, "/matches/"+m.ID)
	b.Await(`document.querySelector('#picture svg')`)
	foreign("live")
	b.Visit(s.server.URL, "/games/ioiwari")
	foreign("a game")
	b.Visit(s.server.URL, "/")
	b.Await(`document.querySelector('#seat1 option:nth-child(4)')`)
	foreign("lobby")
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(owed)
	foreign("play")
	clickFirst(b)
	b.Await(isOver)
	foreign("over")
	b.Visit(s.server.URL, "/matches/"+m.ID)
	foreign("replay")
	b.Visit(s.server.URL, "/")
	foreign("lobby with results")
	picture(b, "hostile")
}

// Where looking needs a secret, pages show nothing without one, and everything
// with one.
func TestPrivatePages(t *testing.T) {
	b := browsertest.New(t)
	s := open(t, t.TempDir(), func(c *serve.Config) { c.Private = true })
	m := s.invite("ioiwari", "human:eve", "human:guest")
	s.people(m, 2)
	for _, path := range []string{"/", "/matches/" + m.ID, "/play/" + m.ID} {
		if a := s.request("GET", path, "", nil); a.status != 401 || strings.Contains(a.text, "oiwari") || strings.Contains(a.text, "eve") {
			t.Errorf("%s: found status %d, %s", path, a.status, a.text)
		}
	}
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(owed)
	click(b, "#picture [data-reply]")
	b.Run(chromedp.Evaluate(`document.querySelector('#result a').click()`, nil))
	b.Await(isReplay)
	b.Visit(s.server.URL, "/")
	b.Await(`document.getElementById('secret-form')`)
	b.Accessible("private")
	b.Run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById('secret').value = %q; document.getElementById('secret-form').requestSubmit()`, token), nil))
	b.Await(`document.querySelector('#finished a[href]')`)
	b.Expect("401")
	b.Check("private")
}
