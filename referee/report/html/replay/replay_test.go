package replay

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/protocols/svg"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/testlevel"
)

func pageOf(t *testing.T, r record.Record) string {
	t.Helper()
	p, err := Match{Record: r, Games: catalog.Games()}.Page()
	must(t, err)
	return string(p)
}

// dataOf reads a page as its script does.
func dataOf(t *testing.T, page string) (d data, texts []string) {
	t.Helper()
	pagetest.Unpack(t, page, &d)
	return d, d.Texts
}

// pictures puts the pictures of all steps together again.
func pictures(d data, texts []string) []string {
	var out []string
	var parts []int
	head := 0
	for _, s := range d.Steps {
		for _, p := range append(slices.Clip(s.Phases), s.picture) {
			if p.All != nil {
				head, parts = p.Head, append([]int(nil), p.All...)
			}
			for i := 0; i < len(p.Changed); i += 2 {
				parts[p.Changed[i]] = p.Changed[i+1]
			}
		}
		var b strings.Builder
		if head > 0 {
			b.WriteString(texts[head-1])
		}
		for _, part := range parts {
			b.WriteString(texts[part])
		}
		if head > 0 {
			b.WriteString("</svg>")
		}
		out = append(out, b.String())
	}
	return out
}

// TestGames makes the page of a match of each game: its pictures are those that
// the game draws, in the order of a replay.
func TestGames(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	games := catalog.Games()
	for _, g := range games {
		t.Run(g.Name, func(t *testing.T) {
			r := pagetest.Sample(t, g.Name)
			d, texts := dataOf(t, pageOf(t, r))
			_, c, err := r.Parse(games)
			must(t, err)
			var want []string
			see := func(at any) {
				drawn, text := draw(at)
				if drawn == "" {
					drawn = text()
				}
				want = append(want, drawn)
			}
			m := c.Start(len(r.Seats))
			if tracer, ok := m.(protocols.Tracer); ok {
				for at := range tracer.Trace() {
					see(at)
				}
			} else {
				see(m)
			}
			_, err = r.Replay(games, referee.Watcher{
				Event:    func(_ referee.Event, _ *protocols.Foul, m protocols.Match) { see(m) },
				AutoMove: func(_ int, at protocols.Position) { see(at) },
			})
			must(t, err)
			got := pictures(d, texts)
			if len(got) != len(want) {
				t.Fatalf("%d steps, expected %d", len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("step %d: found %s, expected %s", i, got[i], want[i])
				}
			}
			_, drawn := m.(protocols.Drawer)
			if drawn != strings.HasPrefix(got[0], "<svg ") {
				t.Errorf("the game draws pictures: %v, the page begins with %.40s", drawn, got[0])
			}
		})
	}
}

// TestAutoMoves: what is played for a seat that failed is there step by step.
func TestAutoMoves(t *testing.T) {
	g := pagetest.Game(t, "vmukni")
	c, err := g.Generate("small", 1)
	must(t, err)
	pick := pagetest.Choose()
	r := pagetest.Play(t, g, c, 2, func(m protocols.Match, seat int) string {
		if seat == 1 {
			return "!"
		}
		return pick(m, seat)
	})
	d, _ := dataOf(t, pageOf(t, r))
	auto, failed := 0, 0
	for _, s := range d.Steps {
		if s.Auto {
			auto++
		}
		if s.Kind == "crash" && s.Seat == 1 && s.Why == "exit code 1 <b>" {
			failed++
		}
	}
	if failed != 1 || auto == 0 || len(d.Steps) != 1+len(r.Events)+auto {
		t.Errorf("%d steps of %d events, %d failures, %d moves without a reply", len(d.Steps), len(r.Events), failed, auto)
	}
}

// TestWeight: a long match with all tiles of its queue on view is below 500 KB.
func TestWeight(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	const limit = 500_000
	g := pagetest.Game(t, "vmukni")
	var tiles []string
	for i := range 200 {
		tiles = append(tiles, string(rune('1'+i*i%7)))
	}
	for _, k := range []string{"1", "7", "20"} {
		c, err := g.Parse("200 " + k + " 7\n4 5 1 6 6\n3 3 7 5 7\n6 5 2 2 5\n1 7 5 2 7\n3 4 1 1 2\n" + strings.Join(tiles, " "))
		must(t, err)
		r := pagetest.Play(t, g, c, 2, pagetest.Choose())
		p := pageOf(t, r)
		d, _ := dataOf(t, p)
		if len(d.Steps) != 201 || len(p) >= limit {
			t.Errorf("K = %s: %d steps in %d bytes, expected 201 in less than %d", k, len(d.Steps), len(p), limit)
		}
	}
}

