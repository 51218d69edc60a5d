package serve_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/serve"
	"umpire/referee/report"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/standings"
	"umpire/referee/testlevel"
)

// withBrowser closes the browser before leaks are looked for.
type withBrowser struct{ *testing.M }

func (m withBrowser) Run() int {
	defer browsertest.Close()
	return m.M.Run()
}

// invited is a match with seats of people.
type invited struct {
	remote.MatchInfo
	Seats []struct {
		Player, Link string
	} `json:"seats"`
}

// invite asks for a match of people and programs, the first of them eve.
func (s *site) invite(game string, seats ...string) invited {
	s.t.Helper()
	return get[invited](s, "POST", "matches", token, map[string]any{"game": game, "seats": seats, "case": "standard/01"})
}

// ticket is the secret in the link of a seat, from 1.
func (m invited) ticket(seat int) string {
	_, ticket, _ := strings.Cut(m.Seats[seat-1].Link, "#")
	return ticket
}

// playChoices plays a seat with the choices that a person is offered: always
// one of the first of them.
func (s *site) playChoices(ticket string) {
	method, k, body := "GET", 1, any(nil)
	for {
		a := s.request(method, fmt.Sprintf("/api/v1/seat/turns/%d?wait=30&board", k), ticket, body)
		if a.status != 200 {
			return // the test has ended
		}
		info := parse[remote.TurnInfo](s.t, a.text)
		k, method, body = info.Turn, "GET", nil
		switch info.State {
		case remote.TurnOver, remote.TurnVoid:
			return
		case remote.TurnDone:
			k++
		case remote.TurnMove:
			method, body = "PUT", map[string]string{"reply": info.Board.Choices[k%len(info.Board.Choices)].Reply}
		}
	}
}

// people plays seats in the background until their match has ended.
func (s *site) people(m invited, seats ...int) {
	done := make(chan struct{}, len(seats))
	for _, seat := range seats {
		go func() {
			defer func() { done <- struct{}{} }()
			s.playChoices(m.ticket(seat))
		}()
	}
	s.t.Cleanup(func() {
		s.close()
		for range seats {
			<-done
		}
	})
}

// verified reads the record of a match, and checks that it is valid.
func (s *site) verified(id string) record.Record {
	s.t.Helper()
	a := s.request("GET", "/api/v1/matches/"+id+"/record", "", nil)
	v, err := record.Verify(record.Line{File: "answer", Number: 1, Bytes: []byte(a.text), Whole: true}, catalog.Games())
	if err != nil || !v.Valid {
		s.t.Errorf("record of match %s: valid %v, %s, error %v", id, v.Valid, v.Why, err)
	}
	return parse[record.Record](s.t, a.text)
}

// clickThrough clicks whatever can be clicked until the match is over, at most so
// often, and returns how often. It is the page that clicks, so that no part of the
// test knows a game; where is what to click.
const clickThrough = `(async (where, most) => {
	const owed = () => document.body.classList.contains('owed');
	const over = () => !document.getElementById('result').hidden;
	for (let n = 0; ; n++) {
		await new Promise((resolve) => {
			const look = () => { if (owed() || over()) { watch.disconnect(); resolve(); } };
			const watch = new MutationObserver(look);
			watch.observe(document.body, {subtree: true, childList: true, attributes: true});
			look();
		});
		if (over() || n === most) return n;
		const parts = [...document.querySelectorAll(where)];
		if (!parts.length) throw new Error('nothing to click: ' + document.body.innerText);
		parts[n % parts.length].dispatchEvent(new MouseEvent('click', {bubbles: true}));
	}
})`

// click clicks through the match to its end.
func click(b *browsertest.Tab, where string) {
	b.T.Helper()
	clickSome(b, where, math.MaxInt32)
}

// clickSome clicks through the match, at most so often, and returns how often. The
// tab is in front meanwhile: the browser may wake one that is not but once a second.
func clickSome(b *browsertest.Tab, where string, most int) (n int) {
	b.T.Helper()
	b.Run(page.BringToFront(), emulation.SetFocusEmulationEnabled(true),
		chromedp.Evaluate(fmt.Sprintf("%s(%q, %d)", clickThrough, where, most), &n, chromedp.EvalAsValue, awaitPromise))
	return n
}

