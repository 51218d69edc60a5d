package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
)

func (s *session) showTest(list []export, result testResult, scores scoring.Scores) error {
	shown, err := s.export(list, exported{
		Name: "umpire test " + s.game.Name, Table: testCSV(result), Suites: s.withFailed(scoreSuites(scores), result.Failed),
	})
	switch {
	case err != nil || shown:
		return err
	case s.c.Bool("json"):
		return s.json().Encode(result)
	}
	if !s.c.Bool("quiet") {
		if err := s.printTest(result); err != nil {
			return err
		}
		if err := s.printGroups(result, scores); err != nil {
			return err
		}
	}
	return s.printSum(result, scores)
}

// printTest prints what happened case by case, and why where it went wrong.
func (s *session) printTest(result testResult) error {
	against := ""
	if s.game.House != "" && s.game.MaxSeats > 1 {
		against = " against @" + s.game.House
	}
	heading := fmt.Sprintf("%s: %s%s, %s, %s", s.game.Title, report.Safe(result.Bot), against, count(result.Cases, "case"), s.under())
	s.printf("%s\n\n", s.style(dim, heading))
	if err := s.testTable(result); err != nil {
		return err
	}
	s.printf("\n")
	failed, told := 0, make(map[string]bool)
	for _, t := range result.Results {
		if t.Verdict == string(referee.OK) {
			continue
		}
		failed++
		if !told[t.Verdict] { // one of each kind: the others tend to be like it
			told[t.Verdict] = true
			s.printf("%s\n", s.failure(t))
		}
	}
	if more := failed - len(told); more > 0 {
		s.printf("and %d more not ok; one alone: --case NAME\n\n", more)
	}
	return nil
}

// printGroups says what each group gave, where there are several.
func (s *session) printGroups(result testResult, scores scoring.Scores) error {
	if len(scores.Groups) < 2 {
		return nil
	}
	t := report.Table{Header: []string{"group", "score", ""}, Right: []bool{false, true}}
	for i, g := range scores.Groups {
		one := scores.Submissions[0].Groups[i]
		t.Add(report.Safe(g.Name), result.of(one.Score, g.Points, "/"), marks(one.Tally))
	}
	err := t.Write(s.out, func(row, column int, text string) string {
		switch {
		case row < 0:
			return s.style(dim, text)
		case column == 2:
			return s.style(red, text)
		}
		return text
	})
	s.printf("\n")
	return err
}

// printSum prints the one line that is left with --quiet.
func (s *session) printSum(result testResult, scores scoring.Scores) error {
	verdicts := s.style(green, "all ok")
	switch failed := len(result.Results) - result.OK; {
	case len(result.Results) == 0:
		verdicts = "nothing judged"
	case failed > 0:
		verdicts = s.style(red, fmt.Sprintf("%d of %s not ok: %s", failed, count(len(result.Results), "match"), marks(scores.Submissions[0].Tally)))
	}
	if n := len(result.Failed); n > 0 {
		verdicts += s.style(red, fmt.Sprintf(", %s not played by umpire's fault", count(n, "match")))
	}
	_, err := fmt.Fprintf(s.out, "score %s, %s\n", s.style(bold, result.of(result.Score, result.Points, " of ")), verdicts)
	return err
}

// withFailed adds the matches that could not be played to the suite of the bot.
func (s *session) withFailed(suites []report.Suite, failed []notPlayed) []report.Suite {
	for _, f := range failed {
		name := f.Case
		if len(s.game.TestSeats()) > 1 {
			name = fmt.Sprintf("%s seat %d", f.Case, f.Seat)
		}
		suites[0].Checks = append(suites[0].Checks, report.Check{Group: f.Group, Name: name, Error: f.Error})
	}
	return suites
}

// of is a score beside what could be had, where the formula knows that.
func (r testResult) of(score, points float64, between string) string {
	if !r.worth {
		return number(score)
	}
	return number(score) + between + number(points)
}

