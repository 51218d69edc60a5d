package cli_test

import (
	"io/fs"
	"slices"
	"testing"

	"umpire/bots"
	botcatalog "umpire/bots/catalog"
	"umpire/protocols/catalog"
	"umpire/referee/cases"
	"umpire/referee/scoring"
)

// TestEveryGameIsWhole checks that the parts of each game that lie in different
// places are all there: standard cases, built-in bots, a formula.
func TestEveryGameIsWhole(t *testing.T) {
	sets := standardCases()
	folders, err := fs.ReadDir(sets, ".")
	must(t, err)
	if len(folders) != len(catalog.Games()) {
		t.Errorf("testdata/cases has %d folders for %d games", len(folders), len(catalog.Games()))
	}
	for _, g := range catalog.Games() {
		t.Run(g.Name, func(t *testing.T) {
			set, err := cases.Load(sets, g.Name, g)
			must(t, err)
			if _, err := scoring.Compile(g.Formula); err != nil {
				t.Errorf("formula %q: %v", g.Formula, err)
			}
			mine := slices.DeleteFunc(botcatalog.Bots(), func(b bots.Bot) bool { return b.Game != g.Name })
			if len(mine) == 0 {
				t.Error("no built-in bot plays it")
			}
			if g.DefaultOpponent != "" && !slices.ContainsFunc(mine, func(b bots.Bot) bool { return b.Name == g.DefaultOpponent }) {
				t.Errorf("its default opponent is %q, which is no bot of it", g.DefaultOpponent)
			}
			known := map[string]string{} // by text
			for _, c := range set.Cases {
				if other := known[c.String()]; other != "" && other != c.Name {
					t.Errorf("%s is the same case as %s", c.Name, other)
				}
				known[c.String()] = c.Name
				if m := c.Start(g.MaxSeats); len(m.Next().Await) == 0 {
					t.Errorf("%s: nobody is asked", c.Name)
				}
			}
		})
	}
}
