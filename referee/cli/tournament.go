package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cli/shell"
	"umpire/referee/fleet"
	"umpire/referee/fleet/recheck"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/session"
	"umpire/referee/settings"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

func tournamentCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "tournament", Usage: "play bots against each other; print standings and a crosstable",
		ArgsUsage: "GAME BOT...",
		Description: `Formats:

- round-robin: every two bots on every case, in both orders; in games with more seats a
  balanced schedule: every bot meets every other and sits in every seat equally often, all
  on the same cases
- gauntlet: the first bot (--challengers: the first ones) against each of the others
- swiss: in --rounds rounds, each bot meets one of similar standing that it has not met;
  ordered by encounters won (a tie ½, a bye 1), then those of its opponents
- knockout: the loser of an encounter is out; bots are seeded in the order given; a tie
  goes to the bot that failed in fewer matches, then to the one given first

--until has a round-robin go on where its order is least certain, and says who is still tied.
The game's own rule decides an encounter. Swiss and knockout are for two seats.

A tournament begins by saying how many matches it takes and, if these are many, about how long,
by a match of each bot on trial. --check says it without playing, by a few more such matches,
and what is wrong with whom (exit code 1).

The results go to a run folder: -o DIR, or else a fresh runs/GAME-DATE-N. --resume plays what
is missing there: ` + "`umpire tournament --resume -o DIR`" + `, without -o in the newest one. The keys of --config FILE are the flags'
names; --schema prints their JSON schema. Flags override the file, and the file the environment.`,
		Flags: slices.Concat(tournamentFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "check", Usage: "play nothing that counts: say what would be played and about how long, and what is wrong with whom"},
		}, caseFlags(), limitFlags(), runFlags(), guestFlags(outsidersOrWorkers), fleetFlags(), outputFlags(), compressFlag(), picturesFlag(), standingsFlags()),
		Action: func(c *cli.Context) error {
			if c.Bool("schema") {
				a.printf("%s", tournament.Schema)
				return nil
			}
			return runTournament(a, c)
		},
	}
}

func tournamentFlags() []cli.Flag {
	return slices.Concat(
		[]cli.Flag{
			&cli.StringFlag{Name: "config", Usage: "read the tournament from `FILE`"},
			&cli.BoolFlag{Name: "schema", Usage: "print the JSON schema of --config"},
		},
		settingFlags(tournament.Own()...),
		[]cli.Flag{&cli.BoolFlag{Name: "resume", Usage: "play the matches missing from the run folder"}},
	)
}

// runTournament plays a tournament. All errors in the arguments are found before a match
// is played.
func runTournament(a *app, c *cli.Context) error {
	a.lasting = true
	t, err := openTournament(a, c)
	if err != nil {
		return err
	}
	if c.Bool("check") {
		return checkTournament(a, c, t)
	}
	result, err := playTournament(a, c, t)
	if err != nil && !errors.As(err, new(*session.UnplayedError)) {
		return tournamentStopped(a, c, result, errors.Join(err, result.Unfinished))
	}
	if n := result.Unrelated(); n > 0 {
		a.note("not counted, since they are not of this tournament: %s in %s\n", report.Plural(n, "match"), result.Results)
	}
	if err := errors.Join(showTournament(a, c, result), result.Unfinished); err != nil {
		return err
	}
	noteRechecks(a, result.Session.Rechecks())
	if playable := session.Playable(result.Session.Bots); result.Tally.Matches == 0 && playable < 2 && err == nil {
		a.note("umpire: no match was played: %s pairs only bots that can be compiled and started, here %d of %d\n",
			result.Plan.Format, playable, len(result.Session.Bots))
	}
	return reachError("nats", err)
}

// checkTournament says what a tournament would play, and what is wrong with whom.
func checkTournament(a *app, c *cli.Context, t session.Tournament) error {
	f, err := t.Check(c.Context)
	if err != nil {
		return placed(t, err)
	}
	return cmp.Or(a.show(c, f, f.Print), yes(len(f.Wrong) == 0))
}

// playTournament plays a tournament and shows its progress.
func playTournament(a *app, c *cli.Context, t session.Tournament) (session.TournamentResult, error) {
	bar := (*shell.Progress)(nil)
	t.Ready = func(s *session.Session, run *tournament.Run, what report.Forecast) {
		if bar == nil {
			a.tell(c).Note("%s\n", what.PlanAndTime())
		}
		bar.End() // that of a run whose workers were excluded
		bar = a.progressOf(c, s, 0)
		bar.State = func() string {
			if leader := run.Tally.Leader(); run.State() == "" && leader != "" {
				return leader + " leads"
			}
			return run.State()
		}
		run.Round = func(n, matches, before int) {
			if run.Sequential != nil || run.Adaptive != nil {
				matches = 0 // nobody knows
			}
			bar.Add(matches, before)
		}
		run.Done = bar.Count
	}
	result, err := t.Run(c.Context)
	bar.End()
	return result, placed(t, err)
}

