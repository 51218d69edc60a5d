package html

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/report/html/replay"
	"umpire/referee/standings"
)

// TestSiteCounts: a bot's page and the standings show what the records say.
func TestSiteCounts(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	records := tournament(t, g, 3, "alice", "bob", "crash!")
	// A match that occurs twice counts once, and one that umpire failed to play
	// gives way to the same match played.
	failed := records[4]
	failed.Error, failed.Events = "the disk is full", nil
	failed.Seats = slices.Clone(failed.Seats)
	for i := range failed.Seats {
		failed.Seats[i].Verdict, failed.Seats[i].Place = "", 0
	}
	site := writeSite(t, g, append([]record.Record{failed, records[0]}, records...), func(s *Site) {
		s.Runs = []Run{{Name: "my run", File: "results.jsonl", Argument: "'my run'"}}
	})
	index := read(t, site, "index.html")
	if !strings.Contains(index, "3 bots, 18 matches") {
		t.Error("the index does not count 18 matches")
	}
	crash := ""
	for n := 1; n <= 3; n++ {
		if page := read(t, site, fmt.Sprintf("bots/%d.html", n)); strings.Contains(page, "<h1><bdi>crash!</bdi>") {
			crash = page
		}
	}
	// 3 cases, 2 opponents, 2 seats.
	if strings.Count(crash, `<span class="badge">crash</span> <strong>said</strong>`) != 1 || !strings.Contains(crash, "<p>12 times, first in ") || strings.Count(crash, ">said</pre>") != 1 {
		t.Error("the page of a bot that crashes in 12 matches does not show them as one failure")
	}
	if !strings.Contains(crash, "exit code 1 &lt;b&gt;") || !strings.Contains(crash, "umpire reproduce &#39;my run&#39; BOT --id 0000") {
		t.Error("a failure has no detail, or no command that repeats it")
	}
	if !strings.Contains(crash, "<dt>won, drawn, lost</dt><dd>0, 0, 12</dd>") {
		t.Error("a bot that always crashes has not lost 12 matches")
	}
	list := listOf(t, read(t, site, "matches.html"))
	if rows := len(list.rows); rows != 18 || !slices.Equal(list.Units, [][3]int{{1, 0, 18}}) {
		t.Errorf("%d matches are listed, in units %v", rows, list.Units)
	}
	for i, want := range records {
		row := list.rows[i]
		for n, seat := range want.Seats {
			bot, verdict, score, place := list.Bots[row[1+4*n]], list.Verdicts[row[2+4*n]], row[3+4*n], row[4+4*n]
			if bot != seat.Bot || verdict != seat.Verdict || protocols.Points(score) != seat.Score || place != seat.Place {
				t.Errorf("match %d, seat %d: lists %s %s %d %d, expected %+v", i+1, n+1, bot, verdict, score, place, seat)
			}
		}
	}
}

// TestFouls: what a bot answered and wrote is shown as it was, of mistakes that differ in
// numbers that is said, and nothing is said of what no replies were worth.
func TestFouls(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	var records []record.Record
	for i, reply := range []string{"/pit/3", "8", "<b>x</b>", "9 10"} {
		r := pagetest.Completed(t, pagetest.Given(t, "ioiwari", "4 3 2 4 2 3 2", reply), "a", "b")
		r.ID, r.Repetition, r.Seats[0].Stderr = fmt.Sprint("id", i), i, "x = /a/b/c"
		records = append(records, r)
	}
	site := writeSite(t, g, records, func(s *Site) { s.Analysed = new(analysis.Memory) })
	shown := ""
	for _, name := range []string{"bots/1.html", "bots/2.html"} {
		if text := read(t, site, name); strings.Contains(text, "<h1><bdi>a</bdi>") {
			shown = text
		}
	}
	for _, want := range []string{
		"answered &#34;/pit/3&#34;, expected", "answered &#34;&lt;b&gt;x&lt;/b&gt;&#34;, expected", ">x = /a/b/c<",
		`2 times, with differing numbers, first in <a href="../replays/1.html?1">match 2</a>`,
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the bot's page has no %s", want)
		}
	}
	if strings.Count(shown, "with differing numbers") != 1 || strings.Contains(shown, "worth") {
		t.Error("the bot's page tells of numbers where there is one mistake, or of the worth of no replies")
	}
	var data struct{ Texts pagetest.Texts }
	pagetest.Unpack(t, read(t, site, "replays/1.html"), &data)
	if all := strings.Join(data.Texts, ""); !strings.Contains(all, "answered &#34;/pit/3&#34;, expected") || !strings.Contains(all, "x = /a/b/c") {
		t.Error("a replay's result does not say what the bot answered")
	}
}

