package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
)

// flagGroup is a heading of flags in help.
type flagGroup struct {
	title string
	names []string // names of the flags
}

// flagGroups are the headings of flags that several commands share, in order.
// Before them come a command's own flags.
var flagGroups = []flagGroup{
	{"What to play", []string{"case", "cases", "group", "n", "seed", "all", "config", "schema", "format", "cases-per-pair", "seats", "rounds", "challengers", "resume"}},
	{"Limits", []string{"time", "time-per-move", "startup", "clock", "memory", "isolation", "pondering"}},
	{"Machine", []string{"jobs", "affinity", "languages"}},
	{"Players from outside", []string{"join", "grace", "idle", "listen", "url", "players", "tls-cert", "tls-key", "insecure", "private"}},
	{"Workers on other machines", []string{"nats", "token-file", "recheck", "name", "no-pause", "tls-ca"}},
	{"Output", []string{"o", "append", "json", "export", "html", "quiet", "verbose", "pairs", "no-times", "no-crosstable", "no-color"}},
}

// examples are command lines, by command; "" is umpire itself. GAME and
// OPPONENT stand for a game and a bot that comes with it.
var examples = map[string][]string{
	"": {
		"umpire games",
		"umpire new GAME alice --lang py",
		"umpire test GAME alice/starter.py",
	},
	"games": {"umpire games", "umpire games GAME"},
	"test": {
		"umpire test GAME alice.py",
		"umpire test GAME alice.py --case official/01 --verbose",
		"umpire test GAME 'python3 -O alice.py' --time 5s --export junit=test.xml",
	},
	"match": {
		"umpire match GAME alice.py",
		"umpire match GAME alice.py bob=./bob --case official/02 --html match.html",
		"umpire match GAME human @OPPONENT",
	},
	"score": {
		"umpire score GAME alice.py bob.cpp -o run",
		"umpire score GAME --from run/results.jsonl --formula 'P * win'",
	},
	"tournament": {
		"umpire tournament GAME alice.py bob.cpp @OPPONENT -o run",
		"umpire tournament GAME *.py --format swiss --rounds 5 --cases-per-pair 4",
		"umpire tournament GAME remote:alice remote:bob @OPPONENT -o run",
		"umpire tournament GAME *.py -o run --listen 127.0.0.1:8370",
		"umpire tournament --resume -o run",
	},
	"standings": {
		"umpire standings run",
		"umpire standings run/results.jsonl more.jsonl --pairs --export csv=standings.csv",
	},
	"report":     {"umpire report run -o site"},
	"compress":   {"umpire compress run", "umpire compress -d run"},
	"languages":  {"umpire languages"},
	"verify":     {"umpire verify run/results.jsonl", "zcat results.jsonl.gz | umpire verify - --quiet"},
	"replay":     {"umpire replay run/results.jsonl --id ebda26584b2315bc"},
	"analyse":    {"umpire analyse run --bot alice", "umpire analyse run --id ebda26584b2315bc"},
	"reproduce":  {"umpire reproduce run/results.jsonl alice.py --id ebda26584b2315bc --shrink"},
	"cases":      {"umpire cases GAME", "umpire cases GAME -n 100 --seed 7 -o mine"},
	"new":        {"umpire new GAME", "umpire new GAME alice --lang cpp"},
	"serve":      {"umpire serve", "umpire serve GAME alice.py -o data --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem"},
	"join":       {"umpire join http://127.0.0.1:8370 alice.py --key-file alice.key", "umpire join https://umpire.example alice.py --sessions 2 --matches 10"},
	"worker":     {"umpire worker --join http://127.0.0.1:8370 --token-file run/fleet/token", "umpire worker --join https://umpire.example --token-file token --jobs 4"},
	"workers":    {"umpire workers --join http://127.0.0.1:8370 --token-file run/fleet/token", "umpire workers --join https://umpire.example --token-file token --json"},
	"players":    {"umpire players add umpire-data/players alice", "umpire players list umpire-data/players"},
	"bot":        {"umpire bot GAME/OPPONENT"},
	"doctor":     {"umpire doctor"},
	"completion": {"source <(umpire completion bash)", "umpire completion fish >~/.config/fish/completions/umpire.fish"},
	"man":        {"umpire man | man -l -", "umpire man >~/.local/share/man/man1/umpire.1"},
}