// openTournament says what tournament is asked for: by the flags, else the
// configuration file, else the run that is resumed.
func openTournament(a *app, c *cli.Context) (t session.Tournament, err error) {
	defer func() { err = placed(t, err) }()
	t.Resume = c.Bool("resume")
	dir, entrants, err := readConfig(a, c, &t)
	if err != nil {
		return t, err
	}
	var game protocols.Game
	switch {
	case c.Args().Present():
		game, err = a.gameFirst(c)
	case t.Config.Game == "":
		err = usagef("found no game, expected `umpire tournament GAME BOT...` or --config FILE")
	default:
		if game, err = a.umpire.Game(t.Config.Game); err != nil && t.Resume {
			err = usagef("%w; if its folder has moved: umpire tournament FOLDER --resume -o %s", err, quote(c.String("o")))
		} else if err != nil {
			err = usage(t.Config.PlaceGame(err))
		}
	}
	if err != nil {
		return t, err
	}
	if game.MaxSeats < 2 || t.Config.Seats != nil && *t.Config.Seats == 1 {
		return t, usagef("%s: one seat: use score", game.Name)
	}
	get := values(t.Config.Setting)
	for _, own := range tournament.Own() {
		if own.Kind == settings.Count {
			if _, err := get.count(own.Name); err != nil {
				return t, err
			}
		}
	}
	if t.Play, err = a.play(c, game, entrants, get); err != nil {
		return t, err
	}
	if t.Past != nil && t.Jobs == session.NoJobs && t.Workers == nil && !c.IsSet("jobs") {
		return t, usagef("--resume: %s is played by workers alone (--jobs 0), and none can join: resume it with `%s`, or with --jobs 1 or more to play here", dir, t.Past.Info.Resume)
	}
	t.Results.Dir = dir
	if t.AnyLevel && t.Workers != nil {
		t.Workers.Level = ""
	}
	choice, err := caseChoice(get)
	if err != nil {
		return t, err
	}
	if t.Set, err = a.umpire.Choose(c.Context, game, choice); err != nil {
		return t, usage(err)
	}
	if t.Plan, err = t.TournamentPlan(t.Config, t.Past); err != nil {
		return t, err
	}
	t.Seats, t.Command = t.Plan.Seats, openArgs()
	t.Again = func(dir string) (repeat, resume string) {
		return repeatTournament(dir), resumeTournament(c, dir, t.Jobs == session.NoJobs && t.Workers != nil)
	}
	return t, nil
}

// placed names the line of the file in whose value a mistake of the user's is, if it is in one.
func placed(t session.Tournament, err error) error {
	if err == nil || !isUsage(err) {
		return err
	}
	var list []error
	for _, text := range texts(err) {
		list = append(list, usagef("%s", t.Config.Place(text)))
	}
	if all := errors.Join(list...); all.Error() != err.Error() {
		return all
	}
	return err
}

// readConfig reads the configuration: from the flags, --config, and the folder of the
// run that is resumed, and the run folder and the entrants.
func readConfig(a *app, c *cli.Context, t *session.Tournament) (dir string, entrants []program.Entrant, err error) {
	dir = c.String("o")
	var file tournament.Config
	if path := c.String("config"); path != "" {
		text, err := build.ReadFile(c.Context, path)
		if err != nil {
			return dir, nil, usagef("read configuration: %w", err)
		}
		if file, err = tournament.ReadConfig(path, text); err != nil {
			return dir, nil, usage(err)
		}
		file.Locate()
		dir = cmp.Or(dir, file.RunFolder())
	}
	flags := configOf(c, file)
	if t.Resume && dir == "" && c.NArg() == 0 {
		newest, _ := session.NewestRun(true)
		if _, err := a.newest(c, newest); err != nil {
			return dir, nil, usagef("--resume: found no run, neither -o DIR nor one in this folder or its %s", session.RunsFolder)
		}
		dir = newest
	}
	if t.Resume && dir != "" {
		if t.Past, err = session.RunFolderOf(dir, c.NArg() > 0); err != nil {
			return dir, nil, err
		}
	}
	if t.Past != nil {
		t.Config = t.Past.Config
		t.Config.Locate()
		t.Config.Output = ""
	}
	level := t.Config.Isolation
	given := file
	given.Override(flags)
	t.Config.Override(file)
	t.Config.Override(flags)
	if t.Past != nil && isLeft(cmp.Or(flags.Isolation, file.Isolation)) {
		t.Config.Isolation, t.AnyLevel = level, isLeft(t.Past.AskedIsolation)
	}
	if err := given.CheckUsed(t.Config.Format); err != nil {
		return dir, nil, usage(err)
	}
	t.Config.Game = cmp.Or(c.Args().First(), file.Game, t.Config.Game)
	t.Config.Folder = ""
	if c.NArg() > 1 {
		return dir, program.ParseEntrants("", c.Args().Tail()), nil
	}
	if len(file.Bots) == 0 && t.Past != nil {
		file.Bots, file.Folder = t.Past.Config.Bots, t.Past.Config.Folder
	}
	t.Config.Folder = file.Folder
	for _, b := range file.Bots {
		entrants = append(entrants, b.In(file.Folder))
	}
	return dir, entrants, nil
}

