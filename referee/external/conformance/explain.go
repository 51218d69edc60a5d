package conformance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/report"
	"umpire/referee/talk"
)

// explain makes a Finding of what a judge did wrong in a match. Any other error is
// returned as it is.
func (t *table) explain(err error, p played) error {
	if refused, ok := errors.AsType[*referee.RefusedError](err); ok {
		wrong := wrongf("mend the case, or what the judge expects of one", "%s: %v", t.suite.caseFile(p.setup), refused)
		if refused.Line > 0 {
			wrong.What = fmt.Sprintf("%s:%d: the judge refuses it: %s", t.suite.caseFile(p.setup), refused.Line, refused.Why)
		}
		return wrong
	}
	judge, ok := errors.AsType[*talk.Error](err)
	if !ok {
		return err
	}
	wrong := wrongf(instead(judge, p), "%v", judge)
	wrong.judge = true
	wrong.Where = append(t.suite.where(p), before(judge, p.talk)...)
	return wrong
}

// caseFile names a case, by its file if it has one.
func (s *Suite) caseFile(u setup) string {
	file := filepath.Join(s.Folder.Dir, "cases", u.Name+".txt")
	if _, err := os.Stat(file); err != nil {
		return "case " + u.Name
	}
	return file
}

// mostInput is the length in bytes up to which the input of a judge is shown.
const mostInput = 400

// where says which match it was, and what was replied, as judges are told.
func (s *Suite) where(p played) []string {
	f := s.fixture(p.setup)
	list := []string{fmt.Sprintf("case %s, %s, seed %d, %s", p.Name, report.Plural(p.seats, "seat"), f.MatchSeed(), report.Plural(len(p.events), "reply"))}
	c := talk.NewCase(s.Folder.Facts, p.String(), protocols.Limits{})
	input := []string{c.Lines(p.seats, f.MatchSeed())}
	for _, e := range p.events {
		if e.Fail != nil {
			input = append(input, fmt.Sprintf("fail %d %s", e.Seat, e.Fail.Kind))
		} else {
			input = append(input, fmt.Sprintf("reply %d %s", e.Seat, e.Reply))
		}
	}
	text := strings.Join(input, "\n")
	if len(text) <= mostInput && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == '\'' || r == '\ufffd' }) {
		list = append(list, "the match and its replies:")
		for line := range strings.SplitSeq(text, "\n") {
			list = append(list, "  "+line)
		}
	}
	return list
}

// before shows the lines of a talk up to the one that is wrong, with their numbers.
func before(e *talk.Error, said string) (list []string) {
	lines := strings.Split(said, "\n")
	if said == "" {
		lines = nil
	}
	from := max(0, len(lines)-4)
	if len(lines) > 0 || e.Line > 0 {
		list = append(list, "what it said:")
	}
	for i, line := range lines[from:] {
		list = append(list, fmt.Sprintf("  %4d  %s", from+i+1, short(line)))
	}
	if e.Line > 0 {
		list = append(list, fmt.Sprintf("> %4d  %s", e.Line, short(e.Text)))
	}
	return list
}

// short cuts a line. Whoever prints it makes it safe.
func short(line string) string {
	const most = 100
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}

// usage says how each line of a judge is written.
var usage = map[string]string{
	"say":      "`say SEAT TEXT`, or `say all TEXT`",
	"choice":   "`choice SEAT REPLY`, with a label after a tab if there is one, only for seats that the next `ask` names, and each reply once",
	"ask":      "`ask SEAT…`, ascending, each seat once, none that has failed or fouled",
	"foul":     "`foul SEAT WHY`, once, of a seat that has just replied",
	"value":    "`value SEAT NUMBER exact REPLY`, or estimate in place of exact, the same for all replies of a seat",
	"state":    "`state JSON`, a JSON object on one line",
	"state-to": "`state-to SEAT JSON`, a JSON object on one line",
	"show-to":  "`show-to SEAT TEXT`",
	"svg-to":   "`svg-to SEAT SVG`",
	"place":    "`place P…`, one place a seat, 1 for the best, directly before `end`; two seats that share place 1 leave no place 2",
	"refuse":   "`refuse LINE WHY`, as the first line of a match and no later",
}

// instead says what a judge should write where it has erred.
func instead(e *talk.Error, p played) string {
	end := "`end" + strings.Repeat(" SCORE", p.seats) + "`"
	if e.Line > 0 {
		verb, _, _ := strings.Cut(e.Text, " ")
		switch text := usage[verb]; {
		case verb == "end":
			return end + ", one number a seat with at most 6 decimals, higher is better"
		case text != "":
			return text
		}
		return "on its standard output a judge says lines of the talk alone, in lower case, each beginning with a verb; print other things to standard error"
	}
	switch what := e.Expected.Error(); {
	case strings.Contains(what, "flushed"):
		return "flush standard output after each `ask` and `end` (in Python: print(…, flush=True)); and read only what is due: the `match` line, its LINES lines of the case, then one line for each seat asked"
	case strings.Contains(what, "without `end`") && strings.Contains(what, "standard error ends") && len(p.events) == 0:
		return "mend what its standard error names"
	case strings.Contains(what, "without `end`") && strings.Contains(what, "standard error ends"):
		return "mend what its standard error names; unless the judge says choices, a reply may be any text: answer one that makes no sense by `foul SEAT WHY`"
	case strings.Contains(what, "without `end`"):
		return "say " + end + " before leaving, also after a reply that makes no sense: say `foul SEAT WHY` of it, or name all legal replies by `choice` before `ask`"
	case strings.Contains(what, "no whole step"):
		return "a step ends with `ask` or `end`; look for a loop without end, or allow more by `judge-time:`"
	case strings.Contains(what, "without a line end"):
		return "a line has at most 64 KiB; say several `show` lines, or a smaller picture"
	case strings.Contains(what, "it said more than"):
		return "a match has at most 4 MiB of lines; say less, or end the match sooner"
	}
	return ""
}
