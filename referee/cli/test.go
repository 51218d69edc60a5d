package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/contestant/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/scoring"
	"umpire/referee/tournament"
)

func (a *app) testCommand() *cli.Command {
	return &cli.Command{
		Name: "test", Usage: "play the game's standard cases and say, case by case, what happened and what it scored",
		ArgsUsage: "GAME BOT",
		Flags:     flags(caseFlags(), limitFlags(), runFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			s, err := a.open(c)
			if err != nil {
				return err
			}
			if len(s.bots) != 1 {
				return usagef("found %d bots, expected one: `umpire test GAME BOT`", len(s.bots))
			}
			return s.test()
		},
	}
}

// tested is one match of a test: a case with the bot in one seat.
type tested struct {
	Case    string  `json:"case"`
	Group   string  `json:"group"`
	ID      string  `json:"id"`
	Seat    int     `json:"seat"`
	Verdict string  `json:"verdict"`
	Detail  string  `json:"detail"`
	X       int     `json:"x"`
	Place   int     `json:"place"`
	Score   float64 `json:"score"`  // of the case, by the formula
	Points  float64 `json:"points"` // what the case is worth
	WallUS  int64   `json:"wall_us"`
	CPUUS   int64   `json:"cpu_us"`
	Peak    int64   `json:"peak_bytes"`
}

// testResult is what `test --json` prints.
type testResult struct {
	Game      string   `json:"game"`
	Bot       string   `json:"bot"`
	Isolation string   `json:"isolation"`
	Formula   string   `json:"formula"`
	Cases     int      `json:"cases"`
	OK        int      `json:"ok"` // matches with verdict ok
	Score     float64  `json:"score"`
	Points    float64  `json:"points"`
	Results   []tested `json:"results"`
}

func (s *session) test() error {
	formula, err := scoring.Compile(s.game.Formula)
	if err != nil {
		return err
	}
	var fixtures []tournament.Fixture
	for _, c := range s.set.Cases {
		for _, seat := range s.game.TestSeats() {
			fixtures = append(fixtures, s.fixture(c, s.bots[0], seat))
		}
	}
	p := s.progress("test", len(fixtures))
	records, err := s.play(s.c.Context, fixtures, p.done)
	p.end()
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Error != "" {
			return fmt.Errorf("play case %s: %s", r.Case.Name, r.Error)
		}
	}
	result, err := s.judge(formula, records)
	if err != nil {
		return err
	}
	if result.OK < len(result.Results) {
		s.results = s.keep(records)
	}
	if s.c.Bool("json") {
		err = json.NewEncoder(s.out).Encode(result)
	} else {
		err = s.printTest(result, records)
	}
	if err == nil && result.OK < len(result.Results) {
		err = errNo
	}
	return err
}

// judge makes the result of a test of its records, which come case by case.
func (s *session) judge(formula scoring.Formula, records []record.Record) (testResult, error) {
	seats := s.game.TestSeats()
	result := testResult{
		Game: s.game.Name, Bot: s.bots[0].Name, Isolation: string(s.runner.Launcher.Level()),
		Formula: formula.String(), Cases: len(s.set.Cases),
	}
	for i, c := range s.set.Cases {
		mine := records[i*len(seats) : (i+1)*len(seats)]
		var entries []scoring.Entry
		for j := range mine {
			entries = append(entries, scoring.Entry{Record: &mine[j], Seat: seats[j]})
		}
		score, err := formula.Eval(scoring.Gather(entries, c.Points, baselineOf(c)))
		if err != nil {
			return result, fmt.Errorf("case %s: %w", c.Name, err)
		}
		result.Score += score
		result.Points += c.Points
		for j, r := range mine {
			seat := r.Seats[seats[j]-1]
			if seat.Verdict == string(referee.OK) {
				result.OK++
			}
			result.Results = append(result.Results, tested{
				Case: c.Name, Group: c.Group, ID: r.ID, Seat: seats[j], Verdict: seat.Verdict, Detail: seat.Detail,
				X: seat.Score, Place: seat.Place, Score: score, Points: c.Points,
				WallUS: seat.WallUS, CPUUS: seat.CPUUS, Peak: seat.PeakBytes,
			})
		}
	}
	return result, nil
}

// baselineOf is a case's Y where nobody names another.
func baselineOf(c cases.Case) float64 {
	if c.Baseline == 0 {
		return 1
	}
	return c.Baseline
}