// TestUnplayed: a run in which no match has a result says why, and leads to the matches.
func TestUnplayed(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	records := tournament(t, g, 1, "alice", "bob")
	for i := range records {
		r := &records[i]
		r.Error, r.Events = "write /home/eve/run/x: no space left <b>\nmore", nil
		for n := range r.Seats {
			r.Seats[n].Verdict, r.Seats[n].Place = "", 0
		}
	}
	index := read(t, writeSite(t, g, records, nil), "index.html")
	for _, want := range []string{`<a href="matches.html#verdict=not+played">`, `write x: no space left &lt;b&gt; (<a href="replays/1.html?0">match 1</a>, 2 in all)`, `<a href="#unplayed">`} {
		if !strings.Contains(index, want) {
			t.Errorf("the first page has no %s", want)
		}
	}
	if strings.Contains(index, "<h2>Standings") {
		t.Error("the first page has standings of nobody")
	}
}

// TestTables: failures are one column, what says nothing is folded, rounds that halve are a
// bracket, and many bots are crossed on a map.
func TestTables(t *testing.T) {
	of := standings.Standings{Rows: []standings.Row{
		{Name: "a", Bot: "a", Rank: 1, Played: 2, Won: 2, Failures: map[string]int{"crash": 2, "foul": 1}, Failed: 3},
		{Name: "b", Bot: "b", Rank: 2, Played: 2, Lost: 2, Failures: map[string]int{}},
	}}
	r := ranking{view: report.Standings{Game: pagetest.Game(t, "ioiwari"), Of: &of}, bot: botLink, pair: func(_, _ int) string { return "" }}
	g := r.standings()
	at := slices.IndexFunc(g.Header, func(c cell) bool { return c.Text == "failures" })
	if at < 0 || !strings.HasPrefix(g.Rows[0][at].Text, "3: ") || g.Rows[1][at].Text != "0" {
		t.Errorf("found %+v", g.Rows)
	}
	for i, head := range g.Header {
		if want := slices.Contains([]string{"crash", "foul", "drawn", "match points", "score", "difference", "mean/move", "slowest", "mean"}, head.Text); head.Extra != want {
			t.Errorf("column %d, %s: folded %v", i, head.Text, head.Extra)
		}
	}
	meetings := func(n int) round { return round{Meetings: make([]meeting, n)} }
	if !isBracket([]round{meetings(4), meetings(2), meetings(1)}) || isBracket([]round{meetings(2), meetings(2)}) {
		t.Error("rounds of 4, 2 and 1 are a bracket, and those of 2 and 2 are none")
	}
	tie := report.Encounter{Bots: []string{"a", "b"}, Wins: []float64{1, 1}, Scores: make([]protocols.Score, 2), Result: 0.5, Played: 2, Matches: 2, Winner: "b", Tie: "why"}
	if m := r.meeting(tie, nil); m.Result != "tie: why" || !m.Sides[1].Won {
		t.Errorf("a tie in a knockout is shown as %+v", m)
	}
	of.Pairs = []standings.HeadToHead{{Bot: "a", Opponent: "b", Won: 2}}
	untied := r.crosstable().Note
	of.Rows[0].Tied = true
	if note := r.crosstable().Note; untied != "" || note == "" {
		t.Errorf("the crosstable explains its letters by %q, and letters that it does not have by %q", note, untied)
	}
	for n := range maxCrossed {
		of.Rows = append(of.Rows, standings.Row{Bot: fmt.Sprint(n)})
	}
	of.Pairs = []standings.HeadToHead{{Bot: "a", Opponent: "3", Won: 2, Drawn: 1}}
	if m := r.crossMap(); m == nil || len(m.Bots) != maxCrossed+2 || !slices.Equal(m.Pairs, []int{0, 5, 2, 1, 0}) || r.crosstable() != nil {
		t.Errorf("found the map %+v", m)
	}
}

