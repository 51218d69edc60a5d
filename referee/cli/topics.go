package cli

import (
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"umpire/referee/cli/shell"
	"umpire/referee/pattern"
	"umpire/referee/settings"
)

// guide is a topic of the help: the README of a room, as far as it is for users.
type guide struct {
	name, about string
	room        string   // its folder; "": the text is made from the table of variables
	commands    []string // whose help names the topic
}

var guides = []guide{
	{"bots", "what can be a bot, how sources are compiled, what a bot may read", "referee/program/build", []string{"languages", "test", "match", "new", "bot"}},
	{"testing", "what test says when a match goes wrong, and how to see it again; the terminal", "referee/cli", []string{"test", "log", "match", "reproduce", "completion"}},
	{"tournaments", "formats, the run folder, who takes part, standings and ratings", "referee/tournament", []string{"tournament", "standings", "compare"}},
	{"own-games", "a folder with a manifest and a judge in any language is a game", "referee/external", []string{"games", "test", "match", "serve"}},
	{"packages", "problem packages of Kattis and the ICPC are judged as they are", "referee/external/kattis", []string{"games", "test", "match"}},
	{"polygon", "packages of Polygon are judged as they are", "referee/external/polygon", []string{"games", "test", "match"}},
	{"cms", "Communication tasks of CMS are judged as they are", "referee/external/cms", []string{"games", "test", "match"}},
	{"judges", "a judge without a package: for Kattis, with testlib, for Code Jam", "referee/external/lone", []string{"test", "match"}},
	{"scoring", "formulas, groups of cases, baselines", "referee/scoring", []string{"score", "cases"}},
	{"results", "what is kept of a run, and the ways to look at it", "referee/report", []string{"standings", "report", "replay", "analyse", "compress"}},
	{"json", "the record of a match field by field, verdicts, all JSON outputs", "referee/record", []string{"verify", "replay", "standings"}},
	{"isolation", "what a contestant's program may touch, by level", "referee/sandbox", []string{"doctor", "test", "match", "tournament", "score", "reproduce"}},
	{"time", "budgets, clocks, thinking during the opponent's turn, void matches", "referee/contestant", []string{"test", "match", "tournament", "score"}},
	{"fleets", "one run on many machines", "referee/fleet", []string{"fleet worker", "fleet status", "fleet serve", "tournament", "score"}},
	{"remote-players", "players over the network and people in a browser", "referee/remote", []string{"serve", "remote join", "remote keys", "match", "tournament"}},
	{"ci", "exit codes and reports for CI, with workflows for GitHub, GitLab and Make", "referee/cli/ci", []string{"test", "score", "tournament", "report"}},
	{"environment", "the environment variables", "", []string{"bot", "doctor"}},
}

// forMaintainers begins the part of a README that is not for users.
const forMaintainers = "\n## How it is kept"

// helpTopics returns the topics of the help.
func helpTopics(a *app) (list []shell.Topic) {
	for _, g := range guides {
		list = append(list, shell.Topic{Name: g.name, About: g.about, Commands: g.commands, Text: func() string {
			if g.room == "" {
				return environmentText(runtime.GOOS)
			}
			text, err := fs.ReadFile(a.guides, g.room+"/README.md")
			if err != nil {
				return err.Error() + "\n"
			}
			promised, _, _ := strings.Cut(string(text), forMaintainers)
			return followable(promised, g.room)
		}})
	}
	return list
}

// link is a link of a README, but for one to another site.
var link = pattern.New(`\[([^\]]+)\]\(([^):\s]+)\)`)

// followable returns the README of a room with its links as who has only the binary can
// follow them: to a topic, or to where umpire's sources have the file.
func followable(text, room string) string {
	return link().ReplaceAllStringFunc(text, func(found string) string {
		parts := link().FindStringSubmatch(found)
		file, _, _ := strings.Cut(parts[2], "#")
		target := path.Join(room, file)
		topic := slices.IndexFunc(guides, func(g guide) bool { return path.Join(g.room, "README.md") == target })
		switch {
		case file == "":
			return parts[1]
		case topic >= 0:
			return fmt.Sprintf("%s [`umpire help topic %s`]", parts[1], guides[topic].name)
		}
		return fmt.Sprintf("%s [sources: %s]", parts[1], target)
	})
}

// variable is an environment variable.
type variable struct {
	name, about string
	secret      bool   // its value is not shown
	systems     string // by Go's names, the only ones where it counts; those after ! do not; "": all
}

// configured says which files umpire looks for in the user's configuration folder.
const configured = ", which may hold `umpire/games.yaml`, `umpire/languages.yaml`, `umpire/runs` and `umpire/workers`"

