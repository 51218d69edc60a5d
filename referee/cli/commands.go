package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/cli/shell"
)

// run runs a command line, without the program's name.
func (a *app) run(ctx context.Context, args []string) error { return a.shell().Run(ctx, args) }

// shell returns the command line with all its commands.
func (a *app) shell() *shell.Shell {
	s := &shell.Shell{
		App: &cli.App{
			Name: "umpire", Usage: "judge and referee of programming games", Writer: a.stdout, ErrWriter: a.log,
			Commands: slices.Concat(
				category("Play", gamesCommand(a), newCommand(a), testCommand(a), matchCommand(a), casesCommand(a)),
				category("Look", replayCommand(a), openCommand(a), analyseCommand(a), reproduceCommand(a), verifyCommand(a), testLogCommand(a)),
				category("Organise", tournamentCommand(a), scoreCommand(a), standingsCommand(a), compareCommand(a), reportCommand(a), compressCommand(a)),
				category("Host", serveCommand(a), joinCommand(a), playersCommand(a), workerCommand(a), workersCommand(a), workerKeysCommand(a), fleetServeCommand(a)),
				category("Machine", doctorCommand(a), cacheCommand(a), envCommand(a), languagesCommand(a), botCommand(a)),
			),
		},
		Version: version(), Build: thisBuild(), Out: a.out, Examples: helpExamples(a), FlagGroups: flagGroups, Topics: helpTopics(a),
		Values: a.completions, Misplaced: a.misplaced, Short: map[string][]string{"jobs": {"j"}, "quiet": {"q"}, "verbose": {"v"}}, Optional: map[string]string{"events": "-"},
	}
	s.Add("Machine")
	for _, c := range s.App.Commands {
		c.Before = func(c *cli.Context) error { return prepare(a, c) }
	}
	return s
}

// prepare does what the flags that several commands share say, before a command runs.
func prepare(a *app, c *cli.Context) (err error) {
	if err := a.log.keep(c); err != nil {
		return usage(err)
	}
	if c.Bool("no-color") {
		a.out.Colour, a.err.Colour = false, false
	}
	if err := setReading(a, c); err != nil {
		return err
	}
	a.exports, err = exports(c)
	return err
}

// category puts commands under a heading of the help.
func category(name string, commands ...*cli.Command) []*cli.Command {
	for _, c := range commands {
		c.Category = name
	}
	return commands
}

// misplaced explains a line whose first word is no command, nor nearly one: a word
// of other programs, a game, or a word of a command that comes later.
func (a *app) misplaced(name, near string, rest []string) error {
	if list := habits[name]; list != nil {
		if _, err := a.umpire.Game(strings.Join(rest[:min(1, len(rest))], "")); err != nil {
			rest = nil // they are not what the commands expect
		}
		return usagef("there is no command %q; write\n%s", name, habitLines(list, rest))
	}
	if near != "" {
		return nil
	}
	for i, word := range rest {
		if slices.ContainsFunc(a.shell().App.Commands, func(c *cli.Command) bool { return c.HasName(word) }) {
			return usagef("the command comes first: %s", runAgain(word, slices.Concat([]string{name}, rest[:i], rest[i+1:])...))
		}
	}
	if g, err := a.umpire.Game(name); err == nil {
		return usagef("found the game %s, expected a command, such as %s", name, runAgain("games", g.Name))
	}
	return nil
}

// flagGroups are the headings of flags that several commands share, in order.
// Before them come a command's own flags.
var flagGroups = []shell.FlagGroup{
	{
		Title: "What to play", Needs: "seed",
		Flags: []string{"case", "cases", "group", "n", "seed", "all", "config", "schema", "check", "format", "cases-per-pair", "seats", "rounds", "challengers", "tiebreaks", "sprt", "until", "resume", "judge", "judge-format"},
	},
	{Title: "Limits", Flags: []string{"time", "time-per-move", "startup", "clock", "memory", "isolation", "pondering"}},
	{Title: "Machine", Flags: []string{"jobs", "affinity", "languages", "trust", "on-judge-error"}},
	{
		Title: "Players from outside", Needs: "seed", Rare: true,
		Flags: []string{"gather", "absent", "grace", "idle", "listen", "url", "trusted-proxy", "access-log", "players", "tls-cert", "tls-key", "insecure", "private"},
	},
	{
		Title: "Workers on other machines", Needs: "seed", Rare: true,
		Flags: []string{"nats", "token-file", "workers", "priority", "needs", "recheck", "calibrate", "tls-ca"},
	},
	{
		Title: "Output",
		Flags: []string{"o", "append", "pictures", "json", "events", "export", "html", "quiet", "verbose", "pairs", "no-times", "no-crosstable", "plot", "compress", "no-color", "log"},
	},
}

