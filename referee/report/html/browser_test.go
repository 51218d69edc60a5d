package html

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBrowser opens pages in Chromium, where it is installed: the script draws
// the step that the address names, nothing else runs, and nothing goes wrong.
func TestBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("notice: no chromium, so no page is opened")
	}
	if dom, _ := open(t, browser, "about:blank"); !strings.Contains(dom, "<body>") {
		t.Skipf("notice: chromium shows no page here, so none is opened: %s", dom)
	}
	r := sample(t, "ioiwari")
	const nasty = `</script><script>document.title="harm"</script><img src=x onerror="document.title='harm'">`
	r.Seats[0].Bot, r.Seats[0].Stderr, r.Seats[1].Bot = nasty, nasty, nasty
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(page(t, r)), 0o600); err != nil {
		t.Fatal(err)
	}
	d, texts := dataOf(t, page(t, r))
	for _, test := range []struct {
		address string
		step    int
	}{{"", 0}, {"#step=3", 3}, {"#step=999", len(d.Steps) - 1}} {
		dom, log := open(t, browser, "file://"+path+test.address)
		if errors := regexp.MustCompile(`(?m)^.*CONSOLE.*$`).FindAllString(log, -1); errors != nil {
			t.Errorf("%s: the console says %q", test.address, errors)
		}
		if strings.Contains(dom, "<title>harm") || strings.Contains(dom, "<img") {
			t.Errorf("%s: a bot's name acts", test.address)
		}
		_, shown, _ := strings.Cut(dom, `<div id="picture">`)
		shown, _, _ = strings.Cut(shown, "</div>")
		if got, want := words(shown), words(pictures(d, texts)[test.step]); got != want {
			t.Errorf("%s: shows %s, expected %s", test.address, got, want)
		}
	}
}

// open returns a page as it is after its script has run, and what the browser logs.
func open(t *testing.T, browser, address string) (dom, log string) {
	t.Helper()
	profile, err := os.MkdirTemp("", "umpire-browser-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile) // as far as it goes: helpers of the browser may still write there
	var out, errs bytes.Buffer
	// Its own sandbox does not run as root. The page is ours.
	cmd := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--user-data-dir="+profile, "--virtual-time-budget=2000", "--dump-dom", address)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return err.Error(), errs.String()
	}
	return out.String(), errs.String()
}

// words is the text of markup.
func words(markup string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(markup, " ")), " ")
}
