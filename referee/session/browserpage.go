package session

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"umpire/referee/report/browser"
	"umpire/referee/report/browser/compile"
)

// BrowserPage returns the page that shows results in a browser: that which a release has
// beside the program, or one made from the clone that the program or the working folder is
// in. Building is called before the Go compiler is, which may take a minute.
func BrowserPage(ctx context.Context, program, version string, building func()) ([]byte, error) {
	if path, err := filepath.EvalSymlinks(program); err == nil {
		program = path
	}
	beside := filepath.Dir(program)
	if !isClone(beside) {
		page, err := os.ReadFile(filepath.Join(beside, browser.PageName))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return page, err
		}
	}
	for _, dir := range []string{beside, "."} {
		if !isClone(dir) {
			continue
		}
		if _, err := exec.LookPath("go"); err != nil {
			return nil, mistakef("--browser: the page is made from umpire's sources by the Go compiler: found no go in PATH")
		}
		building()
		return compile.Page(ctx, dir, nil, version)
	}
	return nil, mistakef("--browser: found no %s in %s, where a release has it beside the program; copy it there from the release's archive, or run this in a clone of umpire, where Go makes it",
		browser.PageName, beside)
}

// isClone reports whether a folder is the top of umpire's sources.
func isClone(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !bytes.HasPrefix(text, []byte("module umpire\n")) {
		return false
	}
	info, err := os.Stat(filepath.Join(dir, "referee", "report", "browser"))
	return err == nil && info.IsDir()
}
