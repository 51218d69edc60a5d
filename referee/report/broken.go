package report

import "strings"

// brokenBot is a bot that could not be compiled or started.
type brokenBot struct{ name, why string }

// brokenLines is how many lines are shown of a compiler's words.
const brokenLines = 12

// brokenBots lists the bots that could not be compiled or started, if there are
// any, each with the compiler's words.
func (p *Printer) brokenBots(list []brokenBot) {
	if len(list) == 0 {
		return
	}
	p.Printf("\n%s\n", p.Style(Bold, "Could not be compiled or started (verdict compile, CE)"))
	for _, b := range list {
		first, rest, _ := strings.Cut(strings.TrimRight(b.why, "\n"), "\n")
		p.Printf("  %s: %s\n", SafeLine(b.name), first)
		if rest != "" {
			p.Printf("%s", indent("  ", strings.Join(abridge(strings.Split(rest, "\n"), brokenLines, false), "\n")))
		}
	}
}
