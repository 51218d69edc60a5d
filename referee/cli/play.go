package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cli/shell"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/session"
	"umpire/referee/settings"
	"umpire/referee/talk"
)

// play says how the matches of a command are played, but for their cases: by its
// flags, and where get says otherwise, by that.
func (a *app) play(c *cli.Context, g protocols.Game, entrants []program.Entrant, get values) (p session.Play, err error) {
	p = session.Play{
		Umpire: a.umpire, Machine: a.machine(c, get), Entrants: entrants,
		Results: session.Results{Dir: c.String("o"), Compress: c.Bool("compress")},
	}
	a.umpire.Machine = p.Machine
	if p.Conditions, err = a.conditions(g, get); err != nil {
		return p, err
	}
	if c.IsSet("against") {
		p.Opponent = program.ParseEntrant("", c.String("against"))
	}
	for _, name := range []string{"o", "cases", "case"} {
		if text, isSet := get(name); isSet || c.IsSet(name) {
			p.Private = append(p.Private, session.Absolute(cmp.Or(text, c.String(name))))
		}
	}
	affinity, _ := get(settings.Affinity.Name)
	if err := settings.Affinity.Check(affinity); err != nil {
		return p, usage(err)
	}
	p.Pin = affinity != settings.Off
	if few := shell.Flag(c.Command, "pictures") == nil; few || c.Bool("pictures") { // nobody looks at each of many matches
		p.Want = talk.Shown
	}
	onError := c.String(onJudgeError.Name)
	if err := onJudgeError.Check(onError); err != nil {
		return p, usage(err)
	}
	p.Blame = onError == "loses"
	if text, isSet := get(settings.Jobs.Name); isSet && text == "0" {
		p.Jobs = session.NoJobs
	} else if p.Jobs, err = get.count(settings.Jobs.Name); err != nil {
		return p, err
	}
	if c.Bool("verbose") {
		p.Watch = a.exchange
		if p.Jobs != session.NoJobs {
			p.Jobs = 1
		}
	}
	if err := openEvents(a, c, &p); err != nil {
		return p, err
	}
	if p.Workers, err = workersOf(a, c, p); err != nil {
		return p, err
	}
	if hasGuests(p) || p.Workers != nil && p.Workers.Listen {
		l, err := listeningOf(c, get)
		if err != nil {
			return p, err
		}
		p.Listen = func(h session.Hosting) (*session.Outside, error) { return a.listen(c, h, l) }
		return p, nil
	}
	if c.IsSet("listen") {
		return p, usagef("--listen: a match has no workers; expected a player from outside such as remote:NAME")
	}
	expected := "a player from outside such as remote:NAME"
	if shell.Flag(c.Command, "workers") != nil {
		expected = "--listen, or " + expected
	}
	for _, f := range guestFlags(outsiders) {
		if name := f.Names()[0]; isGiven(c, name) && !(name == "insecure" && p.Workers != nil) {
			return p, usagef("--%s: nobody is listened for; expected %s", name, expected)
		}
	}
	return p, nil
}

// openEvents begins the stream that --events asks for, and has it follow matches.
func openEvents(a *app, c *cli.Context, p *session.Play) error {
	name := c.String("events")
	if name == "" {
		return nil
	}
	var w io.Writer = a.stdout
	switch {
	case name == "-" && c.Bool("json"):
		return usagef("--events: standard output is taken by --json; --events=FILE writes a file")
	case name != "-":
		file, err := os.Create(name)
		if err != nil {
			return usagef("--events: %w", err)
		}
		w = file
	}
	s := &eventStream{out: report.NewPrinter(w).JSON()}
	alsoWatch(p, s.follow)
	p.Kept = s.ended
	a.events = s
	return nil
}

// alsoWatch has more watch the matches of a play, beside what does already.
func alsoWatch(p *session.Play, more func(arena.Fixture) referee.Watcher) {
	watch := p.Watch
	if watch == nil {
		p.Watch = more
		return
	}
	p.Watch = func(f arena.Fixture) referee.Watcher { return watch(f).With(more(f)) }
}

// conditions are those under which matches of a game are played.
func (a *app) conditions(g protocols.Game, get values) (k session.Conditions, err error) {
	change, err := settings.Limits(get)
	if err != nil {
		return k, usage(err)
	}
	if l := change(protocols.Limits{CPU: true}); a.umpire.Problem(g) != nil && (!l.CPU || l.PerMove != 0 || l.Startup != 0) {
		return k, usagef("%s is a problem package, which limits the CPU time of each run: expected none of --clock wall, --time-per-move and --startup, only --time", g.Name)
	}
	choice, err := caseChoice(get)
	if err != nil {
		return k, err
	}
	k = a.umpire.Conditions(g, choice.Seed)
	k.Limits = change
	if k.Grace, err = get.duration(settings.Grace); err != nil {
		return k, err
	}
	policy, _ := get(settings.Pondering.Name)
	k.Pondering, err = settings.Policy(policy, g)
	return k, usage(err)
}