// setHelp makes the help of umpire and of its commands, which fits the
// terminal.
func (a *app) setHelp(app *cli.App) {
	room := defaultColumns
	if a.out.Columns != nil {
		room = min(a.out.Columns(), widestHelp)
	}
	app.CustomAppHelpTemplate = literal(a.manual(app).Text(room))
	for _, c := range app.Commands {
		c.CustomHelpTemplate = literal(a.commandManual(c).Text(room))
	}
}

// widestHelp is how many columns help takes at most: longer lines are hard to
// read.
const widestHelp = 120

// literal is a template of the library that gives text as it is.
func literal(text string) string { return "{{" + strconv.Quote(text) + "}}" }

// manual describes umpire.
func (a *app) manual(app *cli.App) report.Manual {
	commands := report.ManualList{Title: "Commands"}
	for _, c := range app.VisibleCommands() {
		commands.Items = append(commands.Items, report.ManualItem{Label: c.Name, Text: c.Usage})
	}
	flags := report.ManualList{Title: "Flags", Items: []report.ManualItem{
		{Label: "--help, -h", Text: "explain a command: umpire COMMAND --help, or umpire help COMMAND"},
		{Label: "--version, -v", Text: "print the version"},
	}}
	return report.Manual{
		Name: app.Name, About: app.Usage, Synopsis: "umpire COMMAND [FLAGS] [ARGUMENTS]",
		Lists: []report.ManualList{commands, flags}, Examples: a.examples(""),
	}
}

// commandManual describes a command.
func (a *app) commandManual(c *cli.Command) report.Manual {
	m := report.Manual{Name: "umpire " + c.Name, About: c.Usage, Description: c.Description, Examples: a.examples(c.Name)}
	m.Synopsis = m.Name
	if len(c.Flags) > 0 {
		m.Synopsis += " [FLAGS]"
	}
	m.Synopsis = strings.TrimSpace(m.Synopsis + " " + c.ArgsUsage)
	groups := flagGroups
	if lookup(c.Flags, "seed") == nil {
		groups = groups[1:] // it plays nothing
	}
	if lookup(c.Flags, "tls-ca") != nil && lookup(c.Flags, "nats") == nil { // where a run is, is all that it asks for
		groups = slices.DeleteFunc(slices.Clone(groups), func(g flagGroup) bool {
			return slices.Contains(g.names, "join") || slices.Contains(g.names, "token-file")
		})
	}
	lists := []report.ManualList{{Title: "Flags"}}
	for _, g := range groups {
		lists = append(lists, report.ManualList{Title: g.title})
	}
	for _, f := range c.VisibleFlags() {
		in := 1 + slices.IndexFunc(groups, func(g flagGroup) bool { return slices.Contains(g.names, f.Names()[0]) })
		lists[in].Items = append(lists[in].Items, flagItem(f))
	}
	m.Lists = slices.DeleteFunc(lists, func(l report.ManualList) bool { return len(l.Items) == 0 })
	return m
}

// examples returns the examples of a command with the first game and its bot.
func (a *app) examples(command string) []string {
	if len(a.games) == 0 {
		return nil
	}
	fill := strings.NewReplacer("GAME", a.games[0].Name, "OPPONENT", a.games[0].DefaultOpponent)
	var lines []string
	for _, line := range examples[command] {
		lines = append(lines, fill.Replace(line))
	}
	return lines
}

// flagItem explains a flag: what is typed, what it does, and its default unless
// the explanation says it.
func flagItem(f cli.Flag) report.ManualItem {
	var names []string
	for _, name := range f.Names() {
		names = append(names, dashed(name))
	}
	item := report.ManualItem{Label: strings.Join(names, ", ")}
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return item
	}
	value := valueName(d)
	if value != "" {
		item.Label += " " + value
	}
	item.Text = strings.TrimPrefix(d.GetUsage(), "`"+value+"`: ")
	item.Text = strings.ReplaceAll(item.Text, "`", "")
	if v := d.GetValue(); d.TakesValue() && v != "" && v != "0" && !isList(f) && !strings.Contains(item.Text, "(default") {
		item.Text += " (default: " + v + ")"
	}
	for _, env := range d.GetEnvVars() {
		item.Text += " [$" + env + "]"
	}
	return item
}

// valueName returns the name that stands for a flag's value in its help: words in
// capitals for kinds of values, others for themselves; "" if it takes none.
func valueName(d cli.DocGenerationFlag) string {
	if !d.TakesValue() {
		return ""
	}
	_, after, _ := strings.Cut(d.GetUsage(), "`")
	if value, _, ok := strings.Cut(after, "`"); ok {
		return value
	}
	return "VALUE"
}
