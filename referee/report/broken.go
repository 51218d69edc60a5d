package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"umpire/referee/pattern"
)

// compileForm matches the first line of why a source could not be compiled, and in it
// the language.
var compileForm = pattern.New(`^compile .* \((.+)\): `)

// errorForms match the line to show of a compiler's words: one that names an error,
// or else one that names a line of a file.
var errorForms = []func() *regexp.Regexp{pattern.New(`(?i)error\b`), pattern.New(`:\d+:`)}

// BrokenLine says in one line why a bot could not be compiled or started: of a source
// its language, and the first line of the compiler's words that names an error.
func BrokenLine(why string) string {
	first, rest, _ := strings.Cut(why, "\n")
	language := compileForm().FindStringSubmatch(first)
	if language == nil || rest == "" {
		return first
	}
	words := strings.Split(rest, "\n")
	for _, form := range errorForms {
		if i := slices.IndexFunc(words, form().MatchString); i >= 0 {
			return language[1] + ": " + strings.TrimSpace(words[i])
		}
	}
	return language[1] + ": " + words[0]
}

// brokenNote names the bots that could not be compiled or started, each with the
// compiler's words if verbose, in a paragraph for a page's notes; there is none if
// there are no such bots.
func brokenNote(list []Wrong, verbose bool) []string {
	const what = "Could not be compiled or started (verdict compile, CE):"
	if len(list) == 0 {
		return nil
	}
	if !verbose {
		var names []string
		for _, bot := range list {
			names = append(names, SafeLine(bot.Bot).fit)
		}
		return []string{what + " " + strings.Join(names, ", ") + "; --verbose says why."}
	}
	var b strings.Builder
	b.WriteString(what + "\n")
	for _, bot := range list {
		first, rest, _ := strings.Cut(strings.TrimRight(bot.Why, "\n"), "\n")
		b.WriteString("  " + SafeLine(bot.Bot).fit + ": " + first + "\n")
		if rest != "" {
			b.WriteString(indent("  ", rest))
		}
	}
	return []string{strings.TrimSuffix(b.String(), "\n")}
}

// NotJudged is a bot that the machine could not judge: it lacks a language, say.
type NotJudged struct {
	Bot string `json:"bot"`
	Why string `json:"why"`
}

// NoTotal is a submission with matches without a result, which are Failed.
type NoTotal struct {
	Bot    string      `json:"bot"`
	Failed []NotPlayed `json:"failed"`
}

// noTotalNotes returns a line for each submission that has no total.
func noTotalNotes(list []NoTotal) (lines []string) {
	for _, n := range list {
		lines = append(lines, SafeLine(n.Bot).fit+": "+noTotal+": "+withoutResult(n.Failed))
	}
	return lines
}

const noTotal = "no total, since not all cases have a result"

// withoutResult says how many matches have no result, and through whose fault; "" if there
// are none.
func withoutResult(list []NotPlayed) string {
	faults := make(map[string]int)
	for _, f := range list {
		faults[f.Fault]++
	}
	var words []string
	for _, fault := range slices.Sorted(maps.Keys(faults)) {
		words = append(words, fmt.Sprintf("%s without a result through the fault of %s", Plural(faults[fault], "match"), fault))
	}
	return strings.Join(words, ", ")
}

// notJudgedNotes returns a line for each bot that could not be judged.
func notJudgedNotes(list []NotJudged) (lines []string) {
	for _, n := range list {
		lines = append(lines, SafeLine(n.Bot).fit+": not judged: "+SafeLine(n.Why).fit)
	}
	return lines
}