// configOf returns the configuration that the flags are, and, as far as a file does not say
// otherwise, the environment.
func configOf(c *cli.Context, file tournament.Config) (config tournament.Config) {
	for _, k := range tournament.Flags() {
		if isTyped(c, k.Name) || c.IsSet(k.Name) && file.Get(k) == "" {
			config.Set(k, fmt.Sprint(c.Value(k.Name)))
		}
	}
	return config
}

// repeatTournament returns the command that plays the tournament of a run folder again.
func repeatTournament(dir string) string {
	return runAgain("tournament").flag("config", session.ConfigIn(dir)).String()
}

// resumeTournament returns the command that plays the missing matches of a tournament
// in the same way, but for how the result is shown. Conditions are kept in the run
// folder; --jobs 0 is as well, and named since it decides whether bots are started
// here.
func resumeTournament(c *cli.Context, dir string, noJobs bool) string {
	a := runAgain("tournament").flag("resume").flag("o", dir)
	if noJobs {
		a.flag("jobs", "0")
	}
	return a.flags(c, "listen", "nats", "token-file", "workers", "priority", "needs", "recheck", "calibrate", "tls-cert", "tls-key", "tls-ca", "url", "insecure", "players", "private", "compress", "pictures", "on-judge-error").String()
}

// openArgs returns the command line of this process, without the secrets in URLs.
func openArgs() []string {
	var list []string
	for _, word := range os.Args {
		list = append(list, fleet.HideSecrets(word))
	}
	return list
}

// tournamentStopped shows the standings so far, and says how to resume the run.
func tournamentStopped(a *app, c *cli.Context, r session.TournamentResult, err error) error {
	if r.Run == nil {
		return reachError("nats", err)
	}
	n, why := r.Tally.Matches, "interrupted"
	if !interrupted(err) { // then the cause comes first
		why, err = "stopped", &answer{a.code(err), nil}
	}
	if interrupted(err) && n > 0 && forPeople(a, c) {
		a.exports = nil // a file is to hold the whole result
		v := report.Standings{Game: r.Session.Game, Of: r.Standings()}
		v.Title = fmt.Sprintf("%s: %s, interrupted: standings after %s", v.Game.Title, r.Plan.Format, report.Plural(n, "match"))
		if err := printStandings(a, c, v, nil, nil, &session.Selection{Umpire: a.umpire, Files: a.files}); err != nil {
			return err
		}
	}
	a.note("umpire: %s; %s finished, kept in %s\n", why, report.Plural(n, "match"), fileLink(a.err, r.Results))
	a.sayAgain("to resume", r.Resume)
	noteRechecks(a, r.Session.Rechecks())
	a.stopSaid = true
	return err
}

// tournamentResult is the output of `tournament --json`.
type tournamentResult struct {
	Game      string            `json:"game"`
	Format    tournament.Format `json:"format"`
	Seats     int               `json:"seats"`
	Cases     int               `json:"cases"` // number that every pair or table plays
	Seed      uint64            `json:"seed"`
	Isolation string            `json:"isolation"` // at which the matches were played; see report.CommonLevel
	Results   string            `json:"results"`   // the results file
	// Rechecks sums up the matches that were played again on other workers.
	Rechecks *recheck.Summary `json:"rechecks,omitempty"`
	SPRT     *report.SPRT     `json:"sprt,omitempty"`
	Until    *report.Until    `json:"until,omitempty"`
	standings.Standings
	report.RoundsJSON
}

// playedCases says on how many cases a tournament was played.
func playedCases(r session.TournamentResult) string {
	switch {
	case r.Adaptive != nil:
		return "until " + r.Adaptive.Until.String()
	case r.Sequential != nil:
		return "up to " + report.Plural(len(r.Plan.Plays), "case")
	}
	return report.Plural(len(r.Plan.Plays), "case")
}

func showTournament(a *app, c *cli.Context, r session.TournamentResult) error {
	s := r.Session
	v := r.View()
	result := tournamentResult{
		Game: s.Game.Name, Format: r.Plan.Format, Seats: r.Plan.Seats, Cases: len(r.Plan.Plays), Seed: r.Seed,
		Isolation: report.CommonLevel(r.Tally.Levels(), s.Level), Results: r.Results,
		Standings: *v.Of, Rechecks: s.Rechecks(), RoundsJSON: v.Encounters, Until: v.Until,
	}
	if test := r.Sequential; test != nil {
		result.SPRT = report.NewSPRT(test.TestState, s.Bots[1].Name, s.Bots[0].Name)
		v.SPRT = result.SPRT
	}
	v.Of = &result.Standings
	v.Title = fmt.Sprintf("%s: %s, %s, %s, %s, %s", s.Game.Title, r.Plan.Format,
		report.Plural(len(s.Bots), "bot"), playedCases(r), report.Plural(result.Matches, "match"), underLevel(s.Conditions, result.Isolation))
	if err := printStandings(a, c, v, result, []string{r.Results}, &session.Selection{Umpire: a.umpire, Files: a.files}); err != nil {
		return err
	}
	a.tell(c).Note("results: %s\n", fileLink(a.err, r.Results))
	return nil
}
