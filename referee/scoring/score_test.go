package scoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/record"
)

// board is a case that is nothing but its text.
type board string

func (b board) String() string            { return string(b) }
func (board) Limits(int) protocols.Limits { return protocols.Limits{} }
func (board) Start(int) protocols.Match   { panic("no match is played here") }

// set makes a case set of groups `name:points:cases[:combine]`, whose cases are
// name/1, name/2 …
func set(groups ...string) cases.Set {
	var s cases.Set
	for _, spec := range groups {
		g := cases.Group{Combine: cases.Sum}
		n := 0
		fields := strings.Split(spec, ":")
		g.Name = fields[0]
		fmt.Sscan(fields[1], &g.Points)
		fmt.Sscan(fields[2], &n)
		each := g.Points / float64(n)
		if len(fields) > 3 {
			if g.Combine = cases.Combine(fields[3]); g.Combine == cases.Min {
				each = g.Points
			}
		}
		s.Groups = append(s.Groups, g)
		for i := range n {
			name := fmt.Sprintf("%s/%d", g.Name, i+1)
			s.Cases = append(s.Cases, cases.Case{Name: name, Group: g.Name, Points: each, Case: board("board " + name)})
		}
	}
	return s
}

// solo is the record of a match that a bot played alone.
func solo(bot, name string, x int, verdict string) *record.Record {
	return &record.Record{
		ID: bot + " " + name, Case: record.Case{Name: name, Text: "board " + name},
		Seats: []record.Seat{{Bot: bot, Digest: bot, Score: protocols.Points(x), Place: 1, Verdict: verdict}},
	}
}

// duel is the record of a match against the house, which sits in the other seat.
func duel(bot, name string, seat, x, place int) *record.Record {
	r := &record.Record{ID: fmt.Sprint(bot, name, seat), Case: record.Case{Name: name, Text: "board " + name}}
	other := record.Seat{Bot: "@house", House: true, Verdict: "ok", Place: 1}
	if place == 1 {
		other.Place = 2
	}
	if place == 0 { // a tie
		place = 1
	}
	mine := record.Seat{Bot: bot, Digest: bot, Score: protocols.Points(x), Place: place, Verdict: "ok"}
	r.Seats = []record.Seat{mine, other}
	if seat == 2 {
		r.Seats = []record.Seat{other, mine}
	}
	return r
}

func results(records ...*record.Record) *Results {
	var r Results
	for _, rec := range records {
		r.Add(rec)
	}
	return &r
}

