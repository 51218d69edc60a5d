package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/standings"
)

// writeSite makes the site of records in a folder of its own.
func writeSite(t *testing.T, g protocols.Game, records []record.Record, change func(*Site)) string {
	t.Helper()
	const results = "results.jsonl"
	var lines bytes.Buffer
	for _, r := range records {
		must(t, json.NewEncoder(&lines).Encode(r))
	}
	site := filepath.Join(t.TempDir(), "a site")
	s := &Site{Game: g, Games: catalog.Games(), Jobs: 2, MaxReplays: 1 << 40, Create: func(name string) (io.WriteCloser, error) {
		path := filepath.Join(site, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	}}
	if change != nil {
		change(s)
	}
	if _, err := record.Summaries(results, bytes.NewReader(lines.Bytes()), 1, func(b *record.Summary) error {
		return s.Add(b)
	}); err != nil {
		t.Fatal(err)
	}
	must(t, s.Write(record.Lines(results, &lines)))
	return site
}

// tournament plays every two of the bots on cases of the game, in both orders. A
// bot whose name ends in ! crashes at its first move.
func tournament(t *testing.T, g protocols.Game, cases int, bots ...string) (records []record.Record) {
	t.Helper()
	pick := pagetest.Choose()
	for n := range cases {
		group := g.Groups[n%len(g.Groups)]
		c, err := g.Generate(group, uint64(n+1))
		must(t, err)
		for i, first := range bots {
			for j, second := range bots {
				if i == j {
					continue
				}
				names := []string{first, second}
				r := pagetest.Play(t, g, c, 2, func(m protocols.Match, seat int) string {
					if strings.HasSuffix(names[seat-1], "!") {
						return "!"
					}
					return pick(m, seat)
				})
				r.ID, r.Started, r.Isolation, r.Umpire = fmt.Sprintf("%016x", len(records)+1), "2026-01-02T03:04:05.678Z", "box", "0.1.0"
				r.Case.Name, r.Case.Group = fmt.Sprintf("%s/%02d", group, n+1), group
				records = append(records, pagetest.Completed(t, r, names...))
			}
		}
	}
	return records
}

// inRounds makes standings with one round.
func inRounds(g protocols.Game, round []report.Encounter) func(*standings.Tally) report.Standings {
	return func(t *standings.Tally) report.Standings {
		of := t.Standings(nil)
		return report.Standings{Game: g, Of: &of, Encounters: report.RoundsJSON{Rounds: [][]report.Encounter{round}}}
	}
}

// pagesIn lists the pages of a site.
func pagesIn(t *testing.T, site string) (pages []string) {
	t.Helper()
	err := filepath.WalkDir(site, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			pages = append(pages, path)
		}
		return err
	})
	must(t, err)
	return pages
}

// TestSitePages opens each page of a site: nothing goes wrong, nothing is loaded
// but the page, everything can be read, and each link leads to a file that is
// there.
func TestSitePages(t *testing.T) {
	b := browsertest.New(t)
	g := pagetest.Game(t, "vmukni")
	site := writeSite(t, g, tournament(t, g, 4, "alice", "bob", "to be-or not-to be!"), func(s *Site) {
		s.Runs = []Run{{Name: "runs/1", Config: "game: vmukni\n", Facts: []Fact{{"seed", "1"}}, Commands: []Command{{What: "Again", Line: "umpire tournament"}}}}
		s.View = inRounds(g, []report.Encounter{
			{Bots: []string{"alice", "bob"}, Wins: []float64{1, 1}, Scores: []protocols.Score{protocols.Points(3), protocols.Points(4)}, Result: 0.5, Winner: "bob"}, {Bots: []string{"to be-or not-to be!"}, Result: 1, Winner: "to be-or not-to be!"},
		})
	})
	pages := pagesIn(t, site)
	if want := 1 + 3 + 1 + 1 + 1; len(pages) != want {
		t.Errorf("%d pages, expected %d: %q", len(pages), want, pages)
	}
	for _, path := range pages {
		b.Allow(path)
	}
	for _, path := range pages {
		name := strings.TrimPrefix(path, site+"/")
		b.Open(path, "")
		b.Check(name)
		for _, link := range browsertest.Eval[[]string](b, `[...document.links].map((a) => a.href)`) {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "file" {
				t.Errorf("%s: links to %s", name, link)
				continue
			}
			if info, err := os.Stat(u.Path); err != nil || !info.Mode().IsRegular() {
				t.Errorf("%s: the link to %s leads nowhere", name, link)
			}
			if u.Path == path && u.Fragment != "" && !strings.Contains(u.Fragment, "=") && !browsertest.Eval[bool](b, fmt.Sprintf(`!!document.getElementById(%q)`, u.Fragment)) {
				t.Errorf("%s: there is no %s", name, u.Fragment)
			}
		}
		// A name is broken where its cell is too narrow, not at each hyphen and space.
		if tall := browsertest.Eval[float64](b, `Math.max(0, ...[...document.querySelectorAll('td bdi')].map((name) => name.getBoundingClientRect().height))`); tall > 30 {
			t.Errorf("%s: a name is %g pixels tall", name, tall)
		}
		b.Accessible(name)
		b.Check(name)
	}
	b.Open(filepath.Join(site, indexName), "")
	b.Show(360, "light")
	if got := browsertest.Eval[string](b, `(() => {
		const dots = [...document.querySelectorAll('.drawn circle')].map((dot) => dot.getBoundingClientRect()).filter((box) => box.width);
		return dots.length + ' ' + dots.every((box) => box.right < 360);
	})()`); got != "3 true" {
		t.Errorf("a phone shows of the plot: %s", got)
	}
}