func (s *session) printTest(result testResult, records []record.Record) error {
	against := ""
	if s.game.House != "" {
		against = " against @" + s.game.House
	}
	if !s.c.Bool("quiet") {
		s.printf("%s: %s%s, %d cases, isolation %s\n\n", s.game.Title, report.Safe(result.Bot), against, result.Cases, result.Isolation)
		if err := s.testTable(result); err != nil {
			return err
		}
		s.printf("\n")
	}
	failed := 0
	for i, t := range result.Results {
		if t.Verdict == string(referee.OK) {
			continue
		}
		if failed++; failed <= 5 && !s.c.Bool("quiet") {
			s.printf("%s\n", s.failure(records[i], t))
		}
	}
	if failed > 5 && !s.c.Bool("quiet") {
		s.printf("and %d more like these\n\n", failed-5)
	}
	verdicts := s.style(green, "all ok")
	if failed > 0 {
		verdicts = s.style(red, fmt.Sprintf("%d of %d matches not ok", failed, len(result.Results)))
	}
	_, err := fmt.Fprintf(s.out, "score %s of %s, %s\n", s.style(bold, number(result.Score)), number(result.Points), verdicts)
	return err
}

// number prints a score without digits it does not have.
func number(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

func (s *session) testTable(result testResult) error {
	several := len(s.game.TestSeats()) > 1
	t := report.Table{
		Header: []string{"case", "verdict", "score", "place", "points", "time", "memory"},
		Right:  []bool{false, false, true, true, true, true, true},
	}
	if several {
		t.Header = slices.Insert(t.Header, 1, "seat")
		t.Right = slices.Insert(t.Right, 1, true)
	}
	for i, one := range result.Results {
		points := fmt.Sprintf("%s/%s", number(one.Score), number(one.Points))
		if i+1 < len(result.Results) && result.Results[i+1].Case == one.Case {
			points = "" // they are the case's, and stand in its last row
		}
		row := []any{one.Case, one.Verdict, one.X, one.Place, points, millis(time.Duration(one.WallUS) * time.Microsecond), mib(one.Peak)}
		if several {
			row = slices.Insert(row, 1, any(one.Seat))
		}
		t.Add(row...)
	}
	verdict := slices.Index(t.Header, "verdict")
	return t.Write(s.out, func(row, column int, text string) string {
		if row >= 0 && column == verdict {
			return s.verdictStyle(text)
		}
		return text
	})
}

// failure tells a contestant why a match was not ok, and how to play just that
// case again.
func (s *session) failure(r record.Record, t tested) string {
	var b strings.Builder
	seat := ""
	if len(s.game.TestSeats()) > 1 {
		seat = fmt.Sprintf(", seat %d", t.Seat)
	}
	fmt.Fprintf(&b, "%s %s%s: %s\n", s.style(bold, t.Case), s.style(red, t.Verdict), seat, report.Safe(t.Detail))
	if lines := lastExchange(r, s.games, t.Seat, 6); len(lines) > 0 {
		fmt.Fprintf(&b, "  last lines (→ to the bot, ← from it):\n%s", indent(strings.Join(lines, "\n")))
	}
	if stderr := r.Seats[t.Seat-1].Stderr; strings.TrimSpace(stderr) != "" {
		fmt.Fprintf(&b, "  its standard error ends:\n%s", indent(lastLines(stderr, 8)))
	}
	fmt.Fprintf(&b, "  play it again: %s\n", s.again("test", t.Case))
	if s.results != "" {
		fmt.Fprintf(&b, "  send it the same again: %s\n", s.reproduce(t.ID))
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

// again is the command that plays one case of this run again.
func (s *session) again(command, name string) string {
	words := []string{"umpire", command, s.game.Name}
	for _, b := range s.bots {
		words = append(words, quote(b.Label))
	}
	words = append(words, "--case", quote(name))
	for _, f := range []string{"cases", "time", "time-per-move", "startup", "clock", "memory", "isolation", "pondering", "languages"} {
		if s.c.IsSet(f) {
			words = append(words, "--"+f, quote(s.c.String(f)))
		}
	}
	return strings.Join(words, " ")
}

// keep gives the file in which the records are: the results file with -o, or
// one in the user's cache folder that holds those of the last test. It is "",
// and no more is said, if there is no such folder.
func (s *session) keep(records []record.Record) string {
	if dir := s.c.String("o"); dir != "" {
		return filepath.Join(dir, resultsFile)
	}
	dir, err := build.CacheDir()
	if err != nil {
		return ""
	}
	path := filepath.Join(dir, "last-test.jsonl")
	if err := record.Replace(path, records); err != nil {
		s.note("umpire: keep the records: %v\n", err)
		return ""
	}
	return path
}

// reproduce is the command that feeds the bot what it was sent in a match.
func (s *session) reproduce(id string) string {
	words := []string{"umpire", "reproduce", quote(s.results), "--id", id, quote(s.bots[0].Label)}
	for _, f := range []string{"isolation", "languages"} {
		if s.c.IsSet(f) {
			words = append(words, "--"+f, quote(s.c.String(f)))
		}
	}
	return strings.Join(words, " ")
}

// quote quotes a word for a shell, if it needs that.
func quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-#") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
