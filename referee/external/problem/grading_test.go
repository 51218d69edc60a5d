package problem

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawGroup draws a tree of groups; its cases are numbered. Groups break where those of
// older formats may, and require others where those of newer ones may.
func drawGroup(t *rapid.T, older bool, depth int, cases *int, earlier *[]string) *Group {
	g := &Group{
		Name: fmt.Sprint("g", rapid.IntRange(0, 1<<30).Draw(t, "name")), Verdict: VerdictMode(rapid.IntRange(0, 2).Draw(t, "verdict")),
		Any: rapid.Bool().Draw(t, "any"), Break: older && rapid.Bool().Draw(t, "break"), IgnoreSample: depth == 0 && rapid.Bool().Draw(t, "ignore"),
		Score: rapid.SampledFrom([]ScoreMode{Sum, Average, Min, Max, PassFail}).Draw(t, "score"),
	}
	if g.Score == PassFail || rapid.Bool().Draw(t, "bounded") {
		g.Max = big.NewRat(rapid.Int64Range(0, 100).Draw(t, "max"), 1)
	}
	if rapid.Bool().Draw(t, "rejects") {
		g.Reject = big.NewRat(rapid.Int64Range(-3, 3).Draw(t, "reject"), 1)
	}
	if !older && len(*earlier) > 0 && rapid.Bool().Draw(t, "requires") {
		g.Require = []string{rapid.SampledFrom(*earlier).Draw(t, "required")}
	}
	for range rapid.IntRange(1, 4).Draw(t, "items") {
		if depth < 3 && rapid.Bool().Draw(t, "group") {
			g.Items = append(g.Items, Item{Group: drawGroup(t, older, depth+1, cases, earlier)})
		} else {
			*cases++
			g.Items = append(g.Items, Item{Case: fmt.Sprint(*cases)})
		}
	}
	*earlier = append(*earlier, g.Name)
	return g
}

// naive grades as the formats' texts say it, one sentence after the other. Groups that
// require one that failed are not run, nor are those after a break: they have not passed.
func naive(g *Group, outcomes map[string]Outcome, passed map[string]bool) Outcome {
	for _, name := range g.Require {
		if !passed[name] {
			return Outcome{"WA", new(big.Rat)}
		}
	}
	var results []Outcome
	for _, item := range g.Items {
		result := outcomes[item.Case]
		if item.Group != nil {
			result = naive(item.Group, outcomes, passed)
		}
		if results = append(results, result); g.Break && result.Class != "AC" {
			break
		}
	}
	if g.IgnoreSample && len(results) >= 2 {
		results = []Outcome{results[1]}
	}
	var errors []string
	some := false
	total, least, most := new(big.Rat), results[0].Score, results[0].Score
	for _, r := range results {
		if r.Class == "AC" {
			some = true
		} else {
			errors = append(errors, r.Class)
		}
		total.Add(total, r.Score)
		if r.Score.Cmp(least) < 0 {
			least = r.Score
		}
		if r.Score.Cmp(most) > 0 {
			most = r.Score
		}
	}
	class := "AC"
	if len(errors) > 0 && g.Verdict != AlwaysAccept && !(g.Any && some) {
		if class = errors[0]; g.Verdict == WorstError {
			order := map[string]int{"CE": 0, "RTE": 1, "TLE": 2, "WA": 3}
			slices.SortFunc(errors, func(a, b string) int { return order[a] - order[b] })
			class = errors[0]
		}
	}
	passed[g.Name] = class == "AC"
	score := map[ScoreMode]*big.Rat{Sum: total, Average: new(big.Rat).Mul(total, big.NewRat(1, int64(len(results)))), Min: least, Max: most}[g.Score]
	if g.Score == PassFail {
		if score = new(big.Rat); class == "AC" {
			score = g.Max
		}
	} else if class != "AC" && g.Reject != nil {
		score = g.Reject
	}
	return Outcome{class, score}
}

// TestGrade: grades are those of a naive grader, and cases that no longer count do not
// change them.
func TestGrade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		var names []string
		g := drawGroup(t, rapid.Bool().Draw(t, "older"), 0, &n, &names)
		slices.Sort(names)
		if len(slices.Compact(names)) < len(names) {
			t.Skip("two groups of one name")
		}
		outcomes := make(map[string]Outcome)
		for i := range n {
			o := Outcome{rapid.SampledFrom([]string{"AC", "AC", "AC", "WA", "TLE", "RTE", "CE"}).Draw(t, "class"), big.NewRat(rapid.Int64Range(0, 50).Draw(t, "score"), 3)}
			outcomes[fmt.Sprint(i+1)] = o
		}
		grade, want := g.Grade(outcomes), naive(g, outcomes, make(map[string]bool))
		if grade.Class != want.Class || grade.Score.Cmp(want.Score) != 0 {
			t.Fatalf("found %s %s, expected %s %s", grade.Class, grade.Score, want.Class, want.Score)
		}
		some := make(map[string]Outcome) // in the order of judging
		for _, name := range g.Names() {
			if g.Counts(name, some) {
				some[name] = outcomes[name]
			}
		}
		if fewer := g.Grade(some); fewer.Class != grade.Class || fewer.Score.Cmp(grade.Score) != 0 {
			t.Fatalf("without the cases that do not count: found %s %s, expected %s %s", fewer.Class, fewer.Score, grade.Class, grade.Score)
		}
	})
}

// TestParseNumber: what judges may write as a score.
func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{"12.5\n": "12.5", " 0": "0", "1e2": "100", "-3.25": "-3.25", ".5": "0.5"} {
		n, err := ParseNumber(text)
		if err != nil || Rounded(n).String() != want {
			t.Errorf("%q: found %v, %v, expected %s", text, n, err, want)
		}
	}
	for _, text := range []string{"", "nan", "inf", "1/2", "0x10", "1_000", "1e400", "1 2", "ten"} {
		if n, err := ParseNumber(text); err == nil {
			t.Errorf("%q: found %v, expected an error", text, n)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	f.Add("1e-99")
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := ParseNumber(text); err == nil {
			Rounded(n)
		}
	})
}