// TestMovementWeight: what moves the picture's parts takes at most 4 KB of script.
func TestMovementWeight(t *testing.T) {
	const limit = 4096
	bytes := 0
	for _, part := range [][2]string{{"// What is drawn elsewhere than before", "// wordsOf is"}, {"// drawMove draws", "let current ="}} {
		_, rest, found := strings.Cut(Script(), part[0])
		text, _, ended := strings.Cut(rest, part[1])
		if !found || !ended {
			t.Fatalf("found nothing from %q to %q", part[0], part[1])
		}
		bytes += len(part[0]) + len(text)
	}
	if bytes < 1000 || bytes > limit {
		t.Errorf("movement takes %d bytes, expected at most %d", bytes, limit)
	}
}

// TestHostile: names, replies, details and standard error are text, and what
// can't be seen is written out.
func TestHostile(t *testing.T) {
	const nasty = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\"'`{{.}}\u202egnp\u2066\x1b[31m\x00\u2028"
	r := pagetest.Sample(t, "ioiwari")
	for i := range r.Seats {
		s := &r.Seats[i]
		s.Bot, s.Stderr, s.Digest = nasty, nasty+"\nmore", nasty
	}
	r.Case.Name, r.ID, r.Started, r.Isolation, r.Umpire, r.Limits.Clock = nasty, nasty, nasty, nasty, nasty, nasty
	reply := nasty
	r.Events[len(r.Events)-1].Reply = &reply
	p := pageOf(t, r)
	if strings.Count(p, "<script") != 2 || strings.Count(p, "</script") != 2 || strings.Contains(p, "<img") || strings.Contains(p, "<!--") {
		t.Error("what others wrote became markup")
	}
	for _, bad := range []string{"\u202e", "\u2066", "\x1b", "\x00", "\u2028"} {
		if strings.Contains(p, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	d, _ := dataOf(t, p)
	last := d.Steps[len(d.Steps)-1]
	const shown = `</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"'` + "`" + `{{.}}\u202egnp\u2066\x1b[31m\x00\u2028`
	if d.Bots[0] != shown || last.Lines[len(last.Lines)-1].Text != shown || last.Kind != "foul" {
		t.Errorf("the script sees bot %q and step %+v", d.Bots[0], last)
	}
	if !strings.Contains(html.UnescapeString(p), `<bdi>`+shown+`</bdi>`) {
		t.Error("the name is not shown as it is")
	}
}

// TestPolicy: the page's policy allows its style and its script by their hashes,
// and nothing on it needs more.
func TestPolicy(t *testing.T) {
	p := pageOf(t, pagetest.Sample(t, "ioiwari"))
	found := pagetest.PolicyForm.FindStringSubmatch(p)
	if found == nil {
		t.Fatal("no policy")
	}
	allowed := html.UnescapeString(found[1])
	element := func(name string) string {
		all := regexp.MustCompile(`(?s)<`+name+`>(.*?)</`+name+`>`).FindAllStringSubmatch(p, -1)
		if len(all) != 1 {
			t.Fatalf("%d elements %s", len(all), name)
		}
		return all[0][1]
	}
	style, script := element("style"), element("script")
	want := "default-src 'none'; style-src " + page.Hashes(style) + "; script-src " + page.Hashes(script) + "; base-uri 'none'; form-action 'none'"
	if allowed != want {
		t.Errorf("found the policy %s, expected %s", allowed, want)
	}
	if !strings.HasPrefix(style, svg.Style) {
		t.Error("the style of pictures is missing")
	}
	markup := strings.NewReplacer(style, "", script, "", pagetest.PackedForm.FindString(p), "").Replace(p)
	if bad := regexp.MustCompile(`(?i)\s(style|on[a-z]+|src|srcset)=|<link|<iframe|<base`).FindString(markup); bad != "" {
		t.Errorf("the page holds %q", bad)
	}
	if bad := regexp.MustCompile(`(?i)https?://[^"]*`).FindString(markup + style + script); bad != "" {
		t.Errorf("the page refers to %s", bad)
	}
	// As sha256sum and base64 give it.
	if got := page.Hashes(""); got != "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" {
		t.Errorf("the hash of nothing is %s", got)
	}
}

// TestSame: a record has one page.
func TestSame(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for _, name := range []string{"mensch", "patolli"} {
		r := pagetest.Sample(t, name)
		first, second := pageOf(t, r), pageOf(t, r)
		if first != second {
			t.Errorf("%s: two pages of one record differ", name)
		}
	}
}

// TestInvalid: what is no match has no page, but one that umpire broke off has.
func TestInvalid(t *testing.T) {
	r := pagetest.Sample(t, "ioiwari")
	r.Events = r.Events[:3]
	if _, err := (Match{Record: r, Games: catalog.Games()}).Page(); err == nil || !strings.Contains(err.Error(), "before the match is over") {
		t.Errorf("a match without its end: %v", err)
	}
	r.Error = "the disk <is> full"
	p := pageOf(t, r)
	if d, _ := dataOf(t, p); len(d.Steps) != 4 || !strings.Contains(p, "No result: the disk &lt;is&gt; full") {
		t.Errorf("a match that was broken off: %d steps", len(d.Steps))
	}
	if _, err := (Match{Record: record.Record{Game: "none"}, Games: catalog.Games()}).Page(); err == nil {
		t.Error("no game, no error")
	}
}

// TestClock: the clock goes by what was charged, the allowance for the start off.
func TestClock(t *testing.T) {
	r := pagetest.Sample(t, "vmukni")
	r.Limits.StartUS = time.Second.Microseconds()
	for i := range r.Events {
		r.Events[i].WallUS = 0
	}
	r.Events[0].WallUS, r.Events[1].WallUS, r.Events[2].WallUS = 1_000_250, 400, 70
	charged := int64(71)
	r.Events[2].ChargedUS = &charged
	page := pageOf(t, r)
	if want := "1 s (321 µs charged)"; !strings.Contains(tags.ReplaceAllString(page, ""), want) {
		t.Errorf("the page lacks %q, the time that is missing from what is left", want)
	}
	d, _ := dataOf(t, page)
	if a, b, c := d.Steps[1].CostUS, d.Steps[2].CostUS, d.Steps[3].CostUS; a != 250 || b != 0 || c != 71 {
		t.Errorf("charged %d, %d, %d; expected 250, 0 and 71", a, b, c)
	}
	if d.Steps[1].WallUS != 1_000_250 || d.Budgets[0] != r.Limits.TimeUS {
		t.Errorf("wall %d, budgets %d", d.Steps[1].WallUS, d.Budgets)
	}
}

// TestPersonsClock: a person has no budget, of which something could be left; the
// page says how long the replies took.
func TestPersonsClock(t *testing.T) {
	r := pagetest.Sample(t, "vmukni")
	r.Limits.TimeUS = time.Second.Microseconds()
	nothing := int64(0)
	r.Seats[0].Kind, r.Events[0].WallUS, r.Events[0].ChargedUS = "human", 7_000_000, &nothing
	p := pageOf(t, r)
	d, _ := dataOf(t, p)
	if d.Budgets[0] != 0 || d.Budgets[1] != r.Limits.TimeUS || d.Steps[1].CostUS != 7_000_000 {
		t.Errorf("budgets %d, the person's first reply took %d µs", d.Budgets, d.Steps[1].CostUS)
	}
	if strings.Count(p, "<progress ") != 1 || !strings.Contains(p, "People have no limit.") {
		t.Errorf("%d bars of time left, expected that of the program alone", strings.Count(p, "<progress "))
	}
}

func TestSplitSVG(t *testing.T) {
	for _, test := range []struct {
		text, head string
		parts      []string
	}{
		{`<svg a="1"><g data-key="a"><b/><g></g></g><i x="&gt;>"/> <g>t</g></svg>`, `<svg a="1">`, []string{`<g data-key="a"><b/><g></g></g>`, `<i x="&gt;>"/>`, `<g>t</g>`}},
		{`<svg a="1"></svg>`, `<svg a="1">`, nil},
		{"", "", nil}, {"text", "", nil}, {"<svg a=\"1\"><g></svg>", "", nil}, {"<p ></p>", "", nil},
		{`<svg a="1"><!-- --></svg>`, "", nil}, {`<svg a="1"></svg> `, "", nil}, {`<svg a="1"`, "", nil}, {`<svg a="1"><></svg>`, "", nil},
	} {
		head, parts, ok := splitSVG(test.text)
		if ok != (test.head != "") || ok && (head != test.head || strings.Join(parts, "|") != strings.Join(test.parts, "|")) {
			t.Errorf("%s: %v, %s, %q", test.text, ok, head, parts)
		}
	}
}

// TestLongTrace: of very many positions the first are shown, and the page says
// how many are left out.
func TestLongTrace(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	g := pagetest.Game(t, "patolli")
	c, err := g.Generate("large", 1)
	must(t, err)
	r := pagetest.Play(t, g, c, 1, func(protocols.Match, int) string { return "?" })
	positions := 0
	for range c.Start(1).(protocols.Tracer).Trace() {
		positions++
	}
	p := pageOf(t, r)
	d, _ := dataOf(t, p)
	left := positions - (len(d.Steps) - 1) // the last step is the reply
	if left <= 0 || !strings.Contains(p, fmt.Sprintf("; %d more are left out.", left)) || len(p) > 4_000_000 {
		t.Errorf("%d of %d positions are shown, in %d bytes", len(d.Steps)-1, positions, len(p))
	}
	if last := d.Steps[len(d.Steps)-1]; last.Kind != "wrong" || last.Why == "" {
		t.Errorf("the last step is %+v, expected the output, which is wrong", last)
	}
}

// TestLong: long texts are cut, and say so.
func TestLong(t *testing.T) {
	r := pagetest.Sample(t, "ioiwari")
	long := strings.Repeat("é", 100_000)
	r.Events[len(r.Events)-1].Reply = &long
	p := pageOf(t, r)
	d, _ := dataOf(t, p)
	lines := d.Steps[len(d.Steps)-1].Lines
	if !slices.ContainsFunc(lines, func(l line) bool { return strings.HasSuffix(l.Text, "… (200000 bytes in all)") }) || len(p) > 200_000 {
		t.Errorf("the page of a long reply has %d bytes", len(p))
	}
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