// number prints a score without digits it does not have.
func number(x float64) string {
	if math.Abs(x) >= 1e15 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	text := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// testTable is a line a match. The points are the case's, and stand in the last
// of its lines.
func (s *session) testTable(result testResult) error {
	seats := s.game.MaxSeats
	several := len(s.game.TestSeats()) > 1
	var t report.Table
	column := func(header string, right bool) {
		t.Header, t.Right = append(t.Header, header), append(t.Right, right)
	}
	column("case", false)
	if several {
		column("seat", true)
	}
	column("verdict", false)
	verdict := len(t.Header) - 1
	if seats > 1 {
		column("result", false)
	}
	for _, header := range []string{"score", "points", "time", "memory"} {
		column(header, true)
	}
	for i, one := range result.Results {
		row := []any{report.Safe(one.Case)}
		if several {
			row = append(row, one.Seat)
		}
		row = append(row, verdictText(one.Verdict))
		if seats > 1 {
			row = append(row, resultText(one.entry))
		}
		points := result.of(one.Score, one.Points, "/")
		if i+1 < len(result.Results) && result.Results[i+1].Case == one.Case {
			points = ""
		}
		t.Add(append(row, one.X, points, millis(time.Duration(one.WallUS)*time.Microsecond), mib(one.Peak))...)
	}
	return t.Write(s.out, func(row, column int, text string) string {
		switch {
		case row < 0:
			return s.style(dim, text)
		case column == verdict && result.Results[row].Verdict == string(referee.OK):
			return s.style(green, text)
		case column == verdict:
			return s.style(red, text)
		}
		return text
	})
}

// verdictText is a verdict with its judges' shorthand.
func verdictText(verdict string) string {
	return strings.TrimSpace(verdict + " " + referee.Verdict(verdict).Short())
}

// resultText says how a match of several seats went for one.
func resultText(e scoring.Entry) string {
	if len(e.Record.Seats) > 2 {
		return fmt.Sprintf("place %d", e.Record.Seats[e.Seat-1].Place)
	}
	switch won, tied := scoring.Result(e); {
	case won:
		return "win"
	case tied:
		return "tie"
	}
	return "loss"
}

// testCSV is the table for programs.
func testCSV(result testResult) report.Table {
	t := report.Table{
		Header: []string{"case", "group", "seat", "verdict", "x", "place", "score", "points", "wall_us", "cpu_us", "peak_bytes"},
		Right:  []bool{false, false, true, false, true, true, true, true, true, true, true},
	}
	for _, r := range result.Results {
		t.Add(r.Case, r.Group, r.Seat, r.Verdict, r.X, r.Place, exact(r.Score), exact(r.Points), r.WallUS, r.CPUUS, r.Peak)
	}
	return t
}

// failure tells a contestant why a match was not ok, and how to play just that
// case again.
func (s *session) failure(t tested) string {
	r := *t.entry.Record
	var b strings.Builder
	seat := ""
	if len(s.game.TestSeats()) > 1 {
		seat = fmt.Sprintf(", seat %d", t.Seat)
	}
	fmt.Fprintf(&b, "%s%s: %s: %s\n", s.style(bold, t.Case), seat, s.style(red, t.Verdict), report.Safe(t.Detail))
	if lines := lastExchange(r, s.games, t.Seat, 6); len(lines) > 0 {
		fmt.Fprintf(&b, "  last lines (→ to the bot, ← from it):\n%s", indent(strings.Join(lines, "\n")))
	}
	if stderr := r.Seats[t.Seat-1].Stderr; strings.TrimSpace(stderr) != "" {
		fmt.Fprintf(&b, "  its standard error ends:\n%s", indent(lastLines(stderr, 8)))
		if hint := isolationHint(r.Isolation, stderr); hint != "" {
			b.WriteString("  " + hint)
		}
	}
	fmt.Fprintf(&b, "  play it again: %s\n", report.Safe(s.playAgain("test", t.Case)))
	if s.results != "" {
		fmt.Fprintf(&b, "  send it the same again: %s\n", report.Safe(s.reproduce(t.ID)))
	}
	return b.String()
}

// lastExchange are the last lines that went to and from a seat, from its
// record.
func lastExchange(r record.Record, games []protocols.Game, seat, n int) []string {
	var lines []string
	add := func(arrow, text string) {
		for part := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			lines = append(lines, arrow+" "+report.Safe(shorten(part)))
		}
	}
	_, err := r.Again(games, referee.Watcher{
		Sent: func(to int, text string) {
			if to == seat {
				add("→", text)
			}
		},
		Event: func(e referee.Event, _ *protocols.Foul, _ protocols.Match) {
			if e.Seat != seat {
				return
			}
			if e.Fail != nil {
				add("←", "("+string(e.Fail.Kind)+")")
			} else {
				add("←", e.Reply)
			}
		},
	})
	if err != nil {
		return nil
	}
	return lines[max(0, len(lines)-n):]
}
