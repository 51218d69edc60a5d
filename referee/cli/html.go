package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"umpire/referee/analysis"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report/html/replay"
	"umpire/referee/session"
	"umpire/referee/userfile"
)

func htmlFlag() cli.Flag {
	return &cli.StringFlag{Name: "html", Usage: "write a page that plays the match back to `OUT`; - is standard output"}
}

// htmlTarget is where --html writes; "" without it. It is checked before
// anything is played.
func htmlTarget(c *cli.Context) (string, error) {
	name := c.String("html")
	switch {
	case name == "-" && c.Bool("json"):
		return "", usagef("--html -: --json already uses standard output; --html FILE writes a file")
	case name == "", name == "-":
		return name, nil
	}
	return name, usage(checkReplaceable("--html", name))
}

// checkReplaceable reports an error unless the file that a flag names is regular, or not
// there in a folder that is.
func checkReplaceable(flag, name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if dir := filepath.Dir(name); !program.Exists(dir) {
			return fmt.Errorf("%s %s: found no folder %s", flag, name, dir)
		}
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", flag, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %s exists and is not a regular file (%s), so it is not overwritten", flag, name, info.Mode())
	}
	return nil
}

// putPage writes the page of --html to a file, whole or not at all, or to standard output.
func putPage(a *app, name string, page []byte) error {
	if name == "-" {
		_, err := a.stdout.Write(page)
		return err
	}
	if err := replacePage("--html", name, page); err != nil {
		return err
	}
	a.note("umpire: wrote %s\n", fileLink(a.err, name))
	return nil
}

// replacePage writes a page to the file that a flag names, whole or not at all.
func replacePage(flag, name string, page []byte) error {
	if err := checkReplaceable(flag, name); err != nil {
		return err
	}
	if err := userfile.Replace(name, page, 0o666); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// replayPage writes the page of the one record that is picked.
func replayPage(a *app, c *cli.Context, p session.Pick) error {
	name, err := htmlTarget(c)
	if err != nil {
		return err
	}
	page, err := pickedPage(a, c, p)
	if err != nil {
		return err
	}
	return putPage(a, name, page)
}

// pickedPage makes the page of the one record that is picked.
func pickedPage(a *app, c *cli.Context, p session.Pick) ([]byte, error) {
	r, err := a.files.One(p)
	if err != nil {
		return nil, err
	}
	m, err := a.analysed(c, r)
	if err != nil {
		return nil, err
	}
	return matchPage(a, r, m)
}

// matchPage makes the page of a match, with its analysis unless that is nil. The error
// is the user's where the record is not valid.
func matchPage(a *app, r record.Record, m *analysis.Match) ([]byte, error) {
	page, err := replay.Match{Record: r, Games: a.umpire.Games, Worth: m}.Page()
	return page, invalid("record "+r.Called(), err)
}
