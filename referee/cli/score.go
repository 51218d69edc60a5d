package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/scoring"
)

func (a *app) scoreCommand() *cli.Command {
	return &cli.Command{
		Name: "score", Usage: "score submissions by formula over groups of cases",
		ArgsUsage: "GAME BOT...",
		Description: "Plays every submission on the game's cases, or on those of --cases, and ranks them.\n" +
			"With --from, stored results are scored again and nothing is played; for BOTs given as well,\n" +
			"only matches not stored yet are played. The formula may use P (a case's points), X (the score\n" +
			"there), Y (the baseline), win tie loss ok place seats wall cpu.",
		Flags: flags(caseFlags(), scoreFlags(), limitFlags(), runFlags(), guestFlags(), fleetFlags(), outputFlags(), compressFlag(), []cli.Flag{appendFlag(), exportFlag()}),
		Action: func(c *cli.Context) error {
			a.setColour(c)
			if err := checkCompress(c); err != nil {
				return err
			}
			return a.score(&scorer{session: newSession(a, c)})
		},
	}
}

func scoreFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "formula", Usage: "score of a case, `EXPR` of P X Y win tie loss … (default: the game's)"},
		&cli.StringFlag{Name: "baseline", Usage: "Y is `NUMBER|best|FILE`; FILE holds lines case,Y or is a results file or run folder"},
		&cli.StringSliceFlag{Name: "from", Usage: "score the stored results in `FILE` (- is standard input; may be repeated)"},
	}
}

// scorer is one run of the command: a session in which only missing matches are
// played.
type scorer struct {
	*session
	task    scoring.Task
	results scoring.Results
	exports []export
	found   scoring.Found // of stored records
}

// score carries out the run. Errors in the arguments are found before a match
// is played.
func (a *app) score(k *scorer) error {
	for _, step := range []func() error{k.readFlags, k.readStored, k.chooseCases, k.readBaseline, k.playMissing} {
		if err := step(); err != nil {
			return err
		}
	}
	scores, err := k.task.Score(&k.results)
	if err != nil {
		return k.explain(err)
	}
	return k.show(scores)
}

func (k *scorer) readFlags() (err error) {
	if !k.c.Args().Present() {
		return usagef("found no game, expected `umpire score GAME BOT...`")
	}
	if k.game, err = k.gameFirst(k.c); err != nil {
		return err
	}
	formula := k.game.Formula
	if k.c.IsSet("formula") {
		formula = k.c.String("formula")
	}
	if k.task.Formula, err = scoring.Compile(formula); err != nil {
		return usage(err)
	}
	if k.exports, err = exports(k.c); err != nil {
		return err
	}
	if k.c.IsSet("baseline") && !k.task.Formula.Uses("Y") {
		k.note("umpire: the formula %s does not use Y: --baseline changes nothing\n", formula)
	}
	stored, bots := len(k.c.StringSlice("from")) > 0, k.c.NArg() > 1
	switch {
	case !stored && !bots:
		return usagef("found no bots, expected `umpire score %s BOT...` or --from FILE", k.game.Name)
	case !bots && k.c.String("o") != "":
		return usagef("-o: no match is played, so there is nothing to write; expected bots, or no -o")
	}
	if err := newResults(k.c, k.c.StringSlice("from")...); err != nil {
		return err
	}
	return k.conditions()
}

// chooseCases sets the cases to score on. If only stored results are scored,
// those are the cases they were played on.
func (k *scorer) chooseCases() (err error) {
	elsewhere := k.c.IsSet("case") || k.c.IsSet("cases") || k.c.IsSet("n")
	if k.c.NArg() > 1 || elsewhere {
		k.set, err = k.caseSet(k.c, k.game)
		k.task.Set = k.set
		return usage(err)
	}
	standard, err := k.wholeSet(k.c, k.game)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a game may have no standard cases
		return usage(err)
	}
	if k.found.Unlike != nil {
		return usage(k.found.Unlike)
	}
	if k.task.Set, err = standard.Match(k.game, k.found.Cases); err != nil {
		return usage(err)
	}
	if group := k.c.String("group"); group != "" {
		all := k.task.Set.GroupNames()
		k.task.Set = k.task.Set.Filter(func(c cases.Case) bool { return c.Group == group })
		if len(k.task.Set.Cases) == 0 {
			return usagef("--group: found %q, the stored results have %s", group, strings.Join(all, ", "))
		}
	}
	return nil
}