func compile(t *testing.T, source string) Formula {
	t.Helper()
	f, err := Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// scored scores records that can be scored.
func scored(t *testing.T, task Task, records ...*record.Record) Scores {
	t.Helper()
	scores, err := task.Score(results(records...))
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// Solitärschack by hand: P·X/Y for three submissions, first with Y = 200, then
// with Y the best on each case. Group a is worth 4 (one case), b 9 (three).
func TestSolitarschackByHand(t *testing.T) {
	x := map[string][]int{ // a/1, b/1, b/2, b/3
		"anna": {324, 60, 0, 100},
		"bo":   {162, 75, 0, 50},
		"cleo": {0, 30, 0, 200},
	}
	var records []*record.Record
	for _, bot := range []string{"anna", "bo", "cleo"} {
		for i, name := range []string{"a/1", "b/1", "b/2", "b/3"} {
			verdict := "ok"
			if x[bot][i] == 0 {
				verdict = "foul"
			}
			records = append(records, solo(bot, name, x[bot][i], verdict))
		}
	}
	task := Task{Set: set("a:4:1", "b:9:3"), Formula: compile(t, "P * X / Y")}
	constant, err := Constant(200)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		baseline Baseline
		want     map[string]float64
		order    string
	}{
		// anna 4·324/200 + 3·(60+0+100)/200 = 6.48 + 2.4; bo 3.24 + 3·125/200; cleo 0 + 3·230/200
		{constant, map[string]float64{"anna": 8.88, "bo": 5.115, "cleo": 3.45}, "anna bo cleo"},
		// best: 324, 75, 0 (nobody: gives 0), 200
		// anna 4 + 3·60/75 + 3·100/200; bo 2 + 3 + 0.75; cleo 0 + 1.2 + 3
		{Best(), map[string]float64{"anna": 4 + 2.4 + 1.5, "bo": 5.75, "cleo": 4.2}, "anna bo cleo"},
	} {
		scores := scored(t, Task{Set: task.Set, Formula: task.Formula, Baseline: row.baseline}, records...)
		var order []string
		for _, s := range scores.Submissions {
			order = append(order, s.Bot)
			if !near(s.Score, row.want[s.Bot]) {
				t.Errorf("baseline %s, %s: found %v, expected %v", scores.Baseline, s.Bot, s.Score, row.want[s.Bot])
			}
			if sum := s.Groups[0].Score + s.Groups[1].Score; !near(sum, s.Score) {
				t.Errorf("%s: groups give %v, total is %v", s.Bot, sum, s.Score)
			}
		}
		if got := strings.Join(order, " "); got != row.order {
			t.Errorf("found order %s, expected %s", got, row.order)
		}
	}
}

// Ioiwari gives 4 points for a win and 2 for a tie.
func TestIoiwari(t *testing.T) {
	task := Task{Set: set("official:12:3"), Formula: compile(t, "P * (win + tie / 2)")}
	scores := scored(t, task,
		duel("alice", "official/1", 1, 11, 1), duel("alice", "official/2", 1, 10, 0), duel("alice", "official/3", 1, 7, 2),
		duel("bob", "official/1", 1, 3, 2), duel("bob", "official/2", 1, 3, 2), duel("bob", "official/3", 1, 3, 2),
	)
	alice, bob := scores.Submissions[0], scores.Submissions[1]
	var got []float64
	for _, c := range alice.Cases {
		got = append(got, c.Score)
	}
	if want := []float64{4, 2, 0}; !reflect.DeepEqual(got, want) || alice.Score != 6 || bob.Score != 0 {
		t.Errorf("found %v, alice %v, bob %v, expected %v, 6 and 0", got, alice.Score, bob.Score, want)
	}
	if scores.Points != 12 {
		t.Errorf("found %v points in all, expected 12", scores.Points)
	}
}

// Where a case is played in both seats, facts are means over its matches.
func TestMeans(t *testing.T) {
	r := results(duel("a", "g/1", 1, 30, 1), duel("a", "g/1", 2, 10, 2))
	f := FactsOf(r.Submissions[0].matches["board g/1"], 5, 1)
	want := Facts{P: 5, X: 20, Y: 1, Win: 0.5, Loss: 0.5, OK: 1, Place: 1.5, Seats: 2}
	if f != want {
		t.Errorf("found %v, expected %v", f, want)
	}
}

// TestFactsAreComplete: each field of Facts has its place in the table of facts,
// under the name that formulas have for it, is in the text, and in README.md.
func TestFactsAreComplete(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var f Facts
	fields := reflect.ValueOf(&f).Elem()
	if fields.NumField() != len(facts) {
		t.Errorf("%d fields, %d facts", fields.NumField(), len(facts))
	}
	for i := range fields.NumField() {
		fields.Field(i).SetFloat(float64(i + 1))
	}
	for i, fact := range facts {
		tag := fields.Type().Field(i).Tag.Get("expr")
		if got := *fact.in(&f); tag != fact.name || got != float64(i+1) {
			t.Errorf("fact %s is field %v, expected field %d, called %s in formulas", fact.name, got-1, i, tag)
		}
		if text := fmt.Sprintf("%s=%d", fact.name, i+1); !slices.Contains(strings.Fields(f.String()), text) {
			t.Errorf("found no %s in %s", text, f)
		}
		if !bytes.Contains(readme, []byte("`"+fact.name+"`")) {
			t.Errorf("README.md does not say what %s is", fact.name)
		}
	}
}

// How a group's cases are combined, with scores of 10, 4 and 10 of 10.
func TestCombine(t *testing.T) {
	for _, row := range []struct {
		formula, combine string
		x                []int
		verdict          string // of the second case
		score, points    float64
	}{
		{"P * X / Y", "sum", []int{10, 4, 10}, "ok", 24, 30},
		{"P * X / Y", "min", []int{10, 4, 10}, "ok", 12, 30}, // 0.4 of the group's points
		{"P * X / Y", "all", []int{10, 4, 10}, "ok", 0, 30},
		{"P * X / Y", "all", []int{10, 10, 10}, "ok", 30, 30},
		{"P * X / Y", "all", []int{10, 10, 10}, "time", 0, 30}, // full points, yet not ok
		{"P * X / Y", "all", []int{10, 20, 10}, "ok", 40, 30},  // more than P is kept
		{"P * X / Y", "min", []int{10, 20, 10}, "ok", 30, 30},
		{"P * ok", "min", []int{0, 0, 0}, "wrong", 0, 30},
		{"P * ok", "sum", []int{0, 0, 0}, "wrong", 20, 30},
		{"P * ok", "all", []int{0, 0, 0}, "wrong", 0, 30},
		{"X", "min", []int{10, 4, 10}, "ok", 4, 30}, // without P: the worst score itself
		{"X", "all", []int{1, 4, 1}, "ok", 6, 30},   // without P: ok is what counts
		{"X", "all", []int{1, 4, 1}, "wrong", 0, 30},
	} {
		task := Task{Set: set("g:30:3:" + row.combine), Formula: compile(t, row.formula)}
		task.Baseline, _ = Constant(10)
		scores := scored(t, task,
			solo("a", "g/1", row.x[0], "ok"), solo("a", "g/2", row.x[1], row.verdict), solo("a", "g/3", row.x[2], "ok"),
		)
		if got := scores.Submissions[0].Score; got != row.score || scores.Points != row.points {
			t.Errorf("%s %s of %v %s: found %v of %v, expected %v of %v",
				row.formula, row.combine, row.x, row.verdict, got, scores.Points, row.score, row.points)
		}
	}
}

// Points that do not divide evenly still make a full group, and a partial one is
// its share.
func TestPartialGroup(t *testing.T) {
	task := Task{Set: set("g:100:3:all", "h:10:3"), Formula: compile(t, "P * ok")}
	scores := scored(t, task,
		solo("a", "g/1", 0, "ok"), solo("a", "g/2", 0, "ok"), solo("a", "g/3", 0, "ok"),
		solo("a", "h/1", 0, "ok"), solo("a", "h/2", 0, "ok"), solo("a", "h/3", 0, "crash"),
	)
	s := scores.Submissions[0]
	if s.Groups[0].Score != 100 || !near(s.Groups[1].Score, 20.0/3) || scores.Points != 110 {
		t.Errorf("found %v of %v, expected 100 and 6.67 of 110", s.Groups, scores.Points)
	}
	if want := map[string]int{"ok": 5, "crash": 1}; !reflect.DeepEqual(s.Verdicts, want) || s.Matches != 6 {
		t.Errorf("found %v, expected %v", s.Verdicts, want)
	}
	// A part of the set is worth its part.
	task.Set = task.Set.Filter(func(c cases.Case) bool { return c.Name == "h/2" })
	if scores = scored(t, task, solo("a", "h/2", 0, "ok")); !near(scores.Points, 10.0/3) {
		t.Errorf("found %v points, expected 3.33", scores.Points)
	}
}

// Where Y comes from: what the user says, else the case, else 1.
func TestBaselineOrder(t *testing.T) {
	for _, row := range []struct {
		own      float64
		baseline func() Baseline
		want     float64
	}{
		{0, func() Baseline { return Baseline{} }, 1},
		{200, func() Baseline { return Baseline{} }, 200},
		{200, func() Baseline { b, _ := Constant(50); return b }, 50},
		{200, Best, 80},
		{200, func() Baseline { return BestOf("old", results(solo("x", "g/1", 40, "ok"), solo("y", "g/1", 20, "ok"))) }, 40},
	} {
		task := Task{Set: set("g:1:1"), Formula: compile(t, "Y"), Baseline: row.baseline()}
		task.Set.Cases[0].Baseline = row.own
		scores, err := task.Score(results(solo("a", "g/1", 80, "ok"), solo("b", "g/1", 10, "ok")))
		if err != nil || scores.Submissions[0].Score != row.want {
			t.Errorf("%+v: found %v, %v, expected %v", row.baseline(), scores.Submissions, err, row.want)
		}
	}
}

// A baseline that lacks a case is an error, unless the formula has no Y.
func TestBaselineLacksCase(t *testing.T) {
	task := Task{Set: set("g:2:2"), Formula: compile(t, "X / Y"), Baseline: BestOf("old.jsonl", results(solo("x", "g/1", 40, "ok")))}
	r := results(solo("a", "g/1", 1, "ok"), solo("a", "g/2", 1, "ok"))
	if _, err := task.Score(r); err == nil || err.Error() != "baseline old.jsonl: found no Y for case g/2" {
		t.Errorf("found %v", err)
	}
	task.Formula = compile(t, "X")
	if _, err := task.Score(r); err != nil {
		t.Error(err)
	}
}

func TestReadBaseline(t *testing.T) {
	known := append(set("g:2:2").Cases, set("h:1:1").Cases...)
	b, err := ReadBaseline("b.csv", strings.NewReader("\uFEFFCase, y\r\n# of last year\n\ng/1, 12.5\n\"g/2\",0\nh/1,-3\n"), known)
	want := map[string]float64{"board g/1": 12.5, "board g/2": 0, "board h/1": -3}
	if err != nil || !reflect.DeepEqual(b.byCase, want) {
		t.Errorf("found %v, %v, expected %v", b.byCase, err, want)
	}
	for text, want := range map[string]string{
		"g/1,2\ng/9,3\n":       `b.csv:2: found case "g/9", expected the name of a case such as g/1`,
		"case,Y\n\n2,x\n":      `b.csv:3: found Y "x", expected a finite number`,
		"2,NaN\n":              `b.csv:1: found Y "NaN", expected a finite number`,
		"g/1;2\n":              `b.csv:1: fields: found 1, expected 2: case,Y`,
		"g/1,2,3\n":            `b.csv:1: fields: found 3, expected 2: case,Y`,
		"1,2\n":                `b.csv:1: found case "1", expected one of g/1 and h/1`,
		"g/1,2\n2,1\ng/1,3\n":  `b.csv:3: found case "g/1" a second time, with Y 2 and 3`,
		"g/1,2\ng/2,\"3\nxy\n": `b.csv:3: extraneous or missing " in quoted-field, expected case,Y`,
	} {
		if _, err := ReadBaseline("b.csv", strings.NewReader(text), known); err == nil || err.Error() != want {
			t.Errorf("%q: found %v, expected %s", text, err, want)
		}
	}
}

func TestConstant(t *testing.T) {
	for _, y := range []float64{0, math.NaN(), math.Inf(1)} {
		if _, err := Constant(y); err == nil {
			t.Errorf("%v: found no error", y)
		}
	}
}

// What keeps a score from being computed.
func TestScoreErrors(t *testing.T) {
	broken := solo("a", "g/1", 0, "")
	broken.Error = "start bot a: no such file"
	slow, fast := solo("a", "g/1", 1, "ok"), solo("b", "g/1", 1, "ok")
	slow.Limits, fast.Limits = record.Limits{TimeUS: 2e6, Clock: "wall"}, record.Limits{TimeUS: 1e6, Clock: "wall"}
	for name, row := range map[string]struct {
		records []*record.Record
		formula string
		want    string
	}{
		"umpire failed": {[]*record.Record{broken}, "X", "case g/1: umpire could not play the match of a: start bot a: no such file"},
		"not played":    {[]*record.Record{solo("a", "g/1", 1, "ok"), solo("b", "h/1", 1, "ok")}, "X", "case g/1: found no record of b"},
		"seat not played": {
			[]*record.Record{duel("a", "g/1", 1, 1, 1), duel("a", "g/1", 2, 1, 1), duel("b", "g/1", 1, 1, 1)}, "X",
			"case g/1: found no record of b in seat 2, where others have one",
		},
		"not finite": {[]*record.Record{solo("a", "g/1", 1, "ok")}, "P / loss", "case g/1, a: formula"},
		"limits":     {[]*record.Record{slow, fast}, "X", "case g/1: a and b played under different limits (time for all replies 2s"},
		"opponents": {
			[]*record.Record{against(duel("a", "g/1", 1, 1, 1), "@strong", "1"), against(duel("b", "g/1", 1, 9, 1), "@weak", "2")}, "X",
			"case g/1: a and b played against different opponents (@strong; @weak), which can't be compared",
		},
		"opponents of one": {
			[]*record.Record{against(duel("a", "g/1", 1, 1, 1), "@h", "one"), against(dealt(duel("a", "g/1", 1, 9, 1), "2"), "@h", "two")}, "X",
			"case g/1: a and a played against different opponents (@h#one; @h#two), which can't be compared",
		},
		"opponents of which one lacks its digest": {
			[]*record.Record{
				duel("a", "g/1", 1, 1, 1), against(duel("b", "g/1", 1, 1, 1), "@house", "one"), against(duel("c", "g/1", 1, 1, 1), "@house", "two"),
			}, "X",
			"case g/1: b and c played against different opponents (@house#one; @house#two), which can't be compared",
		},
		"deals": {
			[]*record.Record{dealt(solo("a", "g/1", 1, "ok"), "7"), dealt(solo("b", "g/1", 1, "ok"), "8")}, "X",
			"case g/1: b and a played different deals, which can't be compared: play all with the same --seed, or score one seed's by --from FILE --seed N",
		},
		"more deals": {
			[]*record.Record{dealt(duel("a", "g/1", 1, 1, 1), "7"), dealt(duel("a", "g/1", 1, 1, 1), "8"), dealt(duel("b", "g/1", 1, 1, 1), "7")}, "X",
			"case g/1: a and b played different deals",
		},
	} {
		task := Task{Set: set("g:1:1"), Formula: compile(t, row.formula)}
		if err := task.Check(results(row.records...)); name == "umpire failed" && err != nil {
			t.Errorf("%s: found %v, expected that it counts as played", name, err)
		}
		_, err := task.Score(results(row.records...))
		if err == nil || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%s: found %v, expected %s", name, err, row.want)
		}
		var failed *FailedError
		if errors.As(err, &failed) != (name == "umpire failed") {
			t.Errorf("%s: found a FailedError: %v", name, failed)
		}
	}
}

