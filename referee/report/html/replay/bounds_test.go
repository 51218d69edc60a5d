package replay

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/testlevel"
)

// TestSharedBounds: a match of mensch is drawn as a whole in a site, too. A longer one is
// bounded, and says what it leaves out and how to see it.
func TestSharedBounds(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for name, group := range map[string]string{"mensch": pagetest.Game(t, "mensch").Groups[0], "patolli": "large"} {
		g := pagetest.Game(t, name)
		c, err := g.Generate(group, 1)
		must(t, err)
		r := pagetest.Play(t, g, c, g.MaxSeats, pagetest.Choose())
		in := &album{}
		v, err := Match{Record: r, Games: []protocols.Game{g}}.viewIn(in, sharedPage)
		must(t, err)
		if in.bytes > sharedPage.pictures+50_000 || len(v.Data.Steps) < min(len(r.Events), 100) {
			t.Errorf("%s: %d bytes of pictures for %d steps", name, in.bytes, len(v.Data.Steps))
		}
		if name == "mensch" {
			if v.Left+v.Undrawn > 0 || v.Command != "" {
				t.Errorf("%s: %d of %d pictures are left out", name, v.Undrawn, len(v.Data.Steps))
			}
		} else if v.Left+v.Undrawn == 0 || v.Command != "umpire replay results.jsonl --id 0123456789abcdef --html match.html" {
			t.Errorf("%s: %d positions and %d pictures are left out; the command is %q", name, v.Left, v.Undrawn, v.Command)
		}
		v.Data.Texts = in.texts.Values
		text, err := page.Pack(v.Data)
		must(t, err)
		if len(text) > 160_000 {
			t.Errorf("%s: %d bytes for %d steps", name, len(text), len(v.Data.Steps))
		}
		t.Logf("%s: %d bytes for %d steps", name, len(text), len(v.Data.Steps))
	}
}

// TestLinesBound: of very many lines exchanged the first are kept.
func TestLinesBound(t *testing.T) {
	p := player{album: &album{}}
	for range 1000 {
		p.line(line{Seats: []int{1}, Text: strings.Repeat("x", 1000)})
	}
	total := 0
	for _, l := range p.lines {
		total += len(l.Text)
	}
	if last := p.lines[len(p.lines)-1].Text; total > maxLines+1000 || total < maxLines/2 || !strings.Contains(last, "left out") {
		t.Errorf("%d lines of %d bytes are kept, the last is %.40q", len(p.lines), total, last)
	}
	if p.most = wholePage; p.command("", "abc") != "umpire replay results.jsonl --id abc" || strings.Contains(p.command("", "a; rm -rf /"), "rm") {
		t.Errorf("the command is %q or %q", p.command("", "abc"), p.command("", "a; rm -rf /"))
	}
}
