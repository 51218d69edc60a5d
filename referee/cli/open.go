package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/cli/shell"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/session"
	"umpire/referee/userfile"
)

func openCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "open", Usage: "show the page of a run or a match in the browser",
		ArgsUsage: "[RUN] [ID]",
		Description: `RUN is a run folder or a results file. With ID, or a beginning of it that no other id has, the
page is that of the match, which plays it back; without, it is the report of the run. Without RUN,
it is the last test or the newest run in this folder or its runs/: whichever has the ID, or is newer.

The page is kept in the cache folder, and its path is printed. As root, or where no browser can be
seen, that is all.`,
		Flags:  []cli.Flag{analyseFlag(), &cli.BoolFlag{Name: "quiet", Usage: "print nothing but errors"}},
		Action: func(c *cli.Context) error { return runOpen(a, c) },
	}
}

func runOpen(a *app, c *cli.Context) error {
	files, id, err := toOpen(a, c)
	if err != nil {
		return err
	}
	cache, err := build.CacheDir()
	if err != nil {
		return err
	}
	parts := []string{"page", id}
	for _, name := range files {
		parts = append(parts, session.Absolute(session.ResultsIn(name)))
	}
	folder := filepath.Join(cache, session.PagesFolder)
	dir := filepath.Join(folder, build.Digest(parts...))
	write := writeRun
	if id != "" {
		write = writeMatch
	} else if c.Bool("analyse") {
		return usagef("--analyse: is for a match, whose ID is missing")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	page, err := write(a, c, session.Pick{Files: files, ID: id}, dir)
	if err != nil {
		return err
	}
	build.Prune(folder)
	if !c.Bool("quiet") {
		a.printf("%s\n", fileLink(a.out, page))
	}
	return shell.Browse(page)
}

// toOpen says what is meant: results, and perhaps the id of a match in them.
func toOpen(a *app, c *cli.Context) (files []string, id string, err error) {
	switch args := c.Args().Slice(); {
	case len(args) > 2:
		return nil, "", usagef("found %d arguments, expected `umpire open [RUN] [ID]`", len(args))
	case len(args) == 2:
		return args[:1], args[1], nil
	case len(args) == 1 && (session.IsResults(args[0]) || program.Exists(args[0])):
		return args, "", nil
	case len(args) == 1 && strings.ContainsAny(args[0], `/\`):
		return nil, "", usagef("%s: no such run", args[0])
	case len(args) == 0:
		files, err = a.newest(c, session.NewestRecords())
		return files, "", err
	}
	if records, _, err := session.LastOfAll(); err == nil {
		files = append(files, session.LinkToLast(records))
	}
	if run := newestRun(); run != "" {
		files = append(files, run)
	}
	if len(files) == 0 {
		return nil, "", usagef("%s: no such run, and no results in this folder, its %s or of a test that may have a match of that id", c.Args().First(), session.RunsFolder)
	}
	return files, c.Args().First(), nil
}

// writeMatch writes the page of a match, and returns its path.
func writeMatch(a *app, c *cli.Context, p session.Pick, dir string) (string, error) {
	page, err := pickedPage(a, c, p)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(dir, "match.html")
	return name, userfile.Replace(name, page, 0o600)
}

// writeRun writes the report of a run, and returns the path of its first page.
func writeRun(a *app, c *cli.Context, p session.Pick, dir string) (string, error) {
	site := &session.Site{Selection: selectionOf(a, c), Names: p.Files}
	site.MaxReplays, site.Jobs = 2<<30, runtime.GOMAXPROCS(0)
	var err error
	if site.Folder, err = session.OpenSite(dir, true); err != nil {
		return "", err
	}
	return site.Folder.Index(), makeSite(a, c, site)
}
