package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

// openFolder opens the run folder and describes the run in it.
func (s *tournamentSession) openFolder() (err error) {
	switch {
	case s.dir == "" && s.resume:
		return usagef("--resume: found no run folder, expected -o DIR")
	case s.dir == "":
		if s.dir, err = tournament.NewFolder("runs", s.game.Name, time.Now()); err != nil {
			return fmt.Errorf("make run folder: %w", err)
		}
	case s.resume:
		if _, err := os.Stat(s.dir); err != nil {
			return usagef("--resume: %w", err)
		}
	case record.Played(s.dir):
		return usagef("folder %s already holds results: continue with --resume, or name another folder", s.dir)
	}
	if s.writer, err = openResults(s.c, s.dir); err != nil {
		return usage(err)
	}
	s.keepStderr(s.dir)
	languages, err := build.LoadLanguages(s.c.Context, s.c.String("languages"))
	if err != nil {
		return usage(err)
	}
	table, err := languages.Text()
	if err == nil {
		err = tournament.Describe(s.dir, s.resolved(), table, s.info())
	}
	if err != nil {
		return fmt.Errorf("describe the run: %w", err)
	}
	return nil
}

func (s *tournamentSession) info() tournament.Info {
	info := tournament.Info{
		Game: s.game.Name, Format: s.plan.Format, Seats: s.plan.Seats, Seed: s.c.Uint64("seed"), CasesDigest: s.casesDigest(),
		Repeat: s.repeatCommand(filepath.Join(s.dir, tournament.ConfigFile)), Resume: s.resumeCommand(),
		Bots: s.infoBots(), Runs: []tournament.InfoRun{s.thisRun()},
	}
	for _, c := range s.set.Cases {
		info.Cases = append(info.Cases, c.Name)
	}
	return info
}

func (s *tournamentSession) infoBots() []tournament.InfoBot {
	var list []tournament.InfoBot
	for _, b := range s.bots {
		list = append(list, tournament.InfoBot{
			Name: b.Name, Label: b.Entrant.Label, Digest: b.Digest, Path: b.Path, Args: b.Args, NotCovered: b.Uncovered, Broken: b.Broken,
		})
	}
	return list
}

// thisRun describes this start of umpire.
func (s *tournamentSession) thisRun() tournament.InfoRun {
	jobs := s.runner.Jobs
	if s.noJobs() {
		jobs = 0
	}
	return tournament.InfoRun{
		Started: time.Now().UTC().Format(time.RFC3339), Command: openArgs(), Folder: absolute(s.folder),
		Umpire: version(), Go: runtime.Version(), Isolation: string(s.launcher.Level()),
		Jobs: jobs, Affinity: s.c.String("affinity"), Machine: tournament.ThisMachine(), Environment: append([]string{}, program.Inherited()...),
	}
}

// openArgs returns the command line of this process, without the secrets in URLs.
func openArgs() []string {
	var list []string
	for _, word := range os.Args {
		list = append(list, fleet.HideSecrets(word))
	}
	return list
}

// results returns the path of the results file.
func (s *tournamentSession) results() string { return resultsIn(s.dir) }

// run plays the tournament and prints the result.
func (s *tournamentSession) run() (err error) {
	contest := tournament.NewRun(s.plan, s.identities(), s.matches())
	s.standingsSoFar = contest.Standings
	if err := s.host(s.dir); err != nil {
		return errors.Join(err, s.writer.Close())
	}
	defer s.closeGuests()
	s.runner.Players = s.players()
	if contest.Runner, err = s.playing(s.dir); err != nil {
		return errors.Join(err, s.writer.Close())
	}
	defer s.leaveFleet(&err)
	if s.resume {
		if err := s.before(contest); err != nil {
			return errors.Join(err, s.writer.Close())
		}
	}
	s.warn()
	bar := s.session.progress("tournament", 0)
	bar.Leader = contest.Tally.Leader
	contest.Store = func(r record.Record) ([]byte, error) {
		line, err := s.writer.WriteLine(r)
		return line, s.hosted(r, line, err)
	}
	contest.Round = func(n, matches, before int) { bar.Add(matches, before) }
	contest.Done = bar.Count
	err = contest.Play(s.c.Context)
	bar.End()
	err = errors.Join(err, s.writer.Sync())
	unfinished := s.writer.Finish(s.c.Context)
	if err != nil {
		return s.tournamentStopped(errors.Join(err, unfinished), contest.Tally)
	}
	if n := contest.Unrelated(); n > 0 {
		s.note("not counted, since they are not of this tournament: %s in %s\n", report.Plural(n, "match"), s.results())
	}
	if err := errors.Join(s.show(contest), unfinished); err != nil {
		return err
	}
	if n := contest.Tally.Failed; n > 0 {
		return fmt.Errorf("could not play %s; the records in %s say why; play again: %s", report.Plural(n, "match"), s.results(), s.resumeCommand())
	}
	return nil
}

