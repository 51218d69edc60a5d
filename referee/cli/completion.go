package cli

import (
	"embed"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/bots/examples/starters"
	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/report"
)

// shells are those with completion, as the argument of the command is written.
const shells = "bash|zsh|fish"

//go:embed completion
var completionScripts embed.FS

func (a *app) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print the completion script of a shell",
		ArgsUsage: shells,
		Action: func(c *cli.Context) error {
			shell := c.Args().First()
			if c.NArg() != 1 || !slices.Contains(strings.Split(shells, "|"), shell) {
				return usagef("found %q, expected `umpire completion %s`", strings.Join(c.Args().Slice(), " "), shells)
			}
			script, err := completionScripts.ReadFile("completion/umpire." + shell)
			if err == nil {
				_, err = a.stdout.Write(script)
			}
			return err
		},
	}
}

// completeCommand is the command that the scripts call with the words of a
// command line up to the cursor. It prints what else the shell may offer in
// place of the last one (files, folders or nothing), and then a line for every
// completion: the word, a tab, and what it means.
func (a *app) completeCommand() *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true,
		Action: func(c *cli.Context) error {
			words := c.Args().Slice()
			if len(words) == 0 {
				words = []string{""}
			}
			found := a.complete(c.App, words)
			a.printf("%s\n", found.others())
			for _, one := range found.words {
				a.printf("%s\t%s\n", one.Label, report.SafeLine(strings.ReplaceAll(one.Text, "\n", " ")))
			}
			return nil
		},
	}
}

// completions lists the words that may replace the last one of a command line.
type completions struct {
	words          []report.ManualItem
	files, folders bool // also files, or folders
}

func (c *completions) others() string {
	switch {
	case c.files:
		return "files"
	case c.folders:
		return "folders"
	}
	return "nothing"
}

// add adds a word.
func (c *completions) add(word, text string) {
	c.words = append(c.words, report.ManualItem{Label: word, Text: text})
}

// after keeps the words that continue a typed one. All stand after a prefix of
// it, such as a flag and an equals sign.
func (c *completions) after(prefix, typed string) {
	var fit []report.ManualItem
	for _, one := range c.words {
		if one.Label = prefix + one.Label; strings.HasPrefix(one.Label, typed) {
			fit = append(fit, one)
		}
	}
	c.words = fit
}

// typedLine is a command line that is being typed, as far as it is read.
type typedLine struct {
	command *cli.Command
	given   map[cli.Flag]bool
	args    []string
	waiting cli.Flag // the flag whose value comes next; nil if none
	ended   bool     // after --
}

// complete finds what may stand in place of the last word.
func (a *app) complete(app *cli.App, words []string) (found completions) {
	last := len(words) - 1
	typed := words[last]
	line := readTyped(app, words[:last])
	if line.command == nil {
		return commandNames(app, typed)
	}
	prefix := ""
	name, _, isSet := strings.Cut(typed, "=")
	switch f := lookup(line.command.Flags, strings.TrimLeft(name, "-")); {
	case line.waiting != nil:
		found = a.flagValues(line, line.waiting)
	case !line.ended && strings.HasPrefix(typed, "-") && isSet && f != nil && takesValue(f):
		prefix = name + "="
		found = a.flagValues(line, f)
	case !line.ended && strings.HasPrefix(typed, "-"):
		found = line.flagNames()
	default:
		argument := line.argument()
		if argument == "BOT" && isSet {
			prefix = name + "=" // a name for the bot
		}
		found = a.values(line, argument)
	}
	found.after(prefix, typed)
	return found
}

