package cases_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/cases"
)

// folder makes a case set of files, given as name and text in turn.
func folder(files ...string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

func TestLoad(t *testing.T) {
	game := protocoltest.Sum()
	game.Points, game.Baseline = 4, 200
	set, err := cases.Load(folder(
		"groups.yaml", "groups:\n- name: late\n  points: 10\n  combine: min\n- name: sample\n  points: 0\n  baseline: 7\n- {name: early, combine: all}\n- {name: worst, combine: min}\n",
		"early/1.txt", "1\n1\n",
		"early/2.txt", "1\n2\n",
		"late/b.txt", "1\n4\n",
		"late/a.txt", "1\n3\n",
		"other/x.txt", "1\n5\n",
		"worst/x.txt", "1\n6\n",
		"worst/y.txt", "1\n7\n",
		"sample/x.txt", "1\n1\n",
		"sample/notes.md", "not a case",
		".git/config", "not a group",
	), ".", game)
	if err != nil {
		t.Fatal(err)
	}
	wantGroups := []cases.Group{
		{Name: "late", Points: 10, Combine: cases.Min, Baseline: 200},
		{Name: "sample", Points: 0, Combine: cases.Sum, Baseline: 7},
		{Name: "early", Points: 8, Combine: cases.All, Baseline: 200},
		{Name: "worst", Points: 4, Combine: cases.Min, Baseline: 200},
		{Name: "other", Points: 4, Combine: cases.Sum, Baseline: 200},
	}
	if len(set.Groups) != len(wantGroups) {
		t.Fatalf("found groups %v, expected %v", set.Groups, wantGroups)
	}
	for i, want := range wantGroups {
		if set.Groups[i] != want {
			t.Errorf("found group %+v, expected %+v", set.Groups[i], want)
		}
	}
	for i, want := range []struct {
		name             string
		points, baseline float64
	}{
		{"late/a", 10, 200}, {"late/b", 10, 200}, {"sample/x", 0, 7}, {"early/1", 4, 200}, {"early/2", 4, 200},
		{"worst/x", 4, 200}, {"worst/y", 4, 200}, {"other/x", 4, 200},
	} {
		if c := set.Cases[i]; c.Name != want.name || c.Points != want.points || c.Baseline != want.baseline {
			t.Errorf("found %s of %v points, baseline %v, expected %+v", c.Name, c.Points, c.Baseline, want)
		}
	}
}

// A group may say what each of its cases is worth, in the order of their names.
func TestLoadPointsOfEachCase(t *testing.T) {
	set, err := cases.Load(folder(
		"groups.yaml", "groups:\n- name: g\n  points: [17, 18.5, 0]\n- name: empty\n  points:\n",
		"g/b.txt", "1\n2\n", "g/a.txt", "1\n1\n", "g/c.txt", "1\n3\n", "empty/1.txt", "1\n1\n",
	), ".", protocoltest.Sum())
	if err != nil {
		t.Fatal(err)
	}
	if set.Groups[0].Points != 35.5 || set.Groups[1].Points != 1 {
		t.Errorf("found groups %+v, expected points 35.5 and 1", set.Groups)
	}
	for i, want := range []float64{17, 18.5, 0, 1} {
		if c := set.Cases[i]; c.Points != want {
			t.Errorf("%s is worth %v, expected %v", c.Name, c.Points, want)
		}
	}
}

// What is wrong with a case set is said with file and line.
func TestLoadErrors(t *testing.T) {
	for groups, want := range map[string]string{
		"groups:\n- name: g\n  points: -1\n":                `groups.yaml:3: group "g": found points -1, expected a number of 0 or more`,
		"groups:\n- name: g\n  points: .nan\n":              `groups.yaml:3: group "g": found points NaN`,
		"groups:\n- name: g\n  points: .inf\n":              `groups.yaml:3: group "g": found points +Inf`,
		"groups:\n- name: g\n\n  combine: max\n":            `groups.yaml:4: group "g": found combine "max", expected sum, min or all`,
		"groups:\n- name: g\n  baseline: 0\n":               `groups.yaml:3: group "g": found baseline 0`,
		"groups:\n- name: g\n- name: g\n":                   `groups.yaml:3: group "g": found a second time`,
		"groups:\n- name: g\n- points: 3\n":                 `groups.yaml:3: group "": expected the name of a folder`,
		"groups:\n- name: ../g\n":                           `groups.yaml:2: group "../g": expected the name of a folder`,
		"groups:\n- name: g\n  point: 3\n":                  `groups.yaml:3: unknown key "groups.point"; did you mean groups.points?`,
		"groups:\n- name: g\n  points: many\n":              `groups.yaml:3: groups[0].points: found "many", expected a number`,
		"groups:\n- name: g\n  points: [1, 2]\n":            `groups.yaml:3: group "g": found points for 2 cases, expected 1, as many as it has`,
		"groups:\n- name: g\n  points: []\n":                `groups.yaml:3: group "g": found points for 0 cases, expected 1`,
		"groups:\n- name: g\n  points: [-1]\n":              `groups.yaml:3: group "g": found points -1`,
		"groups:\n- name: g\n  points: [many]\n":            `groups.yaml:3: groups[0].points[0]: found "many", expected a number`,
		"groups:\n- {name: g, points: [1], combine: min}\n": `groups.yaml:2: group "g": found a list of points, expected one number`,
		"groups:\n- name: h\n":                              `groups.yaml:2: group "h": found no h/*.txt`,
		"groups: [\n":                                       `groups.yaml:1: `,
	} {
		_, err := cases.Load(folder("groups.yaml", groups, "g/1.txt", "1\n1\n"), ".", protocoltest.Sum())
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: found %v, expected %s", groups, err, want)
		}
	}
	_, err := cases.Load(folder("sum/groups.yaml", "groups:\n- name: h\n", "sum/g/1.txt", "1\n1\n"), "sum", protocoltest.Sum())
	if want := `sum/groups.yaml:2: group "h": found no h/*.txt`; err == nil || err.Error() != want {
		t.Errorf("found %v, expected %s", err, want)
	}
	_, err = cases.Load(folder("g/1.txt", "1\nx\n"), ".", protocoltest.Sum())
	if err == nil || !strings.HasPrefix(err.Error(), "g/1.txt: line 2") {
		t.Errorf("found %v, expected file and line", err)
	}
	_, err = cases.Load(folder("1.txt", "1\n1\n"), ".", protocoltest.Sum())
	if want := "found 1.txt, expected GROUP/NAME.txt: the folder of the groups, of which --group plays one"; err == nil || err.Error() != want {
		t.Errorf("found %v, expected %s", err, want)
	}
	_, err = cases.Load(folder("sum/g/1.txt", "1\n1\n"), "morra", protocoltest.Morra())
	if want := "case set morra: found no such folder, expected one with GROUP/NAME.txt"; !errors.Is(err, cases.ErrNoSet) || err.Error() != want {
		t.Errorf("found %v, expected %s", err, want)
	}
}