// TestMatchList: the list of matches filters by what its controls and the
// address say, and each match is a click from its replay, which shows its
// result.
func TestMatchList(t *testing.T) {
	b := browsertest.New(t)
	g := pagetest.Game(t, "ioiwari")
	records := tournament(t, g, 20, "alice", "bob", "crash!")
	site := writeSite(t, g, records, func(s *Site) { s.Analysed = new(analysis.Memory) })
	list := filepath.Join(site, "matches.html")
	// The rows of the standings: crash! comes last.
	b.Open(list, "")
	rows := browsertest.Eval[[]string](b, `[...document.getElementById('bot').options].map((o) => o.text)`)
	number := map[string]int{}
	for i, name := range rows {
		number[name] = i
	}
	count := func(want func(record.Record) bool) (n int) {
		for _, r := range records {
			if want(r) {
				n++
			}
		}
		return n
	}
	has := func(r record.Record, bot string) bool { return r.Seats[0].Bot == bot || r.Seats[1].Bot == bot }
	seat := func(r record.Record, bot string) record.Seat {
		if r.Seats[0].Bot == bot {
			return r.Seats[0]
		}
		return r.Seats[1]
	}
	for _, test := range []struct {
		address string
		want    func(record.Record) bool
	}{
		{"", func(record.Record) bool { return true }},
		{fmt.Sprintf("#bot=%d", number["alice"]), func(r record.Record) bool { return has(r, "alice") }},
		{fmt.Sprintf("#bot=%d&opponent=%d", number["alice"], number["bob"]), func(r record.Record) bool { return has(r, "alice") && has(r, "bob") }},
		{fmt.Sprintf("#bot=%d&result=lost", number["bob"]), func(r record.Record) bool {
			return has(r, "bob") && seat(r, "bob").Place == 2
		}},
		{"#verdict=failed", func(r record.Record) bool { return has(r, "crash!") }},
		{"#verdict=crash&case=" + records[len(records)-1].Case.Name, func(r record.Record) bool {
			return has(r, "crash!") && r.Case.Name == records[len(records)-1].Case.Name
		}},
		{"#case=none-such", func(record.Record) bool { return false }},
	} {
		b.Open(list, test.address)
		n := count(test.want)
		text := browsertest.Eval[string](b, `document.getElementById('count').textContent`)
		shown := browsertest.Eval[int](b, `document.querySelectorAll('#rows tr').length`)
		if shown != min(100, n) || n > 0 && !strings.Contains(text, fmt.Sprintf(" of %d match", n)) {
			t.Errorf("%s: shows %d rows and %q, expected %d matches", test.address, shown, text, n)
		}
	}

	b.Open(list, fmt.Sprintf("#bot=%d&opponent=%d&order=closest", number["alice"], number["bob"]))
	margins := browsertest.Eval[[]float64](b, `[...document.querySelectorAll('#rows tr')].map((row) => { const [a, b] = [...row.querySelectorAll('b')].map((score) => Number(score.textContent)); return Math.abs(a - b); })`)
	if len(margins) != 40 || !slices.IsSorted(margins) || margins[0] == margins[39] {
		t.Errorf("closest first: the margins are %v", margins)
	}

	// What a failure has decided comes after all that was played out.
	for _, order := range []string{"closest", "widest"} {
		b.Open(list, "#order="+order)
		if at := browsertest.Eval[int](b, `[...document.querySelectorAll('#rows tr')].findIndex((row) => row.querySelector('.badge'))`); at != 40 {
			t.Errorf("%s: the first match with a failure is in row %d, expected 40", order, at)
		}
	}

	// By hand: a bot is chosen, the page turned, a match opened.
	b.Open(list, "")
	b.Run(chromedp.Focus("#later"))
	b.Press(kb.Enter)
	if text := browsertest.Eval[string](b, `document.getElementById('count').textContent`); text != "101 to 120 of 120 matches" {
		t.Errorf("the second hundred: %s", text)
	}
	link := browsertest.Eval[string](b, `document.querySelector('#rows a').href`)
	path, query, _ := strings.Cut(strings.TrimPrefix(link, "file://"), "?")
	path, err := url.PathUnescape(path)
	must(t, err)
	b.Open(path, "?"+query)
	b.Press(kb.End)
	want := records[100]
	if title := browsertest.Eval[string](b, `document.title`); !strings.HasPrefix(title, "Match 101, ") {
		t.Errorf("the page of match 101 is %q", title)
	}
	for i, s := range want.Seats {
		row := browsertest.Eval[[]string](b, fmt.Sprintf(`[...document.querySelectorAll('.result tbody tr')[%d].children].map((c) => c.textContent.trim())`, i))
		if !strings.HasSuffix(row[1], s.Bot) || row[2] != s.Verdict || row[3] != fmt.Sprint(s.Score) {
			t.Errorf("match 101, seat %d: shows %q, expected %s, %s, %v", i+1, row, s.Bot, s.Verdict, s.Score)
		}
	}
	b.Check("a match")
	b.Open(path, "?999")
	if got := browsertest.Eval[string](b, `document.getElementById('match').textContent`); !strings.HasPrefix(got, "No such match: ") {
		t.Errorf("an address of no match shows %q", got)
	}
	b.Check("no match")
	for query, want := range map[string]string{"?fbclid=x9": "Match 1, ", "?3&fbclid=x9": "Match 4, "} {
		b.Open(path, query)
		if got := browsertest.Eval[string](b, `document.title`); !strings.HasPrefix(got, want) {
			t.Errorf("%s: shows %q, expected %s", query, got, want)
		}
	}
	b.Open(path, "?"+query+"#step=1")
	if got := pagetest.StateOf(b).Where; !strings.HasPrefix(got, "1 of ") {
		t.Errorf("step 1 of the match: shows %s", got)
	}
	for _, id := range []string{"before", "after"} {
		if browsertest.Eval[bool](b, fmt.Sprintf(`document.getElementById(%q).hidden`, id)) {
			t.Errorf("match 101 has no link to the match %s", id)
		}
	}
	b.Check("the list")

	// Two bots by case: what the address names, and both replays of a case side by side.
	b.Allow(path)
	b.Open(filepath.Join(site, "pairs.html"), fmt.Sprintf("#%d,%d", number["bob"], number["alice"]))
	b.Await(`frames.length === 2`)
	won := count(func(r record.Record) bool {
		return has(r, "alice") && has(r, "bob") && seat(r, "bob").Place < seat(r, "alice").Place
	})
	if got := browsertest.Eval[string](b, `document.getElementById('sum').textContent`); !strings.HasPrefix(got, fmt.Sprintf("bob won %d, drew ", won)) || !strings.Contains(got, " of 40 matches") {
		t.Errorf("bob against alice: %s; expected %d won of 40", got, won)
	}
	if got := browsertest.Eval[string](b, `[document.querySelectorAll('#rows tr').length, document.querySelectorAll('#rows a').length, location.hash].join()`); !strings.HasPrefix(got, "20,40,#") {
		t.Errorf("bob against alice: %s rows and links, expected 20 and 40", got)
	}
	b.Accessible("pairs.html")
	b.Check("two bots")

	// A bot's page shows its worst moves, each a click from the step where it was played.
	b.Open(filepath.Join(site, "bots/1.html"), "")
	if n := browsertest.Eval[int](b, `document.querySelectorAll('.small-board svg > .best, .small-board svg > .given').length`); n == 0 {
		t.Error("no board shows a move and the best reply")
	}
	b.Accessible("a bot with its worst moves")
	link = browsertest.Eval[string](b, `document.querySelector('.worst a').href`)
	path, query, _ = strings.Cut(strings.TrimPrefix(link, "file://"), "?")
	b.Open(strings.ReplaceAll(path, "%20", " "), "?"+query)
	if where, marked := pagetest.StateOf(b).Where, browsertest.Eval[bool](b, `!!document.querySelector('#moves [aria-current] .mark')`); !strings.HasPrefix(where, query[strings.Index(query, "step=")+5:]+" of ") || !marked {
		t.Errorf("%s: shows step %s, marked %v", link, where, marked)
	}
	b.Check("the worst move")
}

