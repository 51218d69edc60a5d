package cli

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/referee/analysis"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/scoring"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func reportCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "write a static site of a run: standings, crosstable, bots, matches, replays",
		ArgsUsage: "[DIR]...",
		Description: `DIR is a run folder, a results file, or - for standard input; the records of several are
combined, and a match that occurs twice counts once. Without DIR, it is the newest run in this
folder or its runs/. In a tournament's run folder, only the
matches of that tournament count, as in umpire standings, unless --all. No match is played.

The pages load nothing from elsewhere and open from a disk: open OUT/index.html in a browser.
OUT is made if it is not there. One that holds an earlier report is replaced; one that holds
anything else is refused, unless --force writes the report among it. Files that are not of the
report are left alone.

Where all matches are those of submissions, as umpire score plays them, the site shows their
scores by the game's formula, or by --formula.

--browser FILE writes a page that shows any results file that is dropped on it, with nothing
installed: standings, matches, replays, what replies were worth. The file stays in the browser.
Where there is no -o, that page alone is written and no results are read.`,
		Flags: slices.Concat(filterFlags(), []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "folder `OUT` to write the site to"},
			&cli.BoolFlag{Name: "force", Usage: "write among other files in OUT, and replace those of the same name"},
			&cli.BoolFlag{Name: "analyse", Usage: "say what each reply was worth: marks in all replays, accuracy, each bot's worst moves"},
			&cli.StringFlag{Name: "game", Usage: "show positions with the viewer.html of the game in folder `DIR` (default: that of a game that was added, if it has not changed)"},
			&cli.StringFlag{Name: "formula", Usage: "points that a case earns: `EXPR` of P X Y win tie loss … (default: the game's)"},
			&cli.StringFlag{Name: "max-size", Value: "2G", Usage: "stop drawing replays when they take `SIZE`; the matches after that have none"},
			&cli.IntFlag{Name: "jobs", Usage: "`N` matches drawn at a time", DefaultText: "the number of CPUs"},
			&cli.StringFlag{Name: "browser", Usage: "write the page that shows results in a browser to `FILE`"},
			jsonFlag(), &cli.BoolFlag{Name: "quiet", Usage: "print nothing but errors"},
		}),
		Action: func(c *cli.Context) error { return runReport(a, c) },
	}
}

// reportResult is the output of `report --json`.
type reportResult struct {
	Game    string `json:"game"`
	Matches int    `json:"matches"`
	Index   string `json:"index"` // the page to open
	Files   int    `json:"files"`
	Bytes   int64  `json:"bytes"`
}

func runReport(a *app, c *cli.Context) error {
	if c.IsSet("browser") {
		if err := writeBrowserPage(a, c); err != nil || c.String("o") == "" {
			return err
		}
	}
	site, err := openSite(a, c)
	if err != nil {
		return err
	}
	if err := makeSite(a, c, site); err != nil {
		return err
	}
	result := reportResult{Game: site.Game.Name, Matches: site.Matches(), Index: site.Folder.Index()}
	result.Files, result.Bytes = site.Folder.Size()
	switch {
	case c.Bool("json"):
		return a.out.JSON().Encode(result)
	case !c.Bool("quiet"):
		a.printf("%s: %s, %s, %.1f MB: open %s\n", site.Game.Title, report.Plural(result.Matches, "match"),
			report.Plural(result.Files, "file"), float64(result.Bytes)/1e6, fileLink(a.out, result.Index))
	}
	return nil
}

// writeBrowserPage writes the page that shows results in a browser.
func writeBrowserPage(a *app, c *cli.Context) error {
	name := c.String("browser")
	if name == "-" {
		return usagef("--browser %s: expected the name of a file", name)
	}
	if err := checkPageAlone(c); err != nil {
		return err
	}
	if err := checkReplaceable("--browser", name); err != nil {
		return usage(err)
	}
	note := a.tell(c).Note
	page, err := session.BrowserPage(c.Context, a.umpire.Path, version(), func() {
		note("umpire: building the page with Go, which takes a minute the first time\n")
	})
	if err == nil {
		err = replacePage("--browser", name, page)
	}
	if err == nil {
		note("umpire: wrote %s\n", fileLink(a.err, name))
	}
	return err
}

