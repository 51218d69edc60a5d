package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"runtime"

	"github.com/urfave/cli/v2"

	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/scoring"
	"umpire/referee/settings"
	"umpire/referee/standings"
)

func (a *app) reportCommand() *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "write a static site of a run: standings, crosstable, bots, matches, replays",
		ArgsUsage: "DIR...",
		Description: `DIR is a run folder, a results file, or - for standard input; the records of several are
combined, and a match that occurs twice counts once. No match is played.

The pages load nothing from elsewhere and open from a disk: open OUT/index.html in a browser.
OUT is made if it is not there. One that holds an earlier report is replaced; one that holds
anything else is refused, unless --force writes the report among it. Files that are not of the
report are left alone.

Where all matches are those of submissions, as umpire score plays them, the site shows their
scores by the game's formula, or by --formula.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "folder `OUT` to write the site to"},
			&cli.BoolFlag{Name: "force", Usage: "write among other files in OUT, and replace those of the same name"},
			&cli.StringFlag{Name: "formula", Usage: "score of a case, `EXPR` of P X Y win tie loss … (default: the game's)"},
			&cli.StringFlag{Name: "max-size", Value: "2G", Usage: "make replays of up to `SIZE` in all; later matches have none"},
			&cli.IntFlag{Name: "jobs", Usage: "`N` matches drawn at a time", DefaultText: "the number of CPUs"},
			jsonFlag(), &cli.BoolFlag{Name: "quiet", Usage: "print nothing but errors"},
		},
		Action: a.report,
	}
}

// reporter is one run of the command.
type reporter struct {
	*app
	c      *cli.Context
	out    *siteFolder
	files  []string
	counts []int    // records of each file, as the first reading found them
	stdin  *os.File // a copy of standard input, which is read twice
	site   html.Site
	game   string // name of the game; "" before the first record
	rounds rounds // of the only run, if it was played in rounds
}

// reportResult is the output of `report --json`.
type reportResult struct {
	Game    string `json:"game"`
	Matches int    `json:"matches"`
	Index   string `json:"index"` // the page to open
	Files   int    `json:"files"`
	Bytes   int64  `json:"bytes"`
}

func (a *app) report(c *cli.Context) (err error) {
	r := &reporter{app: a, c: c, files: c.Args().Slice()}
	defer r.close()
	if err := r.readFlags(); err != nil {
		return err
	}
	if err := r.count(); err != nil {
		return err
	}
	r.describe()
	r.site.View = func(t *standings.Tally) (report.Standings, report.StandingsJSON) {
		return r.rounds.show(r.site.Game, t)
	}
	if err := r.write(); err != nil {
		return err
	}
	result := reportResult{Game: r.game, Matches: r.site.Matches(), Index: r.out.index(), Files: int(r.out.files.Load()), Bytes: r.out.bytes.Load()}
	switch {
	case c.Bool("json"):
		return a.out.JSON().Encode(result)
	case !c.Bool("quiet"):
		a.printf("%s: %s, %s, %.1f MB: open %s\n", r.site.Game.Title, report.Plural(result.Matches, "match"),
			report.Plural(result.Files, "file"), float64(result.Bytes)/1e6, result.Index)
	}
	return nil
}

// readFlags checks the arguments before anything is read.
func (r *reporter) readFlags() (err error) {
	switch {
	case len(r.files) == 0:
		return usagef("found no results, expected `umpire report DIR... -o OUT`")
	case r.c.String("o") == "-":
		return usagef("-o -: a report is a folder of pages; expected its name")
	case r.c.String("o") == "":
		return usagef("found no -o, expected the folder to write to: `umpire report %s -o site`", quote(r.files[0]))
	}
	size, err := settings.ParseSize(r.c.String("max-size"))
	if err != nil {
		return usagef("--max-size: %w", err)
	}
	if r.site.Jobs, err = countFlag(r.c, "jobs"); err != nil {
		return err
	}
	if r.site.Jobs == 0 {
		r.site.Jobs = runtime.GOMAXPROCS(0)
	}
	if text := r.c.String("formula"); r.c.IsSet("formula") {
		if _, err := scoring.Compile(text); err != nil {
			return usagef("--formula: %w", err)
		}
	}
	r.out, err = openSite(r.c.String("o"), r.c.Bool("force"))
	r.site.MaxReplays, r.site.Games, r.site.Create = size, r.games, r.createFile
	return err
}

// createFile makes a file of the site, unless the user has interrupted.
func (r *reporter) createFile(name string) (io.WriteCloser, error) {
	if err := r.c.Context.Err(); err != nil {
		return nil, err
	}
	return r.out.create(name)
}

// count reads the records for the first time.
func (r *reporter) count() error {
	for i, name := range r.files {
		if name == "-" {
			if r.stdin != nil {
				return usagef("found - twice: standard input can be read once")
			}
			var err error
			if r.stdin, err = r.keepInput(); err != nil {
				return err
			}
		}
		r.files[i] = resultsIn(name)
		if len(r.files) == 1 {
			r.rounds = r.roundsOf(r.files[i])
		}
		in, err := r.open(r.files[i])
		if err != nil {
			return usage(err)
		}
		r.counts = append(r.counts, 0)
		torn, err := record.Summaries(r.files[i], in, runtime.GOMAXPROCS(0), func(b *record.Summary) error {
			r.counts[i]++
			return r.add(r.files[i], b)
		})
		if err = errors.Join(err, in.Close()); err != nil {
			return usage(err)
		}
		if torn {
			r.note("umpire: %s: the last line is cut off; its match does not count\n", r.files[i])
		}
	}
	if r.game == "" {
		return usagef("found no records in %s", r.files[0])
	}
	return nil
}

// add counts a record in the first reading.
func (r *reporter) add(file string, b *record.Summary) (err error) {
	switch {
	case r.c.Context.Err() != nil:
		return r.c.Context.Err()
	case r.game == "":
		if r.site.Game, err = r.app.game(b.Game); err != nil {
			return err
		}
		r.game = r.site.Game.Name
	case b.Game != r.game:
		return usagef("%s: found records of %s and %s, expected one game", file, r.game, b.Game)
	}
	counts, err := r.site.Add(b)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if counts {
		r.rounds.add(b)
	}
	return nil
}

func (r *reporter) close() {
	if r.stdin != nil {
		_ = r.stdin.Close()
	}
	if r.out != nil {
		r.out.discard()
	}
}

// open opens a results file.
func (r *reporter) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return record.NewReader(io.NewSectionReader(r.stdin, 0, 1<<62))
	}
	return record.Open(name)
}

// lines yields the records that were counted; a file may have grown since, and
// end with a line that is cut off.
func (r *reporter) lines() iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		for i, name := range r.files {
			if !r.linesOf(i, name, yield) {
				return
			}
		}
	}
}

// linesOf yields the records of the i-th file; it reports whether to go on.
func (r *reporter) linesOf(i int, name string, yield func(record.Line, error) bool) bool {
	in, err := r.open(name)
	if err != nil {
		yield(record.Line{}, err)
		return false
	}
	defer in.Close()
	left := r.counts[i]
	for line, err := range record.Lines(name, in) {
		if left == 0 {
			break
		}
		if left--; !yield(line, err) || err != nil {
			return false
		}
	}
	return true
}

// describe says how the matches were played, and how submissions are scored.
func (r *reporter) describe() {
	for i, name := range r.c.Args().Slice() {
		run := html.Run{Name: name}
		if name == "-" {
			run.Name = "standard input"
			r.site.Runs = append(r.site.Runs, run)
			continue
		}
		if !describeRun(&run, name) {
			run.Commands = append(run.Commands, html.Command{What: "Scores again, without playing", Line: runAgain("score", r.game).flag("from", r.files[i]).String()})
		}
		run.Commands = append(run.Commands,
			html.Command{What: "Standings again, without playing", Line: runAgain("standings", name).String()},
			html.Command{What: "Check every record by the rules", Line: runAgain("verify", name).String()},
			html.Command{What: "This report again", Line: runAgain("report", r.c.Args().Slice()...).flags(r.c, "o", "formula", "max-size").String()})
		r.site.Runs = append(r.site.Runs, run)
	}
	r.site.Score = r.score
}

// score scores the submissions, by the game's standard cases where the records
// are of them.
func (r *reporter) score(found []cases.Case, results *scoring.Results) (scores scoring.Scores, err error) {
	task := scoring.Task{}
	formula := r.site.Game.Formula
	if r.c.IsSet("formula") {
		formula = r.c.String("formula")
	}
	if task.Formula, err = scoring.Compile(formula); err != nil {
		return scores, err
	}
	standard, err := r.caseSource(r.c.Context).Whole(r.site.Game, cases.Choice{})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a game may have no standard cases
		return scores, err
	}
	if task.Set, err = standard.Match(r.site.Game, found); err != nil {
		return scores, err
	}
	return task.Score(results)
}

// write reads the records again, and writes the site.
func (r *reporter) write() error {
	p := r.app.progress("report", r.site.Matches(), r.c.Bool("quiet"))
	r.site.Done = p.Count
	if err := r.out.begin(); err != nil {
		return usagef("-o: %w", err)
	}
	err := r.site.Write(r.lines())
	p.End()
	if err == nil {
		err = r.out.commit()
	}
	if err != nil && r.c.Context.Err() == nil {
		return fmt.Errorf("write report: %w", err)
	}
	return err
}