// TestLeague: the page of several games can be read, sorted and reached, in both sums; names
// are text on it.
func TestLeague(t *testing.T) {
	b := browsertest.New(t)
	path := filepath.Join(t.TempDir(), "league.html")
	var l League
	var games []standings.GameStandings
	for _, name := range []string{"ioiwari", "vmukni"} {
		g := pagetest.Game(t, name)
		tally := standings.NewTally(g.Rank)
		for _, r := range tournament(t, g, 1, "alice", pagetest.Nasty, "crash!") {
			summary := r.Summary()
			tally.Add(&summary)
		}
		of := tally.Standings(nil)
		games = append(games, standings.GameStandings{Game: name, Rank: g.Rank, Standings: of})
		l.Games = append(l.Games, LeagueGame{report.Standings{Game: g, Of: &of}, []Source{{Name: pagetest.Nasty, Site: "site/index.html"}, {Name: "runs/1"}}})
	}
	for _, sum := range standings.Sums {
		l.Sum.Of = standings.Combine(sum, games)
		page, err := l.Page()
		if err == nil {
			err = os.WriteFile(path, page, 0o600)
		}
		must(t, err)
		b.Open(path, "")
		b.Accessible("the league by " + string(sum))
		b.Run(chromedp.Click(`.sorts th:nth-child(2) button`))
		if got := browsertest.Eval[[]string](b, `[...document.querySelector('.sorts').tBodies[0].rows].map((r) => r.cells[1].textContent)`); len(got) != 3 || !slices.IsSorted(got) {
			t.Errorf("sorted by name, the bots are %q", got)
		}
		if n := browsertest.Eval[int](b, `document.querySelectorAll('img, iframe, object, [onerror]').length`); n != 0 {
			t.Errorf("%d elements come from names", n)
		}
		b.Check("the league")
	}
}