// examples are command lines, by command; "" is umpire itself. GAME and
// OPPONENT stand for a game and a bot that comes with it.
var examples = map[string][]string{
	"": {
		"umpire games",
		"umpire new GAME alice --lang py",
		"umpire test GAME alice/starter.py",
	},
	"games": {"umpire games", "umpire games GAME", "umpire games --check ./mygame"},
	"test": {
		"umpire test GAME alice.py",
		"umpire test GAME alice.py --case official/01 --verbose",
		"umpire test GAME 'python3 -O alice.py' --time 5s --export junit=test.xml",
	},
	"log": {"umpire log alice.py"},
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
		"umpire tournament GAME *.py --check",
		"umpire tournament --resume -o run",
	},
	"standings": {
		"umpire standings run",
		"umpire standings run/results.jsonl more.jsonl --pairs --export csv=standings.csv",
	},
	"compare": {
		"umpire compare GAME old.py new.py --sprt elo0=0,elo1=20",
		"umpire compare run alice bob",
		"umpire compare monday friday --bot alice --fail-if-worse",
	},
	"report":       {"umpire report run -o site"},
	"compress":     {"umpire compress run", "umpire compress -d run"},
	"languages":    {"umpire languages"},
	"verify":       {"umpire verify run/results.jsonl", "zcat results.jsonl.gz | umpire verify - --quiet"},
	"replay":       {"umpire replay run/results.jsonl --id ebda26584b2315bc"},
	"open":         {"umpire open run", "umpire open ebda26584b2315bc"},
	"analyse":      {"umpire analyse run --bot alice", "umpire analyse run --id ebda26584b2315bc"},
	"reproduce":    {"umpire reproduce run/results.jsonl alice.py --id ebda26584b2315bc --shrink"},
	"cases":        {"umpire cases GAME", "umpire cases GAME -n 100 --seed 7 -o mine"},
	"new":          {"umpire new GAME", "umpire new GAME alice --lang cpp", "umpire new --game mygame --lang py"},
	"serve":        {"umpire serve", "umpire serve GAME alice.py -o data --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem"},
	"remote join":  {"umpire remote join http://127.0.0.1:8370 alice.py --key-file alice.key", "umpire remote join https://umpire.example alice.py --sessions 2 --matches 10"},
	"fleet worker": {"umpire fleet worker --join http://127.0.0.1:8370 --token-file run/fleet/token", "umpire fleet worker --join https://umpire.example --token-file token --jobs 4"},
	"fleet status": {"umpire fleet status --join http://127.0.0.1:8370 --token-file run/fleet/token", "umpire fleet status --join https://umpire.example --token-file token --json"},
	"fleet keys":   {"umpire fleet keys add lab", "umpire fleet keys remove lab", "umpire fleet keys add spring --run"},
	"fleet serve":  {"umpire fleet serve", "umpire fleet serve -o fleet --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem"},
	"remote keys":  {"umpire remote keys add umpire-data/players alice", "umpire remote keys list umpire-data/players"},
	"bot":          {"umpire bot GAME/OPPONENT"},
	"doctor":       {"umpire doctor"},
	"cache":        {"umpire cache", "umpire cache --max 500M"},
	"env":          {"umpire env"},
	"completion":   {"source <(umpire completion bash)", "umpire completion fish >~/.config/fish/completions/umpire.fish"},
	"help":         {"umpire help test", "umpire help test --all"},
	"version":      {"umpire version", "umpire version --json"},
	"man":          {"umpire man | man -l -", "umpire man >~/.local/share/man/man1/umpire.1"},
}

// helpExamples returns the examples of the commands with the first game and its bot.
func helpExamples(a *app) map[string][]string {
	filled := make(map[string][]string)
	fill := strings.NewReplacer("GAME", a.umpire.Games[0].Name, "OPPONENT", a.umpire.Games[0].DefaultOpponent)
	for command, lines := range examples {
		for _, line := range lines {
			filled[command] = append(filled[command], fill.Replace(line))
		}
	}
	return filled
}