// Where the best score is below 0, dividing by it would put the worst first: -10 / -5 is 2.
func TestBaselineBelowZero(t *testing.T) {
	records := []*record.Record{solo("a", "g/1", -5, "ok"), solo("b", "g/1", -10, "ok")}
	const refused = "the best score on case g/1 is -5, and a formula that divides by it puts the worst first"
	five, err := Constant(-5)
	if err != nil {
		t.Fatal(err)
	}
	old := BestOf("old", results(records...))
	for _, row := range []struct {
		formula  string
		baseline Baseline
		want     string // the error, or the points of a and b
	}{
		{"P * X / Y", Best(), refused}, {"P * X / Y", old, refused}, {"P * X / Y", five, "[1 2]"},
		{"X * (2 / Y)", Best(), refused}, {"let y = Y; X / y", Best(), refused},
		{"X - Y", Best(), "[0 -5]"}, {"X - Y", old, "[0 -5]"}, {"X / P", Best(), "[-5 -10]"},
		{"X / max(1, Y)", Best(), "[-5 -10]"}, {"X / abs(Y)", old, "[-1 -2]"},
	} {
		task := Task{Set: set("g:1:1"), Formula: compile(t, row.formula), Baseline: row.baseline}
		if task.Check(results(records...)) != nil && row.baseline.Name != "old" {
			t.Errorf("%s, Y = %s: refused before it is known", row.formula, row.baseline.Name)
		}
		scores, err := task.Score(results(records...))
		got := fmt.Sprint(err)
		if err == nil {
			points := make(map[string]float64)
			for _, s := range scores.Submissions {
				points[s.Bot] = s.Score
			}
			got = fmt.Sprint([]float64{points["a"], points["b"]})
		}
		if !strings.Contains(got, row.want) {
			t.Errorf("%s, Y = %s: found %s, expected %s", row.formula, row.baseline.Name, got, row.want)
		}
	}
}

