package report

import "strings"

// brokenBot is a bot that could not be compiled or started.
type brokenBot struct{ name, why string }

// brokenNote names the bots that could not be compiled or started, each with the
// compiler's words if verbose, in a paragraph for a page's notes; there is none if
// there are no such bots.
func brokenNote(list []brokenBot, verbose bool) []string {
	const what = "Could not be compiled or started (verdict compile, CE):"
	if len(list) == 0 {
		return nil
	}
	if !verbose {
		var names []string
		for _, bot := range list {
			names = append(names, SafeLine(bot.name).fit)
		}
		return []string{what + " " + strings.Join(names, ", ") + "; --verbose says why."}
	}
	var b strings.Builder
	b.WriteString(what + "\n")
	for _, bot := range list {
		first, rest, _ := strings.Cut(strings.TrimRight(bot.why, "\n"), "\n")
		b.WriteString("  " + SafeLine(bot.name).fit + ": " + first + "\n")
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

// notJudgedNotes returns a line for each bot that could not be judged.
func notJudgedNotes(list []NotJudged) (lines []string) {
	for _, n := range list {
		lines = append(lines, SafeLine(n.Bot).fit+": not judged: "+SafeLine(n.Why).fit)
	}
	return lines
}