// checkPageAlone checks that without a site nothing is said of one.
func checkPageAlone(c *cli.Context) error {
	if c.String("o") != "" {
		return nil
	}
	of := c.Args().First()
	for _, flag := range c.Command.Flags {
		if name := flag.Names()[0]; c.IsSet(name) && name != "browser" && name != "quiet" {
			of = "--" + name
		}
	}
	if of == "" {
		return nil
	}
	return usagef("found no -o, and %s is for a site: --browser alone writes a page without results; `umpire report --browser %s -o site ...` writes both",
		of, quote(c.String("browser")))
}

// makeSite reads the records of a site and writes it.
func makeSite(a *app, c *cli.Context, site *session.Site) error {
	defer site.Folder.Discard()
	defer a.files.Close()
	names := slices.Clone(site.Names) // as the user gave them
	if err := site.Read(c.Context); err != nil {
		return err
	}
	if err := checkAnalyse(a, c, site.Game); err != nil && !site.Own() {
		return err
	}
	site.Runs = runsIn(c, site, names)
	p := a.progress("report", site.Matches(), c.Bool("quiet"))
	defer p.End()
	site.Done = p.Count
	return site.Make(c.Context)
}

// openSite checks the arguments before anything is read.
func openSite(a *app, c *cli.Context) (site *session.Site, err error) {
	names, err := a.named(c, newestRun)
	if err != nil {
		return nil, err
	}
	site = &session.Site{Selection: selectionOf(a, c), Names: names, Formula: c.String("formula"), Dir: c.String("game")}
	if c.Bool("analyse") {
		site.Analysed = new(analysis.Memory)
	}
	switch {
	case c.String("o") == "-":
		return nil, usagef("-o -: a report is a folder of pages; expected its name")
	case c.String("o") == "":
		return nil, usagef("found no -o, expected the folder to write to: `umpire report %s -o site`", quote(site.Names[0]))
	}
	if site.MaxReplays, err = settings.ParseSize(c.String("max-size")); err != nil {
		return nil, usagef("--max-size: %w", err)
	}
	if site.Jobs, err = flagValues(c).count("jobs"); err != nil {
		return nil, err
	}
	site.Jobs = cmp.Or(site.Jobs, runtime.GOMAXPROCS(0))
	if site.Formula != "" {
		if _, err := scoring.Compile(site.Formula); err != nil {
			return nil, usagef("--formula: %w", err)
		}
	}
	site.Folder, err = session.OpenSite(c.String("o"), c.Bool("force"))
	return site, err
}

// runsIn describes how the matches were played, with the commands that play and
// show them again.
func runsIn(c *cli.Context, site *session.Site, names []string) (runs []html.Run) {
	for i, name := range names {
		run := html.Run{Name: name, File: site.Names[i], Argument: (&again{}).args(name).String()}
		if name == "-" {
			run.Name, run.Argument = "standard input", ""
			runs = append(runs, run)
			continue
		}
		if resume, ok := session.DescribeRun(&run, name); ok {
			run.Commands = append(run.Commands,
				html.Command{What: "The whole tournament again", Line: repeatTournament(name)},
				html.Command{What: "Play what is missing", Line: resumeIn(name, resume)})
		}
		if game := site.GameWord(c.Context); game != "" && !site.Filter.Active() && !slices.Contains(names, "-") {
			scores := runAgain("score", game)
			for _, file := range site.Names {
				scores.flag("from", file)
			}
			run.Commands = append(run.Commands, html.Command{What: "Scores again, without playing", Line: scores.flags(c, "formula").String(), Scores: true})
		}
		run.Commands = append(run.Commands,
			html.Command{What: "Standings again, without playing", Line: runAgain("standings", name).flags(c, "bot", "without", "case", "all").String()},
			html.Command{What: "Check every record by the rules", Line: runAgain("verify", name).String()},
			html.Command{What: "This report again", Line: runAgain(c.Command.Name, names...).flags(c, "o", "force", "analyse", "game", "formula", "max-size", "bot", "without", "case", "all").String()})
		runs = append(runs, run)
	}
	return runs
}

// resumeIn returns the command that plays what is missing in a run folder, given what it
// was in the folder in which umpire was started.
func resumeIn(dir, resume string) string {
	words, err := build.SplitWords(resume)
	at := slices.Index(words, "-o")
	if err != nil || at < 0 || at+1 == len(words) {
		return resume
	}
	words[at+1] = dir
	return (&again{}).args(words...).String()
}
