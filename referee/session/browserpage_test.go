package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/report/browser"
)

// TestBrowserPage: the page is the one beside the program, also where a link leads to the
// program; where there is none, the error says what to do.
func TestBrowserPage(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	t.Chdir(elsewhere)
	program, link := filepath.Join(dir, "umpire"), filepath.Join(elsewhere, "umpire")
	for name, text := range map[string]string{program: "", filepath.Join(dir, browser.PageName): "<!doctype html>"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program, link); err != nil {
		t.Skip(err)
	}
	building := func() { t.Error("a page is built") }
	for _, name := range []string{program, link} {
		if page, err := BrowserPage(context.Background(), name, "1", building); err != nil || string(page) != "<!doctype html>" {
			t.Errorf("%s: page %q, error %v", name, page, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, browser.PageName)); err != nil {
		t.Fatal(err)
	}
	_, err := BrowserPage(context.Background(), program, "1", building)
	if err == nil || !strings.Contains(err.Error(), "found no umpire.html in "+dir) {
		t.Errorf("error %v", err)
	}
}