// leave gives up the match.
func leave(b *browsertest.Tab) {
	b.T.Helper()
	b.Run(chromedp.Click("#leave", chromedp.ByQuery), chromedp.Click("#leave-sure", chromedp.ByQuery))
	b.Await(isOver)
}

// text is the text of an element.
func text(b *browsertest.Tab, selector string) string {
	b.T.Helper()
	return browsertest.Eval[string](b, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

// picture keeps a picture of the page for those who want to look, in the folder
// that UMPIRE_PICTURES names.
func picture(b *browsertest.Tab, name string) {
	dir := os.Getenv("UMPIRE_PICTURES")
	if dir == "" {
		return
	}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			b.Show(width, scheme)
			b.Picture(filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", name, scheme, width)))
		}
	}
}

// A person plays a match of each game that people can play, by clicking the
// board in one and the buttons in another; others look on, without and with the
// keyboard.
func TestPersonPlays(t *testing.T) {
	t.Parallel()
	for n, g := range dialogueGames(t) {
		t.Run(g.Name, func(t *testing.T) {
			if n > 1 { // by default one match is played by the board, one by the buttons
				testlevel.Needs(t, testlevel.Thorough)
			}
			b, onlooker := browsertest.New(t), browsertest.New(t)
			s := open(t, t.TempDir(), nil)
			where := []string{"#picture [data-reply]", "#choices button"}[n%2]
			seats := slices.Repeat([]string{"human:guest"}, g.MinSeats)
			seats[0] = "human:eve"
			m := s.invite(g.Name, seats...)
			onlooker.Visit(s.server.URL, "/matches/"+m.ID)
			var others []int
			for seat := 2; seat <= g.MinSeats; seat++ {
				others = append(others, seat)
			}
			s.people(m, others...)
			b.Show(1280, "light") // wide enough for the rules beside the board
			b.Visit(s.server.URL, m.Seats[0].Link)
			b.Await(`document.body.classList.contains('owed')`)
			if got := browsertest.Eval[string](b, "location.href"); got != s.server.URL+"/play/"+m.ID {
				t.Errorf("the address is %s, expected one without the ticket", got)
			}
			b.Accessible("play " + g.Name)
			picture(b, "play-"+g.Name)
			b.Check("opened")
			verdict, clicks := "ok", clickSome(b, where, testlevel.Times(60, 60, 60, math.MaxInt32))
			if !browsertest.Eval[bool](b, isOver) { // for a release the longest match is played to its end, too
				leave(b)
				verdict = "crash"
			}
			r := s.verified(m.ID)
			if me := r.Seats[0]; clicks == 0 || me.Replies != clicks || me.Bot != "eve" || me.Verdict != verdict {
				t.Errorf("%d clicks, but the record has %+v", clicks, me)
			}
			if got, want := text(b, "#status"), fmt.Sprintf("Your score is %v", r.Seats[0].Score); !strings.Contains(got, want) {
				t.Errorf("the page says %q, expected %q", got, want)
			}
			if got, want := text(b, ".seat .score"), fmt.Sprint(r.Seats[0].Score); got != want {
				t.Errorf("the card's score is %q, expected %q", got, want)
			}
			b.Accessible("played " + g.Name)
			picture(b, "over-"+g.Name)
			b.Check("played")

			// The onlooker's page has become the replay.
			onlooker.Await(isReplay)
			onlooker.Press(kb.End)
			if got, want := text(onlooker, "#where"), fmt.Sprint(len(r.Events)); !strings.HasPrefix(got, want+" of ") && len(r.Events) > 0 && !strings.Contains(got, " of ") {
				t.Errorf("the replay ends at %q, expected %s", got, want)
			}
			onlooker.Accessible("replay " + g.Name)
			onlooker.Check("looked on")
			picture(onlooker, "replay-"+g.Name)
			b.Run(chromedp.Click("#result a", chromedp.ByQuery))
			b.Await(isReplay)
			b.Check("replay")
		})
	}
}

// The lobby asks for matches, which begin at once.
func TestLobby(t *testing.T) {
	t.Parallel()
	b, watcher := browsertest.New(t), browsertest.New(t)
	s := open(t, t.TempDir(), nil)
	watcher.Visit(s.server.URL, "/")
	b.Visit(s.server.URL, "/#token="+token)
	b.Await(`document.querySelectorAll('#seats select').length`)
	if got := browsertest.Eval[string](b, "location.href"); got != s.server.URL+"/" {
		t.Errorf("the address is %s, expected one without the token", got)
	}
	b.Accessible("lobby")
	picture(b, "lobby")
	b.Run(chromedp.SendKeys("#name", "eve\r", chromedp.ByQuery))
	b.Await(owed)
	if got := text(b, ".players"); got != "eve against @2" {
		t.Errorf("the match is of %s", got)
	}
	watcher.Await(`document.querySelector('#current a[href]')`) // as the page is told
	click(b, "#choices button")
	watcher.Await(`!document.querySelector('#current a[href]') && document.querySelector('#finished a[href]')`)
	watcher.Run(chromedp.Click("#games a", chromedp.ByQuery))
	watcher.Await(`document.querySelector('#rules h3, #rules p')`)
	watcher.Accessible("a game")
	picture(watcher, "game")
	watcher.Check("watched")
	b.Run(chromedp.Click(".up a", chromedp.ByQuery))
	b.Await(`document.querySelector('#finished a[href]')`)
	b.Accessible("lobby with a match")
	picture(b, "lobby-match")
	b.Check("lobby")
}

// Pages can be read without JavaScript, and hold no script or style of their
// own.
func TestPagesAsServed(t *testing.T) {
	s := open(t, t.TempDir(), func(c *serve.Config) {
		c.Standings = func() report.Standings {
			v := report.Standings{Of: &standings.Standings{
				Matches: 3,
				Rows:    []standings.Row{{Rank: 1, Bot: "champion", Name: "champion", Points: protocols.Points(77), Played: 3}, {Rank: 2, Bot: "runner-up", Name: "runner-up", Played: 3}},
				Pairs:   []standings.HeadToHead{{Bot: "champion", Opponent: "runner-up", Played: 3, Won: 2, Drawn: 1}},
			}}
			v.ShowSwiss([][]report.Encounter{{{Bots: []string{"champion", "runner-up"}, Wins: []float64{2.5, 0.5}, Scores: []protocols.Score{protocols.Points(66), protocols.Points(11)}, Result: 1, Played: 3, Matches: 4}}})
			return v
		}
	})
	s.player("carol")
	running := s.invite("ioiwari", "human:eve", "@2")
	m := s.invite("vmukni", "human:zoe", "human:guest")
	together(func() { s.playChoices(m.ticket(1)) }, func() { s.playChoices(m.ticket(2)) })
	r := s.verified(m.ID)
	inline := regexp.MustCompile(`(?i)<style|\sstyle=|<script(?:>| [^>]*>[^<])|\son[a-z]+=`)
	for path, want := range map[string][]string{
		"/": {
			"ioiwari", "people can play", "games/ioiwari", "eve", "waiting", "zoe", "over", fmt.Sprint(r.Seats[0].Score),
			"1 with a key", "champion", "77", "/" + m.ID, "/" + running.ID, strings.Replace(r.Started[:len("2006-01-02T15:04")], "T", " ", 1) + "</time>",
		},
		"/how-to-play":           {"umpire remote join http://", "the-key-you-were-given", "api/v1/openapi.json"},
		"/standings":             {"champion", "runner-up", "3 matches played", "difference", "Crosstable", ">2-1-0<", "player=champion", "opponent=runner-up", "Round 1", "2.5 (66)", "3 of 4 played"},
		"/?player=zoe":           {"of zoe", "/" + m.ID},
		"/games/ioiwari":         {"people can play", "<h3>Ioiwari</h3>", "<em>opponent's</em>", "<strong>Flush after", "<pre><code>4 3 2 4 2 3 2 |", "<li>When it is your turn, write the label of"},
		"/matches/" + m.ID:       {"zoe", "Result", fmt.Sprint(r.Seats[0].Score)},
		"/matches/" + running.ID: {"eve", "waiting", "Rules"},
		"/play/" + running.ID:    {"eve", "Rules", "needs JavaScript"},
		"/matches/none":          {"there is no match"},
	} {
		a := s.request("GET", path, "", nil)
		for _, part := range want {
			if !strings.Contains(a.text, part) {
				t.Errorf("%s: found no %q", path, part)
			}
		}
		if !strings.HasPrefix(a.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; style-src 'self';") {
			t.Errorf("%s: found policy %q", path, a.header.Get("Content-Security-Policy"))
		}
		body := regexp.MustCompile(`(?s)<script type="application/[a-z]+".*?</script>`).ReplaceAllString(a.text, "")
		if found := inline.FindString(body); found != "" {
			t.Errorf("%s: found %q", path, found)
		}
		if strings.Contains(a.text, running.ticket(1)) || strings.Contains(a.text, token) {
			t.Errorf("%s: found a secret", path)
		}
	}
}

// A person and a player of the same name are told apart, while they play and afterwards, also
// after umpire was started again.
func TestNamesakes(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	key := s.player("eve")
	m := s.invite("ioiwari", "human:eve", "remote:eve")
	shown := func(when string) {
		t.Helper()
		if a := s.request("GET", "/", "", nil); !strings.Contains(a.text, `<bdi>eve</bdi> <span class="mute small">person</span>`) ||
			!strings.Contains(a.text, `<bdi>eve</bdi> <span class="mute small">remote</span>`) {
			t.Errorf("%s: found lobby %s", when, a.text)
		}
		seats := get[remote.MatchInfo](s, "GET", "matches/"+m.ID, "", nil).Seats
		if seats[0].Kind != remote.Human || seats[1].Kind != remote.Program {
			t.Errorf("%s: found %+v", when, seats)
		}
	}
	shown("waiting")
	seat := get[remote.SeatInfo](s, "POST", "join", key, map[string]any{"wait": 30})
	together(func() { s.playChoices(m.ticket(1)) }, func() { s.playChoices(seat.Ticket) })
	shown("over")
	s.close()
	s = open(t, dir, nil)
	shown("after umpire was started again")
}

// onTheWire returns an answer's text, and how many bytes it took, headers included, from a
// client that takes what is compressed.
func (s *site) onTheWire(path, secret string) (a answer, text string, size int) {
	s.t.Helper()
	a = s.request("GET", path, secret, nil, func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") })
	if a.status != 200 {
		s.t.Fatalf("%s: found %+v", path, a)
	}
	text, size = a.text, len(a.text)
	for name, values := range a.header {
		size += len(name) + len(": \r\n") + len(strings.Join(values, ""))
	}
	if a.header.Get("Content-Encoding") == "gzip" {
		in, err := gzip.NewReader(strings.NewReader(a.text))
		must(s.t, err)
		whole, err := io.ReadAll(in)
		must(s.t, err)
		text = string(whole)
	}
	return a, text, size
}

// All that a play page needs to be ready is at most 40 kB, which take 2 s at 20 kB/s, in
// every game; what does not change is kept by browsers.
func TestPlayPageIsSmall(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	s.house.Places.Most = 10
	file := regexp.MustCompile(`(?:href|src)="\.\./(web/[0-9a-f]{16}/[a-z.]+)"`)
	for _, g := range dialogueGames(t) {
		seats := slices.Repeat([]string{"human:guest"}, g.MinSeats)
		seats[0] = "human:eve"
		m := s.invite(g.Name, seats...)
		_, page, size := s.onTheWire("/play/"+m.ID, "")
		files := file.FindAllStringSubmatch(page, -1)
		for _, f := range files {
			a, _, n := s.onTheWire("/"+f[1], "")
			if a.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
				t.Errorf("%s: found %v", f[1], a.header)
			}
			size += n
		}
		_, _, n := s.onTheWire("/api/v1/seat", m.ticket(1))
		size += n
		for seat := range g.MinSeats {
			get[remote.TurnInfo](s, "GET", "seat/turns/1", m.ticket(seat+1), nil)
		}
		_, turn, n := s.onTheWire("/api/v1/seat/turns/1?wait=30&board&replay", m.ticket(1))
		size += n
		events := s.firstEvent(m.ID)
		size += events
		t.Logf("%s: %d bytes, of which %d are the turn and %d the events", g.Name, size, n, events)
		if size > 40_000 || len(files) < 4 || !strings.Contains(turn, `"choices":[{`) {
			t.Errorf("%s: the play page takes %d bytes in %d files, expected at most 40,000", g.Name, size, len(files))
		}
	}
}

// firstEvent returns how long the first events are of which a page is told: the position,
// and whose turn it is.
func (s *site) firstEvent(match string) (size int) {
	s.t.Helper()
	a, err := s.http.Get(s.server.URL + "/api/v1/matches/" + match + "/events?page")
	must(s.t, err)
	defer a.Body.Close()
	in := bufio.NewReader(a.Body)
	for {
		line, err := in.ReadString('\n')
		must(s.t, err)
		if size += len(line); strings.Contains(line, `"clocks"`) {
			return size
		}
	}
}

// The page of the standings follows them, and leads to the matches of a bot.
func TestStandingsPage(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	var played atomic.Int64
	s := open(t, t.TempDir(), func(c *serve.Config) {
		c.Standings = func() report.Standings {
			n := int(played.Load())
			row := func(bot string) standings.Row {
				return standings.Row{Rank: 1, Bot: bot, Name: bot, Played: n, Drawn: n}
			}
			return report.Standings{Of: &standings.Standings{Matches: n, Rows: []standings.Row{row("zoe"), row("guest")}, Pairs: []standings.HeadToHead{{Bot: "zoe", Opponent: "guest", Played: n, Drawn: n}}}}
		}
	})
	m := s.invite("vmukni", "human:zoe", "human:guest")
	together(func() { s.playChoices(m.ticket(1)) }, func() { s.playChoices(m.ticket(2)) })
	played.Store(1)
	b.Visit(s.server.URL, "/standings")
	b.Await(`document.querySelector('main').textContent.includes('0-1-0')`)
	b.Accessible("standings")
	picture(b, "standings")
	played.Store(2)
	b.Await(`document.querySelector('main').textContent.includes('0-2-0') && document.querySelector('header').textContent.includes('2 matches')`)
	b.Run(chromedp.Click(`main a[href*="opponent=guest"]`, chromedp.ByQuery))
	b.Await(`document.querySelector('#finished a[href$="` + m.ID + `"]') && document.getElementById('finished-title').textContent.includes('zoe against guest')`)
	b.Check("standings")
}

// A player tries the interface with its key, one request at a time, on the page that shows
// how to play.
func TestTryingToPlay(t *testing.T) {
	b := browsertest.New(t)
	s := open(t, t.TempDir(), func(c *serve.Config) {
		c.Clients = fstest.MapFS{"client.x": {Data: []byte("# A remote player for umpire in X.\n#\n#   UMPIRE_KEY=k x client.x http://127.0.0.1:8370 [MATCHES]\n")}}
	})
	key := s.player("alice")
	s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "1 1"})
	b.Visit(s.server.URL, "/how-to-play")
	b.Await(`document.querySelector('.commands').textContent === 'curl -O ' + location.origin + '/how-to-play/client.x\nx client.x ' + location.origin`)
	b.Accessible("how-to-play")
	picture(b, "how-to-play")
	does := func(says string, actions ...chromedp.Action) {
		t.Helper()
		b.Run(actions...)
		b.Await(fmt.Sprintf("document.getElementById('exchange').textContent.includes(%q)", says))
	}
	does(`"game": "morra"`, chromedp.SendKeys("#secret", key+"\r", chromedp.ByQuery))
	does(`"state": "move"`, chromedp.Click("#ask", chromedp.ByQuery))
	does(`"state": "over"`, chromedp.SendKeys("#text", "3\r", chromedp.ByQuery))
	b.Check("how-to-play")
}

// awaitPromise waits for the value of a promise.
func awaitPromise(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// parse reads an answer.
func parse[T any](t testing.TB, text string) (out T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}
