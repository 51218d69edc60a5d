package cli

import (
	"fmt"
	"strings"
)

// habit is a command line in place of a word that users know from other programs,
// and what it does.
type habit struct{ line, about string }

// habits are the words that are no commands, with what to type instead.
var habits = map[string][]habit{
	"run":     playing,
	"play":    playing,
	"list":    listing,
	"ls":      listing,
	"init":    {{"new GAME DIR --lang py", "a bot to begin with"}},
	"publish": {{"report DIR... -o site", "a site of a run, to be copied to any web server"}},
	"resume":  {{"tournament --resume", "the matches that the newest tournament lacks"}, {"score GAME BOT... --from DIR", "the matches that a scoring lacks"}, {"test GAME BOT --resume", "the cases that an interrupted test lacks"}},
	"clean":   {{"cache --clean", "remove what is kept for later"}},
	"show":    {{"replay", "the newest matches, step by step"}, {"games GAME", "the rules of a game"}},
	"watch":   {{"test GAME BOT --watch", "a test whenever the bot changes"}},
	"debug":   failing,
	"explain": failing,
	"bench":   {{"test GAME BOT -n 100", "scores and times on 100 generated cases"}, {"tournament GAME BOT...", "how strong bots are"}},
}

var (
	playing = []habit{
		{"test GAME BOT", "a bot on the game's cases"}, {"match GAME BOT...", "one match, move by move"},
		{"tournament GAME BOT...", "everyone against everyone"},
	}
	failing = []habit{
		{"test GAME BOT --case NAME --verbose", "every line exchanged in a case"},
		{"reproduce", "the first failed match of the last test, sent to the bot again"},
	}
	listing = []habit{{"games", "the games, their cases and bots"}, {"replay --list", "the matches of the newest run or test"}}
)

// habitLines lists what to type; the arguments, if there are some, stand where bots
// are expected.
func habitLines(list []habit, args []string) string {
	var lines []string
	width := 0
	for _, h := range list {
		line := "umpire " + h.line
		if command, ok := strings.CutSuffix(h.line, " GAME BOT..."); ok && len(args) > 0 {
			line = runAgain(command, args...).String()
		} else if command, ok := strings.CutSuffix(h.line, " GAME BOT"); ok && len(args) == 2 {
			line = runAgain(command, args...).String()
		}
		lines = append(lines, line)
		width = max(width, len(line))
	}
	for i, h := range list {
		lines[i] = fmt.Sprintf("  %-*s  %s", width, lines[i], h.about)
	}
	return strings.Join(lines, "\n")
}
