package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/settings"
	"umpire/referee/tournament"
)

// Tournament is a tournament of the entrants. Its results and its description go to
// a run folder.
type Tournament struct {
	Play
	Plan     tournament.Plan
	Config   tournament.Config // what has been set, without the bots
	AnyLevel bool              // the level of isolation was left to the machine, though Config has one
	Resume   bool              // the matches missing from the folder are played
	Past     *tournament.Past  // of the run that is resumed; nil if it did not begin
	Command  []string          // the command line, for the description of the run
	// Again returns the commands that play the whole tournament again and the matches
	// missing from a run folder.
	Again func(dir string) (repeat, resume string)
	// Ready, if not nil, is called before the first match begins.
	Ready func(s *Session, run *tournament.Run, what report.Forecast)
}

// TournamentResult is how a tournament went.
type TournamentResult struct {
	*tournament.Run // nil if it did not begin
	Session         *Session
	Dir             string // run folder; "" if there is none yet
	Results         string // the results file
	Resume          string // the command that plays what is missing
	Seed            uint64
	Unfinished      error // why the results file could not be completed; nil if it was
}

// tournamentRun is a tournament that is going on.
type tournamentRun struct {
	session *Session
	asked   Tournament
}

// prepare checks the folder and the conditions, makes the bots, and tries each.
func (s *tournamentRun) prepare(ctx context.Context) error {
	if err := s.checkFolder(); err != nil {
		return err
	}
	if err := s.session.isolate(); err != nil {
		return err
	}
	if err := s.sameTournament(ctx); err != nil {
		return err
	}
	if err := s.session.resolve(ctx); err != nil {
		return err
	}
	return s.session.try(ctx, nil)
}

// sameTournament refuses to resume a run under other conditions.
func (s *tournamentRun) sameTournament(ctx context.Context) (err error) {
	past := s.asked.Past
	if past == nil {
		return nil
	}
	now := tournament.Conditions{
		Game: s.session.Game.Name, Package: s.session.Package, Config: s.config(), Cases: len(s.session.Set.Cases), CasesDigest: s.casesDigest(), Isolation: string(s.session.Level),
	}
	if now.Language, err = s.otherLanguage(ctx, past.Config.Languages); err != nil {
		return Mistaken(err)
	}
	differ := past.Differences(now)
	if len(differ) == 0 {
		return nil
	}
	restore := ""
	if now.Game == past.Info.Game && !record.SameGame(now.Game, now.Package, past.Info.Game, past.Info.Package) {
		restore = "restore the files of the game and "
	}
	_, resume := s.asked.Again(s.session.Results.Dir)
	return mistakef("--resume: %s is a different tournament:\n  %s\n%sresume it unchanged (%s), or name another folder",
		s.session.Results.Dir, strings.Join(differ, "\n  "), restore, resume)
}

// otherLanguage names a language whose row differs from that of a table, the run's;
// "" if none does.
func (s *tournamentRun) otherLanguage(ctx context.Context, table string) (string, error) {
	if table == "" {
		return "", nil
	}
	expected, err := build.LoadLanguages(ctx, table)
	if err != nil {
		return "", err
	}
	found, err := build.LoadLanguages(ctx, s.session.Machine.Languages)
	if err != nil {
		return "", err
	}
	return found.Differ(expected), nil
}

func (s *tournamentRun) casesDigest() string {
	var parts []string
	for _, c := range s.session.Set.Cases {
		parts = append(parts, c.Name, c.Group, report.Number(c.Points), c.String())
	}
	return build.Digest(parts...)
}

// config returns the configuration for the run folder: that repeats the tournament.
func (s *tournamentRun) config() tournament.Config {
	config := s.asked.Config
	config.Game, config.Bots, config.Output, config.Seats = s.session.Umpire.GameWord(s.session.Game), nil, "", &s.asked.Plan.Seats
	for _, b := range s.session.Bots {
		config.Bots = append(config.Bots, tournament.EntrantOf(b.Entrant))
	}
	if s.asked.AnyLevel {
		config.Isolation = ""
	}
	config.Complete()
	config.Fix(s.session.Results.Dir)
	return config
}

// noteChanges tells what has changed since the previous run that may affect results
// without determining them.
func (s *tournamentRun) noteChanges() {
	if s.asked.Past == nil {
		return
	}
	for _, change := range s.asked.Past.Changes(s.thisRun(), s.infoBots()) {
		s.session.Machine.Tell.Note("notice: %s\n", change)
	}
}

// checkFolder checks the run folder before anything is compiled.
func (s *tournamentRun) checkFolder() error {
	dir := s.session.Results.Dir
	switch {
	case dir == "" && s.asked.Resume:
		return mistakef("--resume: found no run folder, expected -o DIR")
	case s.asked.Resume:
		if _, err := os.Stat(dir); err != nil {
			return mistakef("--resume: %w", err)
		}
	default:
		return checkFresh(dir)
	}
	return nil
}

// checkFresh refuses a folder for a new run that holds results.
func checkFresh(dir string) error {
	if dir == "" || !record.Played(dir) {
		return nil
	}
	return mistakef("folder %s already holds results: continue with --resume, or name another folder", dir)
}