// TestBrokenBot: a compiler's words stand on the page of the bot, and the folders of those
// who ran it nowhere.
func TestBrokenBot(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	site := writeSite(t, g, tournament(t, g, 1, "alice", "bob"), func(s *Site) {
		s.Runs = []Run{{Name: "/home/eve/run", Config: "bots:\n- bot: /home/eve/bots/bob.cpp\n", Commands: []Command{{What: "Again", Line: "umpire tournament ioiwari /home/eve/bots/bob.cpp -o ~/run"}}}}
		s.View = func(t *standings.Tally) report.Standings {
			of := t.Standings(nil)
			of.Rows[1].Broken = "compile /home/eve/bots (C++): exit status 1\n/home/eve/bots/bob.cpp:1:5: error: what\n    1 | int\n      | ^~~"
			return report.Standings{Game: g, Of: &of}
		}
	})
	name := html.EscapeString(rowName(t, site, 2))
	index := read(t, site, "index.html")
	if !strings.Contains(index, `(verdict compile, CE): <a href="bots/2.html"><bdi>`+name) || strings.Contains(index, "error: what") {
		t.Error("the first page does not say in a line which bot could not be compiled")
	}
	if page := read(t, site, "bots/2.html"); !strings.Contains(page, ">compile …/bots (C&#43;&#43;): exit status 1\n…/bob.cpp:1:5: error: what\n    1 | int\n      | ^~~</pre>") {
		t.Error("the bot's page does not show the compiler's words as they are")
	}
	for _, path := range pagesIn(t, site) {
		if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "/eve") {
			t.Errorf("%s: %v, or it names the organiser's folders", path, err)
		}
	}
}

// rowName is the name of the bot in a row of the standings, from 1.
func rowName(t *testing.T, site string, row int) string {
	t.Helper()
	return listOf(t, read(t, site, "matches.html")).Bots[row-1]
}

// TestWorstMoves: a move that is given again and again in a position stands on the bot's
// page once; those of seats that the house took are on a page of their own.
func TestWorstMoves(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	var records []record.Record
	for i := range 10 {
		r := pagetest.Completed(t, pagetest.Given(t, "ioiwari", "4 3 2 4 2 3 2", "2", "3", "5", "4", "7", "5"), "a", "b")
		r.ID, r.Repetition = fmt.Sprint("id", i), i
		r.Seats[1].House = i > 0
		records = append(records, r)
	}
	site := writeSite(t, g, records, func(s *Site) { s.Analysed = new(analysis.Memory) })
	page := ""
	for n := 1; n <= 3; n++ {
		text := read(t, site, fmt.Sprintf("bots/%d.html", n))
		switch {
		case strings.Contains(text, "<h1><bdi>a</bdi>"):
			page = text
		case strings.Contains(text, "<h1><bdi>b</bdi>"):
			if !strings.Contains(text, "0 blunders in 3 choices") {
				t.Error("the page of b has replies of the house")
			}
		case !strings.Contains(text, "<h1><bdi>b (opponent)</bdi>") || !strings.Contains(text, "0 blunders in 27 choices"):
			t.Error("the page of the house lacks its name or its replies")
		}
	}
	for _, want := range []string{
		`<strong class="blunder">blunder</strong> <strong>× 10</strong> <a href="../replays/1.html?0#step=5">match 1, step 5</a>`,
		"Played 7: lost 6 beads and ", "Best: 5, worth &#43;2, then 7<", "10 blunders in 30 choices", "end 100 %",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of a has no %s", want)
		}
	}
	if n := strings.Count(page, `class="small-board"`); n != 1 || !strings.Contains(page, `class="best"`) {
		t.Errorf("%d boards, expected one with the best reply", n)
	}
	if index := read(t, site, "index.html"); !strings.Contains(index, ">accuracy<") || !strings.Contains(index, "Accuracy: the share of") {
		t.Error("the standings have no accuracy")
	}
}

func read(t *testing.T, site, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(site, filepath.FromSlash(name)))
	must(t, err)
	return string(text)
}