// Ties share the better rank and stand by failed matches, the fewest first, and by name. What
// does not compile comes last, whatever the formula gives others.
func TestRank(t *testing.T) {
	task := Task{Set: set("g:10:2"), Formula: compile(t, "X / 10")}
	var r []*record.Record
	for bot, x := range map[string]int{"d": 1, "b": 3, "c": 3, "a": 0, "e": 7} {
		r = append(r, solo(bot, "g/1", x, "ok"), solo(bot, "g/2", 10-x, "ok"))
	}
	for _, bot := range []string{"y", "x"} {
		r = append(r, solo(bot, "g/1", 0, "compile"), solo(bot, "g/2", 0, "compile"))
	}
	r = append(r, solo("w", "g/1", -7, "foul"), solo("w", "g/2", 0, "ok"))
	r = append(r, solo("z", "g/1", 10, "ok"), solo("z", "g/2", 5, "ok"), solo("0", "g/1", 0, "crash"), solo("0", "g/2", 0, "ok"), solo("1", "g/1", 0, "ok"), solo("1", "g/2", 0, "ok"))
	scores := scored(t, task, r...)
	var got []string
	for _, s := range scores.Submissions {
		got = append(got, fmt.Sprint(s.Rank, s.Bot))
	}
	// 0.1 + 0.9, 0.3 + 0.7 and 0 + 1 are all 1. Below w's -0.7 there are only x and y, which never ran.
	if want := []string{"1z", "2a", "2b", "2c", "2d", "2e", "71", "70", "9w", "10x", "10y"}; !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, expected %v", got, want)
	}
}

// The order in which matches ended does not show.
func TestOrderDoesNotMatter(t *testing.T) {
	var records []*record.Record
	for _, bot := range []string{"a", "b", "c"} {
		for i := range 20 {
			name := fmt.Sprintf("g/%d", i%5+1)
			r := duel(bot, name, i%2+1, i*i%37, i%3)
			r.ID = fmt.Sprint(bot, i)
			r.Seats[0].WallUS, r.Seats[1].WallUS = int64(i*12345), int64(i*777)
			records = append(records, r)
		}
	}
	task := Task{Set: set("g:7:5"), Formula: compile(t, "P * X / Y + wall / 3 + tie / 7"), Baseline: Best()}
	var first string
	for seed := range uint64(20) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		r := results(records...)
		r.Order()
		scores, err := task.Score(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(scores)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		}
		if string(text) != first {
			t.Fatalf("seed %d: found\n%s\nexpected\n%s", seed, text, first)
		}
	}
}
