package html

import (
	"fmt"
	"math"

	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
)

// story is what the first page says before its tables: who is first and how sure that is,
// how much is played, which matches to look at, and how many failed.
type story struct {
	Title    string
	Podium   []honoured
	Ahead    *ahead    // nil: that is not known
	Progress *progress // nil: all is played
	Closest  *told
	Upset    *told
	Failures string // by verdict; "": none
}

// honoured is one of the first three.
type honoured struct{ Rank, Name, Link, Result string }

// ahead says how probably the first is stronger than the second.
type ahead struct{ First, Second, Sure string }

// progress is how far a run has come.
type progress struct {
	Played, Total int
	Words         string
}

// told is a match worth looking at.
type told struct {
	Winner, Loser, Result, Link string
	by                          float64
}

// newStory tells the story of all matches; nil if there is none to tell.
func (s *Site) newStory(c *collector, scores scoring.Scores, scored bool) *story {
	t := &story{Title: "Result", Closest: c.closest, Upset: c.upset, Podium: s.podium()}
	if scored {
		t.Podium = s.scorePodium(scores)
	}
	first, second, sure, ok := s.view.FirstAhead()
	if ok && (!scored || len(t.Podium) > 1 && t.Podium[0].Name == page.SafeLine(first) && t.Podium[1].Name == page.SafeLine(second)) {
		t.Ahead = &ahead{page.SafeLine(first), page.SafeLine(second), sure}
	}
	if total := s.view.Total; s.view.Missing > 0 {
		played := total - s.view.Missing
		t.Title = "Result so far"
		t.Progress = &progress{played, total, fmt.Sprintf("%d of %s played, %d %%", played, report.Plural(total, "match"), 100*played/total)}
	}
	failed := make(map[string]int)
	for _, row := range s.table.Rows {
		for verdict, n := range row.Failures {
			failed[verdict] += n
		}
	}
	t.Failures = report.Marks(failed)
	if len(t.Podium) < 2 && t.Progress == nil && t.Failures == "" {
		return nil
	}
	return t
}

// podium is the first three of the standings.
func (s *Site) podium() (list []honoured) {
	rows := s.table.Ranked()
	for i, row := range rows[:min(3, len(rows))] {
		result := fmt.Sprintf("%d won, %d drawn, %d lost", row.Won, row.Drawn, row.Lost)
		if s.Game.MaxSeats == 1 {
			result = fmt.Sprintf("%v points", row.Points)
		}
		list = append(list, honoured{report.RankLabel(rows, i), page.SafeLine(row.Bot), botLink(i), result})
	}
	return list
}

// scorePodium is the first three submissions of a scoring.
func (s *Site) scorePodium(scores scoring.Scores) (list []honoured) {
	index := s.rows()
	for _, one := range scores.Submissions[:min(3, len(scores.Submissions))] {
		c := s.botCell(index, one)
		list = append(list, honoured{fmt.Sprint(one.Rank), c.Text, c.Link, points(one.Score)})
	}
	return list
}

// tell notes a match that was closer, or a greater upset, than all before it. Matches with
// a failure or without a sole winner are neither.
func (c *collector) tell(b *record.Summary, rows []int, link string) {
	winner, second := -1, -1
	for i, s := range b.Seats {
		switch {
		case s.Verdict != "ok" || rows[i] < 0:
			return
		case s.Place == 1 && winner >= 0:
			return
		case s.Place == 1:
			winner = i
		case second < 0 || s.Place < b.Seats[second].Place:
			second = i
		}
	}
	if winner < 0 || second < 0 || rows[winner] == rows[second] {
		return
	}
	first, other := &c.site.table.Rows[rows[winner]], &c.site.table.Rows[rows[second]]
	match := func(by float64) *told {
		result := fmt.Sprintf("%v : %v", b.Seats[winner].Score, b.Seats[second].Score)
		return &told{page.SafeLine(first.Bot), page.SafeLine(other.Bot), result, link, by}
	}
	margin := math.Abs(b.Seats[winner].Score.Minus(b.Seats[second].Score).Float())
	if margin > 0 && (c.closest == nil || margin < c.closest.by) {
		c.closest = match(margin)
	}
	if first.Rating == nil || other.Rating == nil {
		return
	}
	if gap := other.Rating.Value - first.Rating.Value; gap > 0 && (c.upset == nil || gap > c.upset.by) {
		c.upset = match(gap)
	}
}