// openFolder opens the run folder and describes the run in it.
func (s *tournamentRun) openFolder(ctx context.Context) (err error) {
	dir := &s.session.Results.Dir
	if *dir == "" {
		if *dir, err = tournament.NewFolder(RunsFolder, s.session.Game.Name, time.Now()); err != nil {
			return fmt.Errorf("make run folder: %w", err)
		}
	}
	if err := s.session.openResults(ctx); err != nil {
		return err
	}
	return s.describe(s.thisRun())
}

// describe describes the run in its folder, and adds starts of umpire.
func (s *tournamentRun) describe(starts ...tournament.InfoRun) error {
	table, err := s.session.resolver.Builder.Languages.Text()
	if err == nil {
		err = tournament.Describe(s.session.Results.Dir, s.config(), table, s.info(starts))
	}
	if err != nil {
		return fmt.Errorf("describe the run: %w", err)
	}
	return nil
}

func (s *tournamentRun) info(starts []tournament.InfoRun) tournament.Info {
	plan := s.asked.Plan
	info := tournament.Info{
		Game: s.session.Game.Name, Package: s.session.Package, Format: plan.Format, Seats: plan.Seats, Seating: plan.Seating, Seed: *s.config().Seed, CasesDigest: s.casesDigest(),
		Bots: s.infoBots(), Runs: starts,
	}
	info.Repeat, info.Resume = s.asked.Again(s.session.Results.Dir)
	for _, c := range s.session.Set.Cases {
		info.Cases, info.CaseSet = append(info.Cases, c.Name), append(info.CaseSet, c.Record())
		info.CaseDigests = append(info.CaseDigests, build.Digest(c.String()))
	}
	return info
}

func (s *tournamentRun) infoBots() []tournament.InfoBot {
	var list []tournament.InfoBot
	for _, b := range s.session.Bots {
		list = append(list, tournament.InfoBot{
			Name: b.Name, Label: b.Entrant.Label, Digest: b.Digest, Path: b.Path, Args: b.Args, NotCovered: b.Uncovered, Broken: b.Broken, NotJudged: b.Lack,
		})
	}
	return list
}

// thisRun describes this start of umpire.
func (s *tournamentRun) thisRun() tournament.InfoRun {
	jobs := s.session.runner.Jobs
	if s.session.Jobs == NoJobs {
		jobs = 0
	}
	affinity, _ := s.asked.Config.Setting(settings.Affinity.Name)
	return tournament.InfoRun{
		Started: time.Now().UTC().Format(time.RFC3339), Command: s.asked.Command, Folder: Absolute(s.asked.Config.Folder),
		Umpire: s.session.Umpire.Version, Go: runtime.Version(), Isolation: string(s.session.Level),
		Jobs: jobs, Affinity: affinity, Machine: tournament.ThisMachine(), Environment: append([]string{}, program.Inherited()...),
	}
}

// addPlayed adds the matches played earlier.
func (s *tournamentRun) addPlayed(run *tournament.Run) error {
	name := ResultsIn(s.session.Results.Dir)
	f, err := record.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = record.Summaries(name, f, runtime.GOMAXPROCS(0), run.AddPlayed)
	return Mistaken(err)
}

func budget(l protocols.Limits) string {
	if l.Time > 0 {
		return l.Time.String()
	}
	return l.PerMove.String() + " a reply"
}

// TournamentPlan makes a plan from a configuration, for so many bots; its cases are
// those of the set.
func (p Play) TournamentPlan(config tournament.Config, past *tournament.Past) (plan tournament.Plan, err error) {
	bots := len(p.Entrants)
	seats := max(p.Game.MinSeats, 2, min(p.Game.MaxSeats, bots))
	if config.Seats != nil {
		seats = *config.Seats
	}
	if seats < p.Game.MinSeats || seats > p.Game.MaxSeats {
		return plan, mistakef("--seats: found %d, %s has %s", seats, p.Game.Name, p.Game.SeatRange())
	}
	texts := make([]string, len(p.Set.Cases))
	for i, c := range p.Set.Cases {
		texts[i] = c.String()
	}
	plan, err = config.Plan(bots, seats, texts, p.Game.Rank)
	if plan.Seating = tournament.Neighbours; past != nil {
		plan.Seating = past.Info.Seating
	}
	return plan, Mistaken(err)
}

// RunFolderOf reads the folder of a run that is resumed; nil if the run was stopped
// before it began, for which its bots must be known.
func RunFolderOf(dir string, botsKnown bool) (*tournament.Past, error) {
	past, err := tournament.ReadPast(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !record.Played(dir) && botsKnown:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist) && record.Played(dir):
		return nil, mistakef("--resume: %s holds results but not how they were played: %w", dir, err)
	case err != nil:
		return nil, mistakef("--resume: %w", err)
	}
	return past, nil
}

// viewOf returns the standings of a tournament, with the rounds if it has any.
func viewOf(g protocols.Game, run *tournament.Run) report.Standings {
	v := report.Standings{Game: g, Of: run.Standings()}
	showRounds(&v, run)
	return v
}

// View returns a tournament's standings, with the rounds if it has any.
func (r TournamentResult) View() report.Standings { return viewOf(r.Session.Game, r.Run) }

// ConfigIn returns the path of the configuration in a run folder.
func ConfigIn(dir string) string { return filepath.Join(dir, tournament.ConfigFile) }