func (k *scorer) readBaseline() error {
	text := k.c.String("baseline")
	if !k.c.IsSet("baseline") {
		return nil
	}
	if text == "best" {
		k.task.Baseline = scoring.Best()
		return nil
	}
	var err error
	if y, nan := strconv.ParseFloat(text, 64); nan == nil {
		k.task.Baseline, err = scoring.Constant(y)
	} else {
		k.task.Baseline, err = k.baselineFile(text)
	}
	if err != nil {
		return usagef("--baseline: %w", err)
	}
	return nil
}

// baselineFile reads a results file or CSV.
func (k *scorer) baselineFile(name string) (scoring.Baseline, error) {
	from := k.in
	if name != "-" {
		f, err := record.Open(resultsIn(name))
		if errors.Is(err, os.ErrNotExist) && !exists(name) {
			return scoring.Baseline{}, fmt.Errorf("found %q, expected a number, best, or a file", name)
		}
		if err != nil {
			return scoring.Baseline{}, err
		}
		defer f.Close()
		from = f
	}
	in := bufio.NewReader(from)
	start, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return scoring.Baseline{}, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(start), []byte("{")) {
		if name == "-" {
			k.in = in
		}
		var results scoring.Results
		err := k.readResults([]string{name}, func(r *record.Record) { results.Add(r) })
		return scoring.BestOf(name, &results), err
	}
	known := slices.Clone(k.task.Set.Cases)
	if whole, err := k.wholeSet(k.c, k.game); err == nil {
		for _, c := range whole.Cases {
			if !slices.ContainsFunc(known, func(have cases.Case) bool { return have.Name == c.Name }) {
				known = append(known, c)
			}
		}
	}
	return scoring.ReadBaseline(name, in, known)
}

// playMissing plays the bots' matches that are not stored.
func (k *scorer) playMissing() error {
	if err := k.nameBots(program.ParseEntrants("", k.c.Args().Tail())); err != nil {
		return err
	}
	wanted, fixtures := make([]scoring.Wanted, len(k.bots)), make([][]arena.Fixture, len(k.bots))
	for i, bot := range k.bots {
		fixtures[i] = k.tests(bot)
		wanted[i] = scoring.Wanted{Name: bot.Name, Digest: bot.Digest, Matches: unplayed(fixtures[i])}
	}
	missing, planned := k.results.Resume(wanted)
	var todo []arena.Fixture
	players := make(map[string]bool) // by name
	for i, list := range missing {
		for _, n := range list {
			todo = append(todo, fixtures[i][n])
		}
		if len(list) > 0 {
			players[k.bots[i].Name] = true
		}
	}
	if len(todo) == 0 {
		return nil
	}
	if err := k.task.Check(&planned); err != nil {
		return k.explain(err)
	}
	if err := k.isolate(); err != nil {
		return err
	}
	if err := k.tryBots(func(b program.Bot) bool { return players[b.Name] }); err != nil {
		return err
	}
	k.sayBroken()
	return k.playThese(todo)
}

// unplayed returns the matches of a submission before they are played.
func unplayed(fixtures []arena.Fixture) []scoring.Entry {
	list := make([]scoring.Entry, len(fixtures))
	for i, f := range fixtures {
		r := f.Record()
		list[i] = scoring.Entry{Record: &r, Seat: slices.IndexFunc(f.Seats, func(s arena.Seat) bool { return !s.House }) + 1}
	}
	return list
}

func (k *scorer) playThese(todo []arena.Fixture) (err error) {
	if dir := k.c.String("o"); dir != "" {
		if k.writer, err = openResults(k.c, dir); err != nil {
			return usage(err)
		}
		k.keepStderr(dir)
	}
	if k.writer == nil {
		k.openSpool()
		defer k.closeSpool()
	}
	p := k.progress("score", len(todo))
	records, err := k.play(k.c.Context, todo, func(int, record.Record) { p.Count() })
	p.End()
	for i := range records {
		if records[i].ID != "" {
			k.results.Add(&records[i])
		}
	}
	if err != nil {
		return k.scoreStopped(err, records)
	}
	return nil
}

// explain turns an error of scoring into one for the user: umpire's failures
// are its own, everything else the user can fix.
func (k *scorer) explain(err error) error {
	var failed *scoring.FailedError
	var missing *scoring.MissingError
	again := "; to play what is missing: umpire score " + k.game.Name + " BOT... --from FILE"
	switch {
	case errors.As(err, &failed) && len(k.c.StringSlice("from")) > 0:
		return fmt.Errorf("%w%s", err, again)
	case errors.As(err, &failed):
		return err
	case errors.As(err, &missing):
		return usagef("%w%s", err, again)
	}
	return usage(err)
}
