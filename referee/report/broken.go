package report

import "strings"

// brokenBot is a bot that could not be compiled or started.
type brokenBot struct{ name, why string }

// brokenLines is how many lines are shown of a compiler's words.
const brokenLines = 12

// brokenNote lists the bots that could not be compiled or started, each with the
// compiler's words, in a paragraph for a page's notes; there is none if there
// are no such bots.
func brokenNote(list []brokenBot) []string {
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("Could not be compiled or started (verdict compile, CE):\n")
	for _, bot := range list {
		first, rest, _ := strings.Cut(strings.TrimRight(bot.why, "\n"), "\n")
		b.WriteString("  " + SafeLine(bot.name).fit + ": " + first + "\n")
		if rest != "" {
			b.WriteString(indent("  ", strings.Join(abridge(strings.Split(rest, "\n"), brokenLines, false), "\n")))
		}
	}
	return []string{strings.TrimSuffix(b.String(), "\n")}
}