// readTyped reads the words of a command line before the one that is completed.
func readTyped(app *cli.App, words []string) typedLine {
	line := typedLine{given: make(map[cli.Flag]bool)}
	for _, word := range words {
		switch {
		case line.waiting != nil:
			line.waiting = nil
		case line.command == nil && strings.HasPrefix(word, "-"):
		case line.command == nil && word == "help":
			line.command = &cli.Command{ArgsUsage: "COMMAND"}
		case line.command == nil:
			if line.command = app.Command(word); line.command == nil {
				line.command = &cli.Command{}
			}
		case word == "--":
			line.ended = true
		case !line.ended && strings.HasPrefix(word, "-"):
			name, _, isSet := strings.Cut(word, "=")
			if f := lookup(line.command.Flags, strings.TrimLeft(name, "-")); f != nil {
				line.given[f] = true
				if takesValue(f) && !isSet {
					line.waiting = f
				}
			}
		default:
			line.args = append(line.args, word)
		}
	}
	return line
}

// commandNames returns the commands, or umpire's own flags.
func commandNames(app *cli.App, typed string) (found completions) {
	for _, c := range app.VisibleCommands() {
		found.add(c.Name, c.Usage)
	}
	found.add("help", "explain a command")
	found.add("version", "print the version")
	if strings.HasPrefix(typed, "-") {
		found.add("--help", "explain umpire")
		found.add("--version", "print the version")
	}
	found.after("", typed)
	return found
}

// flagNames returns the flags that may still be given.
func (l typedLine) flagNames() (found completions) {
	for _, f := range l.command.Flags {
		if !l.given[f] || isList(f) {
			found.add(dashed(f.Names()[0]), flagItem(f).Text)
		}
	}
	found.add("--help", "explain the command")
	return found
}

// argument returns what the next argument is, as the command's usage names it;
// "" if there is none.
func (l typedLine) argument() string {
	list := strings.Fields(l.command.ArgsUsage)
	at := len(l.args)
	if n := len(list); at >= n {
		if n == 0 || !strings.HasSuffix(list[n-1], "...") {
			return ""
		}
		at = n - 1
	}
	return strings.Trim(list[at], "[].")
}

// flagValues returns the values of a flag.
func (a *app) flagValues(line typedLine, f cli.Flag) completions {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return completions{}
	}
	return a.values(line, valueName(d))
}

// values returns the words that a value's name in the help stands for.
func (a *app) values(line typedLine, valueName string) (found completions) {
	var game protocols.Game
	if len(line.args) > 0 {
		game, _ = a.game(line.args[0])
	}
	for kind := range strings.SplitSeq(valueName, "|") {
		switch {
		case kind == "":
		case kind == strings.ToLower(kind):
			found.add(kind, "")
		case kind == "FILE", kind == "OUT":
			found.files = true
		case kind == "DIR":
			found.folders = true
		case kind == "BOT":
			a.addBots(&found, game, "@")
			found.files = true
		case kind == "GAME/NAME":
			a.addBots(&found, protocols.Game{}, "")
		default:
			a.addNames(&found, kind, game)
		}
	}
	return found
}

// addBots adds the built-in bots of a game or, if it is not known, of all games
// with their full names.
func (a *app) addBots(found *completions, game protocols.Game, mark string) {
	for _, b := range a.bots {
		switch {
		case b.Game == game.Name:
			found.add(mark+b.Name, b.About)
		case game.Name == "":
			found.add(mark+b.Game+"/"+b.Name, b.About)
		}
	}
}

// addNames adds the things of a kind.
func (a *app) addNames(found *completions, kind string, game protocols.Game) {
	switch kind {
	case "COMMAND":
		for _, c := range a.command().VisibleCommands() {
			found.add(c.Name, c.Usage)
		}
	case "GAME":
		for _, g := range a.games {
			found.add(g.Name, g.Title)
		}
	case "LANG":
		list, _ := starters.Of(game.Name)
		for _, s := range list {
			found.add(starter{Starter: s}.word(), s.File)
		}
	case "NAME", "GROUP":
		if game.Name == "" {
			return
		}
		set, err := cases.Load(a.cases, game.Name, game)
		switch {
		case err != nil:
		case kind == "GROUP":
			for _, name := range set.GroupNames() {
				found.add(name, "")
			}
		default:
			for _, c := range set.Cases {
				found.add(c.Name, "")
			}
		}
	}
}