// TestHostileSite: names, details and standard error are text on all pages, and
// name no file.
func TestHostileSite(t *testing.T) {
	b := browsertest.New(t)
	g := pagetest.Game(t, "ioiwari")
	names := []string{"<script>alert(1)</script>", "javascript:alert(1)", pagetest.Nasty, "../../../etc/passwd", "!"}
	records := tournament(t, g, 1, names...)
	for i := range records {
		r := &records[i]
		r.Case.Name, r.Case.Group, r.Umpire, r.Started, r.Limits.Clock = pagetest.Nasty, pagetest.Nasty, pagetest.Nasty, pagetest.Nasty, "wall"
		for n := range r.Seats {
			s := &r.Seats[n]
			s.Stderr = pagetest.Nasty
			if s.Verdict != "ok" {
				s.Detail = pagetest.Nasty
			}
		}
		for n := range r.Events {
			if r.Events[n].Fail != "" {
				r.Events[n].Detail = pagetest.Nasty
			}
		}
		r.ID += pagetest.Nasty
	}
	records[1].Error = pagetest.Nasty
	records[2].Events = records[2].Events[:1] // it can't be played back
	site := writeSite(t, g, records, func(s *Site) {
		s.Analysed = new(analysis.Memory)
		s.Runs = []Run{{Name: pagetest.Nasty, Config: pagetest.Nasty, Facts: []Fact{{"seed", pagetest.Nasty}}, Commands: []Command{{What: "Again", Line: pagetest.Nasty}}}}
		s.View = inRounds(g, []report.Encounter{{Bots: names[:2], Wins: []float64{1, 1}, Scores: []protocols.Score{protocols.Points(3), protocols.Points(4)}, Result: 0.5, Winner: names[0]}})
	})
	for _, path := range pagesIn(t, site) {
		b.Allow(path)
	}
	for _, path := range pagesIn(t, site) {
		name := strings.TrimPrefix(path, site+"/")
		if strings.Trim(strings.TrimSuffix(name, ".html"), "abcdefghijklmnopqrstuvwxyz0123456789-/") != "" {
			t.Errorf("a file is called %q", name)
		}
		suffixes := []string{"", "#bot=%3Cscript%3Ealert(1)%3C/script%3E&case=<img src=x onerror=alert(1)>"}
		if strings.HasPrefix(name, "replays/") {
			suffixes = []string{"?0", "?1", "?2", "?last", "?<script>alert(1)</script>"}
		}
		for _, suffix := range suffixes {
			b.Open(path, suffix)
			if n := browsertest.Eval[int](b, `document.querySelectorAll('img, iframe:not(#beside iframe), object, [onerror], a[href^="javascript:"]').length`); n != 0 {
				t.Errorf("%s%s: %d elements come from records", name, suffix, n)
			}
			if text := browsertest.Eval[string](b, `document.documentElement.outerHTML`); strings.ContainsAny(text, "\u202e\u2066\x1b") {
				t.Errorf("%s%s: holds characters that can't be seen", name, suffix)
			}
			b.Check(name + suffix)
		}
	}
	b.Open(filepath.Join(site, "index.html"), "")
	if text := browsertest.Eval[string](b, `document.body.textContent`); !strings.Contains(text, "<script>alert(1)</script>") || !strings.Contains(text, "../../../etc/passwd") {
		t.Error("the names are not shown as they are")
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	browsertest.Close()
	os.Exit(code)
}