func (s *tournamentSession) identities() []referee.Identity {
	list := make([]referee.Identity, len(s.bots))
	for i, bot := range s.bots {
		list[i] = s.player(bot).Identity()
	}
	return list
}

// matches returns a match on each case.
func (s *tournamentSession) matches() []arena.Fixture {
	list := make([]arena.Fixture, len(s.set.Cases))
	for i, c := range s.set.Cases {
		list[i] = s.fixture(c, s.plan.Seats)
	}
	return list
}

// tournamentStopped shows the standings so far, and says how to resume the run.
func (s *tournamentSession) tournamentStopped(err error, t *standings.Tally) error {
	if interrupted(err) && t.Matches > 0 && forPeople(s.c, s.exports) {
		st := t.Standings(nil)
		v := report.Standings{Game: s.game, Of: &st}
		v.Title = fmt.Sprintf("%s: %s, interrupted: standings after %s", s.game.Title, s.plan.Format, report.Plural(t.Matches, "match"))
		if err := s.printStandings(s.c, v, nil, nil, nil, nil); err != nil {
			return err
		}
	}
	why := "stopped"
	if interrupted(err) {
		why = "interrupted"
	}
	s.note("umpire: %s; %s finished, kept in %s\n", why, report.Plural(t.Matches, "match"), s.results())
	s.sayAgain("to resume", s.resumeCommand())
	s.stopSaid = true
	return err
}

// before adds the matches played earlier.
func (s *tournamentSession) before(contest *tournament.Run) error {
	f, err := record.Open(s.results())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = record.Summaries(s.results(), f, runtime.GOMAXPROCS(0), contest.AddPlayed)
	return usage(err)
}

// warn warns, before it costs a bot a match, that a bot's clock may run while
// others use its CPU.
func (s *tournamentSession) warn() {
	if s.c.Bool("quiet") {
		return
	}
	load, cpus := s.load(), len(arena.CPUs())
	for _, play := range s.plan.Plays {
		l := s.limits(s.set.Cases[play.Case].Case, s.plan.Seats)
		if load.Oversubscribed(l, s.runner.Jobs, cpus) {
			s.note("notice: with %d concurrent matches on %d CPUs, a bot's clock also runs while others have its CPU, which %s of wall time may not allow for; use --jobs %d or --clock cpu\n",
				s.runner.Jobs, cpus, budget(l), load.Jobs(cpus))
			return
		}
	}
}

func budget(l protocols.Limits) string {
	if l.Time > 0 {
		return l.Time.String()
	}
	return l.PerMove.String() + " a move"
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
	Rechecks *fleet.Rechecks `json:"rechecks,omitempty"`
	standings.Standings
	report.RoundsJSON
}

func (s *tournamentSession) show(contest *tournament.Run) error {
	result := tournamentResult{
		Game: s.game.Name, Format: s.plan.Format, Seats: s.plan.Seats, Cases: len(s.plan.Plays), Seed: s.c.Uint64("seed"),
		Isolation: report.CommonLevel(contest.Tally.Levels(), s.launcher.Level()), Results: s.results(),
		Standings: *contest.Standings(), Rechecks: s.rechecks(),
	}
	v := report.Standings{Game: s.game, Of: &result.Standings}
	v.Title = fmt.Sprintf("%s: %s, %s, %s, %s, %s", s.game.Title, s.plan.Format,
		report.Plural(len(s.bots), "bot"), report.Plural(result.Cases, "case"), report.Plural(result.Matches, "match"), s.underLevel(result.Isolation))
	if k, ok := contest.Knockout(); ok {
		b := contest.Tally.Bracket(k)
		v.ShowBracket(b)
		result.RoundsJSON = report.BracketJSON(b)
	} else if s.plan.Format == tournament.Swiss {
		name := func(bot int) string { return s.bots[bot].Name }
		result.Rounds = report.Encounters(contest.Rounds, name, 2*len(s.plan.Plays), s.game.Rank)
		v.ShowSwiss(result.Rounds)
	}
	if err := s.printStandings(s.c, v, result, s.exports, []string{s.results()}, &standings.Filter{}); err != nil {
		return err
	}
	if !s.c.Bool("quiet") {
		s.note("results: %s\n", s.results())
	}
	return nil
}
