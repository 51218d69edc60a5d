package replay

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
)

// view is all that is on the page of a match. Its texts are safe to show: what
// can't be seen is written out.
type view struct {
	Title, Game, CaseName, CaseText string
	ID, Started, Isolation, Umpire  string
	Budget, PerMove, Startup, Clock string // "" where there is none
	Per                             string // what the budget is for
	Error                           string // why it has no result
	People                          bool   // a person played, who has no limit
	Cut                             bool   // a reply is kept in part only, so the outcome is that of the record
	Left                            int    // positions of a batch task that are not shown
	NoErrors                        bool   // standard error is not for this reader
	Undrawn                         int    // steps after which no position is drawn
	Unvalued                        string // why it does not say what replies were worth; "": it was not asked to
	Command                         string // shows what the page leaves out; "" if it leaves out nothing
	Seats                           []seat
	Chart                           chart
	Worth                           worth
	Data                            data

	// For readers without JavaScript, on a page that has one match.
	Last  template.HTML
	Moves []step
}

// Packed is the Data as the page has it.
func (v *view) Packed() (template.HTML, error) { return page.Pack(v.Data) }

// Ended reports whether the match has a result.
func (v *view) Ended() bool { return v.Error == "" }

// Ranked returns the seats as the page names them: two in their order, more of them by
// their places.
func (v *view) Ranked() []seat {
	if len(v.Seats) == 2 || !v.Ended() {
		return v.Seats
	}
	return slices.SortedStableFunc(slices.Values(v.Seats), func(a, b seat) int { return cmp.Compare(a.Place, b.Place) })
}

// outcome says in a line who met, and how it ended.
func (v *view) outcome() string {
	var list []string
	for i, s := range v.Ranked() {
		switch {
		case !v.Ended():
			list = append(list, s.Bot)
		case len(v.Seats) == 2 && i == 1:
			list = append(list, fmt.Sprintf("%v %s", s.Score, s.Bot))
		default:
			list = append(list, fmt.Sprintf("%s %v", s.Bot, s.Score))
		}
	}
	if len(v.Seats) == 2 && v.Ended() {
		return strings.Join(list, " : ")
	}
	return strings.Join(list, ", ")
}

// facts fills in what the record says of the match as a whole.
func (v *view) facts(r record.Record) {
	v.CaseName, v.CaseText = page.SafeLine(r.Case.Name), page.Safe(page.Clip(r.Case.Text, page.MaxText))
	v.ID, v.Started = page.SafeLine(r.Called()), page.SafeLine(r.Started)
	v.Isolation, v.Umpire = page.SafeLine(r.Isolation), page.SafeLine(r.Umpire)
	v.Clock, v.Per = cmp.Or(page.SafeLine(r.Limits.Clock), "wall"), r.Package.TimeIsFor()
	limit := func(us int64) string {
		if us <= 0 {
			return ""
		}
		return report.TimeText(us)
	}
	v.Budget, v.PerMove, v.Startup = limit(r.Limits.TimeUS), limit(r.Limits.MoveUS), limit(r.Limits.StartUS)
}

// seat is a seat as it ended.
type seat struct {
	Number                                    int
	Bot, Verdict, Detail, Stderr, StderrAfter string
	Words                                     string // all that a compiler said, where Detail is a line of it
	Score                                     protocols.Score
	Place, Replies                            int
	First                                     bool // alone in the first place
	Time, Memory                              string
	Charged                                   string // to the budget; "": as Time
	BudgetUS                                  int64  // 0: none
}

func newSeat(number int, s record.Seat, budget int64, judged bool) seat {
	if s.Kind == record.KindHuman {
		budget = 0
	}
	out := seat{
		Number: number, Bot: cmp.Or(page.SafeLine(s.Bot), fmt.Sprintf("seat %d", number)),
		Verdict: page.SafeLine(s.Verdict), Detail: page.Detail(s.Verdict, s.Detail, judged), Stderr: page.Output(s.Stderr), StderrAfter: page.Output(s.StderrAfter),
		Score: s.Score, Place: s.Place, Replies: s.Replies, BudgetUS: budget, Time: report.TimeText(s.WallUS), Memory: "–",
	}
	if s.Detail == protocols.Left {
		out.Verdict, out.Detail = referee.Verdict(s.Verdict).Word(s.Detail), ""
	}
	if s.Verdict == string(protocols.KindCompile) {
		p := page.DetailOf(s.Verdict, s.Detail, judged)
		out.Detail, out.Words = p.Line, p.Words
	}
	if used := max(s.WallUS, s.ChargedUS); s.Verdict == string(protocols.KindTime) && used > 0 {
		out.Time = ">" + report.TimeText(used)
	}
	if charged := report.TimeText(s.ChargedUS); budget > 0 && charged != out.Time && s.Verdict != string(protocols.KindTime) {
		out.Charged = charged
	}
	if s.PeakBytes > 0 {
		out.Memory = fmt.Sprintf("%.1f MiB", float64(s.PeakBytes)/(1<<20))
	}
	return out
}

// data is the input of the page's script.
type data struct {
	Bots    []string `json:"bots"`
	Budgets []int64  `json:"budgets"` // microseconds of each seat; 0: none
	Texts   texts    `json:"texts"`   // of pictures
	Steps   steps    `json:"steps"`
	Viewer  string   `json:"viewer,omitempty"` // its address
}
