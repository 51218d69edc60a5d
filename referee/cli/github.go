package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/program"
	"umpire/referee/report"
	"umpire/referee/session"
)

// tellGitHub adds to a step of GitHub Actions, if this is one: annotations of what failed
// at the bots' own lines, and the result as its summary.
func tellGitHub(a *app, c *cli.Context, result report.Exported) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	for _, n := range report.Annotate(result.Suites, func(bot string) string { return fileOf(c, bot) }) {
		a.err.Printf("%s\n", n.GitHub())
	}
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	defer file.Close()
	if err := result.Page.WriteMarkdown(file); err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	_, err = io.WriteString(file, "\n")
	return err
}

// fileOf returns the source of a bot of the command line, as the repository names it; ""
// if it is no single file.
func fileOf(c *cli.Context, bot string) string {
	for _, e := range program.ParseEntrants("", c.Args().Tail()) {
		files := e.Files()
		if len(files) == 0 {
			continue
		}
		file := files[len(files)-1]
		info, err := os.Stat(file)
		base := filepath.Base(file)
		if err != nil || info.IsDir() || cmp.Or(e.Name, strings.TrimSuffix(base, filepath.Ext(base))) != bot && c.NArg() > 2 {
			continue
		}
		if rel, err := filepath.Rel(session.Absolute(os.Getenv("GITHUB_WORKSPACE")), file); err == nil && filepath.IsLocal(rel) {
			return rel
		}
		return file
	}
	return ""
}
