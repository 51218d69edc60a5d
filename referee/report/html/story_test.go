package html

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"umpire/referee/report"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/scoring"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

func rating(value, half float64) *strength.Rating {
	return &strength.Rating{Value: value, Low: new(value - half), High: new(value + half)}
}

// TestFirstThree: where more share a place than three have room for, one stands for all.
func TestFirstThree(t *testing.T) {
	for _, test := range []struct {
		ranks []int
		want  string
	}{
		{nil, ""},
		{[]int{1}, "1 a ."},
		{[]int{1, 2, 3, 4}, "1 a ., 2 b ., 3 c ."},
		{[]int{1, 1, 3, 4}, "1 a ., 1 b ., 3 c ."},
		{[]int{1, 1, 1}, "1 a ., 1 b ., 1 c ."},
		{[]int{1, 1, 1, 1, 5}, "1 a and 3 more share the first place"},
		{[]int{1, 2, 2, 2}, "1 a ., 2 b and 2 more share the second place"},
		{[]int{1, 1, 3, 3, 5}, "1 a ., 1 b ., 3 c and 1 more share the third place"},
	} {
		var got []string
		for _, one := range firstThree(len(test.ranks), func(i int) honoured {
			return honoured{Rank: fmt.Sprint(test.ranks[i]), Name: string(rune('a' + i)), Result: "."}
		}) {
			got = append(got, one.Rank+" "+one.Name+" "+one.Result)
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%v: found %q, expected %q", test.ranks, got, test.want)
		}
	}
}

// The first page says who is first, how far the run has come, which match was closest and
// how many failed, each before the tables.
func TestStory(t *testing.T) {
	g := pagetest.Game(t, "ioiwari")
	records := tournament(t, g, 3, "alice", "<i>bob", "crash!")
	site := writeSite(t, g, records, func(s *Site) {
		s.View = func(t *standings.Tally) report.Standings {
			of := t.Standings(nil)
			for i, r := range []*strength.Rating{rating(1760, 520), rating(1740, 100), nil} {
				of.Rows[i].Rating, of.Rows[i].Certainty = r, nil
			}
			return report.Standings{Game: g, Of: &of, Total: 24, Missing: 6}
		}
	})
	index := read(t, site, "index.html")
	found, _, _ := strings.Cut(index[strings.Index(index, `<section class="story">`):], "</section>")
	closest, at := math.Inf(1), ""
	for i, r := range records {
		margin := math.Abs(r.Seats[0].Score.Minus(r.Seats[1].Score).Float())
		if r.Seats[0].Verdict == "ok" && r.Seats[1].Verdict == "ok" && margin > 0 && margin < closest {
			closest, at = margin, fmt.Sprintf(`Closest win: <a href="replays/1.html?%d">`, i)
		}
	}
	for _, want := range []string{
		"Result so far", "18 of 24 matches played, 75 %", `<progress max="24" value="18"`, at, `<a href="matches.html#verdict=failed">crash×12</a>`,
		`<li><span class="place">1</span> <a href="bots/1.html">`, "0 won, 0 drawn, 12 lost", "&lt;i&gt;bob",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("found no %q in %s", want, found)
		}
	}
	b := browsertest.New(t)
	b.Open(filepath.Join(site, "index.html"), "")
	const lost = `[...document.querySelector('.sorts').tBodies[0].rows].map((row) => row.cells[5].textContent).join(' ')`
	down := browsertest.Eval[string](b, lost)
	for _, want := range []string{"12 ", down} {
		b.Run(chromedp.Evaluate(`document.querySelector('.sorts').querySelectorAll('th button')[5].click()`, nil))
		if got := browsertest.Eval[string](b, lost); !strings.HasPrefix(got, want) {
			t.Errorf("sorted by matches lost: found %q, expected %q first", got, want)
		}
	}
	// By Elo the estimates count, also where the interval stands alone; who has none comes last.
	const elo = `(() => {
		const table = document.querySelector('.sorts'), at = [...table.tHead.rows[0].cells].findIndex((head) => head.textContent === 'Elo');
		table.querySelectorAll('th button')[at].click();
		return [...table.tBodies[0].rows].map((row) => row.cells[at].textContent).join(', ');
	})()`
	for _, want := range []string{"1240–2280, 1740 ±100, -", "1740 ±100, 1240–2280, -"} {
		if got := browsertest.Eval[string](b, elo); got != want {
			t.Errorf("sorted by Elo: found %q, expected %q", got, want)
		}
	}
	// Names with numbers are names, in the order of these; ranks are numbers, first the highest.
	for _, test := range []struct{ texts, want string }{
		{"6/01,10/02,1/01", "1/01,6/01,10/02"},
		{"2nd to 3rd,1st to 5th,10th to 12th", "10th to 12th,2nd to 3rd,1st to 5th"},
		{"5 wrong,<0.1 %,31", "31,5 wrong,<0.1 %"},
	} {
		got := browsertest.Eval[string](b, fmt.Sprintf(`(() => {
			const texts = %q.split(','), table = document.querySelector('.sorts'), rows = () => [...table.tBodies[0].rows];
			rows().forEach((row, i) => { row.cells[5].textContent = texts[i]; });
			for (const head of table.tHead.rows[0].cells) head.removeAttribute('aria-sort');
			table.querySelectorAll('th button')[5].click();
			return rows().map((row) => row.cells[5].textContent).join(',');
		})()`, test.texts))
		if got != test.want {
			t.Errorf("%s are sorted as %s, expected %s", test.texts, got, test.want)
		}
	}
	b.Accessible("sorted")
	b.Check("sorted")
	if strings.Contains(index, "still to be played") {
		t.Error("the page says twice how far the run has come")
	}
	nobody := standings.Standings{Rows: []standings.Row{{Bot: "a", Rank: 1, Tied: true}, {Bot: "b", Rank: 1, Tied: true}}}
	if found := newStory(collect.New(report.Standings{Game: g, Of: &nobody}, nil), scoring.Scores{}, false); found != nil {
		t.Errorf("where no match has a result the story is %+v", found)
	}
}