// environment lists the environment variables that umpire reads and those that
// it sets for bots.
var environment = []struct {
	title     string
	variables []variable
}{
	{"Umpire reads", []variable{
		{name: settings.Isolation.Env, about: "the level of isolation where neither --isolation nor the file of --config names one"},
		{"UMPIRE_KEY", "the secret of `umpire remote join`, `umpire fleet worker` and runs with --nats, where --key-file or --token-file names none", true, ""},
		{"UMPIRE_TOKEN", "the organiser's token, of what listens for players and people; a new one where it is not set", true, ""},
		{name: "UMPIRE_CACHE", about: "the folder of compiled bots, passed trials and the last tests, in place of `umpire` in the user's cache folder"},
		{name: "UMPIRE_SEAT", about: "of `umpire bot`: the seat that it takes (default: 1)"},
		{name: "UMPIRE_SEATS", about: "of `umpire bot`: how many seats there are (default: the game's fewest)"},
		{name: "GITHUB_ACTIONS", about: "`true` has failures shown at the bots' lines"},
		{name: "GITHUB_STEP_SUMMARY", about: "there, the file to which the result is added"},
		{name: "GITHUB_WORKSPACE", about: "there, the folder that bots' files are named from"},
		{name: "NO_COLOR", about: "if not empty, no colours, as with --no-color"},
		{name: "TERM", about: "`dumb` is a terminal that shows neither colours nor a line of progress, draws plots in ASCII, and steps through nothing"},
		{name: "DISPLAY", about: "where `umpire open` shows a browser; without it, and `WAYLAND_DISPLAY`, it prints the path alone", systems: "!windows darwin"},
		{name: "WAYLAND_DISPLAY", about: "the same, on Wayland", systems: "!windows darwin"},
		{name: "XDG_CACHE_HOME", about: "the user's cache folder (default: `~/.cache`)", systems: "!windows darwin"},
		{name: "XDG_CONFIG_HOME", about: "the user's folder for configurations" + configured + " (default: `~/.config`)", systems: "!windows darwin"},
		{name: "LocalAppData", about: "the user's cache folder", systems: "windows"},
		{name: "AppData", about: "the user's folder for configurations" + configured, systems: "windows"},
		{name: "HOME", about: "the user's folder: in it `Library/Caches` is the cache folder, and `Library/Application Support` that for configurations" + configured, systems: "darwin"},
		{name: "XDG_STATE_HOME", about: "the user's folder for state, which holds the log of tests, `umpire/tests.jsonl` (default: `~/.local/state`)"},
		{name: "XDG_RUNTIME_DIR", about: "the folder with the user's bus, on which systemd is asked for a scope, to play at strict without root", systems: "linux"},
		{name: "DBUS_SESSION_BUS_ADDRESS", about: "a bus that is asked first", systems: "linux"},
		{name: "PATH", about: "where commands, compilers and interpreters are found"},
	}},
	{"A bot gets", []variable{
		{name: "UMPIRE_GAME", about: "the name of the game"},
		{name: "UMPIRE_SEAT", about: "its seat, from 1"},
		{name: "UMPIRE_SEATS", about: "how many seats the match has"},
		{name: "UMPIRE_TIME_MS", about: "its budget for the whole match in milliseconds; empty: no limit"},
		{name: "TMPDIR", about: "from isolation basic on, a folder for files, empty at first but for the way to its own files, and gone after the match; at none the one that umpire was started with, if any"},
		{name: "SYSTEMROOT", about: "on Windows, the folder of the system's libraries"},
	}},
	{"The judge of a game of one's own gets", []variable{
		{name: "UMPIRE_WANT", about: "what will be looked at, of `svg`, `state` and `value`; it may leave out the rest"},
	}},
	{"Umpire's tests read", []variable{
		{name: "UMPIRE_TEST", about: "how much they try: `thorough` or `release`"},
	}},
}

// countsOn reports whether a variable counts on a system.
func (v variable) countsOn(system string) bool {
	list, but := strings.CutPrefix(v.systems, "!")
	return list == "" || slices.Contains(strings.Fields(list), system) != but
}

// environmentText is the topic about environment variables on a system.
func environmentText(system string) string {
	var b strings.Builder
	b.WriteString("# Environment variables\n")
	for _, part := range environment {
		b.WriteString("\n## " + part.title + "\n\n")
		for _, v := range part.variables {
			if v.countsOn(system) {
				b.WriteString("- `" + v.name + "`: " + v.about + "\n")
			}
		}
	}
	return b.String()
}