// list is a list of matches as its script reads it.
type list struct {
	listed
	rows [][]int
}

func listOf(t *testing.T, page string) (l list) {
	t.Helper()
	found := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(page)
	if found == nil {
		t.Fatal("the page has no data")
	}
	must(t, json.Unmarshal([]byte(found[1]), &l.listed))
	must(t, json.Unmarshal(l.Rows, &l.rows))
	return l
}

// TestSiteUnits: many matches are in several units, and each is where the list
// says.
func TestSiteUnits(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	records := tournament(t, g, 1, "alice", "bob")
	var many []record.Record
	for n := range unitMatches + 10 {
		r := records[n%2]
		r.ID, r.Repetition = fmt.Sprintf("%016x", n+1), n/2+1
		many = append(many, r)
	}
	site := writeSite(t, g, many, nil)
	units, sum := listOf(t, read(t, site, "matches.html")).Units, 0
	for i, unit := range units {
		if unit[0] != i+1 || unit[1] != 0 || unit[2] < 1 || unit[2] > unitMatches {
			t.Errorf("units %v", units)
		}
		sum += unit[2]
	}
	if len(units) < 2 || sum != len(many) {
		t.Fatalf("units %v, expected several with %d matches", units, len(many))
	}
	for _, unit := range units {
		name := fmt.Sprintf("replays/%d.html", unit[0])
		page := read(t, site, name)
		var data struct {
			First         int
			Before, After bool
			Texts         pagetest.Texts
			Matches       []struct{ Page []int }
		}
		pagetest.Unpack(t, page, &data)
		if len(data.Matches) != unit[2] || data.Before != (unit[0] > 1) || data.After != (unit[0] < len(units)) {
			t.Errorf("%s: %d matches, before %v, after %v", name, len(data.Matches), data.Before, data.After)
		}
		for i, m := range data.Matches {
			var text strings.Builder
			for _, n := range m.Page {
				text.WriteString(data.Texts[n])
			}
			if id := fmt.Sprintf("record %016x", data.First+i); !strings.Contains(text.String(), id) {
				t.Errorf("%s: match %d is not %s", name, i, id)
			}
		}
		if len(page) > 700_000 {
			t.Errorf("%s has %d bytes", name, len(page))
		}
	}
	for name, most := range map[string]int{"index.html": 40_000, "bots/1.html": 40_000, "matches.html": 40_000} {
		if n := len(read(t, site, name)); n > most {
			t.Errorf("%s has %d bytes, expected at most %d", name, n, most)
		}
	}
}

// TestSitePolicy: each page of a site allows its own style and scripts by their
// hashes, and nothing on it needs more.
func TestSitePolicy(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	site := writeSite(t, g, tournament(t, g, 1, "alice", "bob"), nil)
	for _, path := range pagesIn(t, site) {
		text := read(t, site, strings.TrimPrefix(path, site+"/"))
		found := pagetest.PolicyForm.FindStringSubmatch(text)
		if found == nil {
			t.Errorf("%s has no policy", path)
			continue
		}
		want, markup := "default-src 'none'; style-src", text
		for _, one := range regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(text, -1) {
			want += " " + page.Hashes(one[1])
			markup = strings.Replace(markup, one[1], "", 1)
		}
		want += "; script-src"
		scripts := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(text, -1)
		if len(scripts) == 0 {
			want += " 'none'"
		}
		for _, one := range scripts {
			want += " " + page.Hashes(one[1])
			markup = strings.Replace(markup, one[1], "", 1)
		}
		want += "; base-uri 'none'; form-action 'none'"
		if filepath.Base(path) == pairsName { // which has replays in frames
			want += "; " + replay.FramePolicy
		}
		if html.UnescapeString(found[1]) != want {
			t.Errorf("%s: found the policy %s, expected %s", path, found[1], want)
		}
		markup = regexp.MustCompile(`(?s)<script type="application/[a-z]+".*?</script>`).ReplaceAllString(markup, "")
		if bad := regexp.MustCompile(`(?i)\s(style|on[a-z]+|src|srcset)=|<link|<iframe|<base|https?://`).FindString(markup); bad != "" {
			t.Errorf("%s holds %q", path, bad)
		}
	}
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