// Cases of records are those of the set where name and text agree; the others
// keep what their records say.
func TestMatch(t *testing.T) {
	game := protocoltest.Sum()
	game.Baseline = 5
	set, err := cases.Load(folder("a/1.txt", "1\n1\n", "a/2.txt", "1\n2\n", "b/1.txt", "1\n1\n"), ".", game)
	if err != nil {
		t.Fatal(err)
	}
	found := func(name, group, text string, points float64) cases.Case {
		c, err := game.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return cases.Case{Name: name, Group: group, Points: points, Case: c}
	}
	got, err := set.Match(game, []cases.Case{
		found("r#1.10", "r", "1\n10", 3), found("a/1", "x", "1\n1", 1), found("r#1.2", "r", "1\n2", 3), found("", "", "1\n7", 1),
		found("a/2", "x", "1\n2", 9),
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range got.Cases {
		names = append(names, c.Group+" "+c.Name)
	}
	// b/1 is the same case as a/1; r#1.2 is equal to a/2 by chance, and the record
	// of a/2 is from another set.
	if list := strings.Join(names, ", "); list != "a a/1, b b/1,  1 7, r r#1.2, r r#1.10, x a/2" {
		t.Errorf("found %s", list)
	}
	if last := got.Cases[4]; last.Points != 3 || last.Baseline != 5 || got.Cases[0].Points != 1 || got.Cases[5].Points != 9 {
		t.Errorf("found %+v and %+v", got.Cases[0], last)
	}

	worst, sum := found("g/1", "g", "1\n8", 1), found("g/2", "g", "1\n9", 1)
	worst.Combine, sum.Combine = cases.Min, cases.Sum
	if _, err := set.Match(game, []cases.Case{worst, sum}); err == nil || !strings.Contains(err.Error(), `group "g": found cases that combine as min and others as sum`) {
		t.Errorf("found %v", err)
	}
	if got, err := set.Match(game, []cases.Case{worst}); err != nil || got.Groups[0].Combine != cases.Min {
		t.Errorf("found %+v, %v", got.Groups, err)
	}
}

// GroupsText is read back as the same groups.
func TestGroupsText(t *testing.T) {
	game := protocoltest.Sum()
	game.Points = 4
	files := folder(
		"groups.yaml", "groups:\n- {name: '- x: #', points: 0.1, combine: min}\n- {name: '[a]*?', points: 1e300, baseline: -7}\n- {name: 'null', combine: all, points: 0}\n",
		"- x: #/1.txt", "1\n1\n", "[a]*?/1.txt", "1\n3\n", "[a]*?/2.txt", "1\n3\n", "null/1.txt", "1\n1\n", "rest/1.txt", "1\n5\n", "rest/2.txt", "1\n5\n",
	)
	set, err := cases.Load(files, ".", game)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cases.GroupsText(set)
	if err != nil {
		t.Fatal(err)
	}
	files["groups.yaml"].Data = text
	again, err := cases.Load(files, ".", game)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !slices.Equal(again.Groups, set.Groups) || len(set.Groups) != 4 || set.Groups[0].Combine != cases.Min {
		t.Errorf("found %+v, expected %+v", again.Groups, set.Groups)
	}
}

// TestLimits: a set may limit the cases of a group, and single ones, otherwise than the
// game; what GroupsText writes is read as the same.
func TestLimits(t *testing.T) {
	const groups = `groups:
- name: a
  limits: {move: 2s, memory: 64M}
  cases:
    "2": {limits: {move: 5s, startup: 1s}}
- name: b
`
	files := folder("groups.yaml", groups, "a/1.txt", "1\n1\n", "a/2.txt", "1\n2\n", "b/1.txt", "1\n1\n")
	set, err := cases.Load(files, ".", protocoltest.Sum())
	if err != nil {
		t.Fatal(err)
	}
	game := set.Cases[2].Limits(1)
	one, two := game, game
	one.PerMove, one.Memory = 2*time.Second, 64<<20
	two.PerMove, two.Memory, two.Startup = 5*time.Second, 64<<20, time.Second
	text, err := cases.GroupsText(set)
	if err != nil {
		t.Fatal(err)
	}
	again, err := cases.Load(folder("groups.yaml", string(text), "a/1.txt", "1\n1\n", "a/2.txt", "1\n2\n", "b/1.txt", "1\n1\n"), ".", protocoltest.Sum())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []cases.Set{set, again} {
		for i, want := range []protocols.Limits{one, two, game} {
			if got := s.Cases[i].Limits(1); got != want {
				t.Errorf("case %s: found %+v, expected %+v", s.Cases[i].Name, got, want)
			}
		}
	}
	for wrong, want := range map[string]string{
		"  limits: {move: fast}\n":             `groups.yaml:3: group "a": limits: move: found "fast"`,
		"  cases: {x: {limits: {time: 1s}}}\n": `group "a": cases: found x, expected the name of a case`,
		"  limits: {moves: 1s}\n":              `groups.yaml:3: unknown key "groups.limits.moves"; did you mean groups.limits.move?`,
	} {
		_, err := cases.Load(folder("groups.yaml", "groups:\n- name: a\n"+wrong, "a/1.txt", "1\n1\n"), ".", protocoltest.Sum())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, expected %s", wrong, err, want)
		}
	}
}