// gameFirst finds the game that a command's arguments begin with.
func (a *app) gameFirst(c *cli.Context) (protocols.Game, error) {
	g, err := a.umpire.Game(c.Args().First())
	switch {
	case err == nil && !g.AnyText && a.umpire.Reading != session.Reading{}:
		return g, usagef("--format and --judge say how a folder or an archive is read, and %s is built in", g.Name)
	case err == nil:
		return g, nil
	}
	if c.Args().First() == "help" {
		return g, usagef("found help, expected a game; to read of the command: %s", runAgain("help", c.Command.Name))
	}
	for i, arg := range c.Args().Tail() {
		if g, other := a.umpire.Game(arg); other == nil {
			words := append([]string{g.Name}, slices.Delete(c.Args().Slice(), i+1, i+2)...)
			return g, usagef("the game comes first: %s", runAgain(c.Command.Name, words...))
		}
	}
	if first := c.Args().First(); program.Exists(first) && !session.IsGameFolder(first) && a.umpire.Reading.Judge.Command == "" {
		return g, usagef("%s is no game: the game comes first, as in %s", first, runAgain(c.Command.Name, append([]string{a.umpire.Games[0].Name}, c.Args().Slice()...)...))
	}
	return g, err
}

// playOf says how the matches of a command are played whose arguments are a game and
// bots.
func (a *app) playOf(c *cli.Context) (p session.Play, err error) {
	if !c.Args().Present() {
		return p, usagef("found no game, expected `umpire %s GAME BOT`", c.Command.Name)
	}
	g, err := a.gameFirst(c)
	if err != nil {
		return p, err
	}
	if p, err = a.play(c, g, program.ParseEntrants("", c.Args().Tail()), flagValues(c)); err != nil {
		return p, err
	}
	p.Set, err = a.caseSet(c, g)
	return p, usage(err)
}

// newResults refuses a folder of -o that holds results, unless --append is set.
// What is scored may be in it: to resume a run, more is added.
func newResults(c *cli.Context, scored ...string) error {
	name := session.ResultsIn(c.String("o"))
	switch {
	case c.String("o") == "" && c.Bool("append"):
		return usagef("--append: found no folder, expected -o DIR")
	case c.String("o") == "" || c.Bool("append") || !record.Played(c.String("o")):
		return nil
	case slices.ContainsFunc(scored, func(from string) bool { return session.Absolute(session.ResultsIn(from)) == session.Absolute(name) }):
		return nil
	}
	return usagef("-o: folder %s already holds results: add to them with --append, or name another folder", c.String("o"))
}

func appendFlag() cli.Flag {
	return &cli.BoolFlag{Name: "append", Usage: "add to the results that the folder of -o already holds"}
}

// exchange prints every line exchanged to standard error.
func (a *app) exchange(f arena.Fixture) referee.Watcher {
	start := time.Now()
	return report.Exchange{
		Printer: a.err, Case: f.Case.Name, Bots: f.Bots(), Clock: func() time.Duration { return time.Since(start) },
	}.Watch()
}

// under describes the conditions under which contestants play, before it is known
// which workers play them.
func under(s *session.Session) string {
	if s.Spreads() {
		return underLevel(s.Conditions, "of each worker")
	}
	return underLevel(s.Conditions, string(s.Level))
}

// underLevel describes the conditions of matches at a level of isolation.
func underLevel(k session.Conditions, level string) string {
	text := "isolation " + level
	if k.Game.MaxSeats > 1 {
		text += fmt.Sprintf(", pondering %s", k.Pondering)
	}
	return text
}

// writesResult reports whether the result goes anywhere but to a person.
func writesResult(a *app, c *cli.Context) bool {
	return c.Bool("json") || len(a.exports) > 0 || c.String("o") != ""
}

// progress begins to show progress, which must be ended; a total of 0 is one that
// nobody knows.
func (a *app) progress(what string, total int, silent bool) *shell.Progress {
	return shell.StartProgress(a.status, a.err, what, total, silent)
}

// progressOf begins to show the progress of a session's matches, and who plays them.
func (a *app) progressOf(c *cli.Context, s *session.Session, total int) *shell.Progress {
	bar := a.progress(c.Command.Name, total, c.Bool("quiet") || c.Bool("verbose"))
	if fleet := s.Coordinator(); fleet != nil {
		bar.Follow(func() (string, float64) {
			now := fleet.Now()
			return report.FleetCrew(&now), now.Rate
		})
		fleet.Progress(bar.Counts)
	}
	return bar
}

// followed has the progress of a play's matches shown until end is called; begun is
// called before the first of them.
func (a *app) followed(c *cli.Context, p *session.Play, begun func(*session.Session)) (end func()) {
	var bar *shell.Progress
	p.Begun = func(s *session.Session, matches int) {
		begun(s)
		bar = a.progressOf(c, s, matches)
	}
	p.Done = func(int, record.Record) { bar.Count() }
	return func() { bar.End() }
}
