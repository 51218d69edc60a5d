package compile

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"umpire/referee/record"
	"umpire/referee/report/browser"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/report/html/pagetest"
	"umpire/referee/talk"
	"umpire/referee/testlevel"
)

func TestMain(m *testing.M) {
	code := m.Run()
	browsertest.Close()
	os.Exit(code)
}

// hostile is the name of a bot that tries to become markup.
const hostile = `</script><img src=x onerror=alert(1)>`

// played returns the records of matches of ioiwari in which each seat gives the first reply
// that it may.
func played(t *testing.T) (records []record.Record) {
	t.Helper()
	g := pagetest.Game(t, "ioiwari")
	names := []string{hostile, "two", "three"}
	for n := range 4 {
		c, err := g.Generate(g.Groups[0], uint64(n+1))
		if err != nil {
			t.Fatal(err)
		}
		r := pagetest.Completed(t, pagetest.Play(t, g, c, 2, pagetest.Choose()), names[n%3], names[(n+1)%3])
		r.ID, r.Case.Name = fmt.Sprintf("%016x", n+1), "<b>case"
		records = append(records, r)
	}
	return records
}

// own returns the record of a match of a game of one's own, whose judge's picture is not safe.
func own(t *testing.T) record.Record {
	t.Helper()
	facts := talk.Facts{Title: "Own <i>game", MinSeats: 1, MaxSeats: 1}
	reply := "1"
	return record.Record{
		V: 1, ID: "0123456789abcdef", Game: "own", Case: record.Case{Name: "game/1"}, Seats: []record.Seat{{Bot: "alone", Verdict: "ok", Place: 1, Replies: 1}},
		Talk:    "show start\nsvg <svg viewBox=\"0 0 9 9\"><rect width=\"9\" height=\"9\" onclick=\"alert(2)\"/></svg>\nask 1\nshow end\nend 1",
		Package: &record.Package{Format: record.FormatUmpire, Digest: "0123456789abcdef", Facts: facts},
		Events:  []record.Event{{Seat: 1, Reply: &reply, WallUS: 100}},
	}
}

// write writes records to a results file, compressed if its name says so.
func write(t *testing.T, name string, records ...record.Record) string {
	t.Helper()
	var lines strings.Builder
	for _, r := range records {
		if err := json.NewEncoder(&lines).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if strings.HasSuffix(name, record.CompressedSuffix) {
		err = record.Compress(f, strings.NewReader(lines.String()))
	} else {
		_, err = f.WriteString(lines.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPage builds the page, which has a bound, and uses it as people do: from a disk and
// from a server. Nothing is asked of anybody, whatever records say.
func TestPage(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	b := browsertest.New(t)
	page, err := Page(context.Background(), "../../../..", nil, "0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	if len(page) > browser.MaxPage {
		t.Errorf("the page has %d bytes, expected at most %d", len(page), int(browser.MaxPage))
	}
	path := filepath.Join(t.TempDir(), browser.PageName)
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(path))))
	defer server.Close()

	plain, compressed, talked := write(t, "results.jsonl", played(t)...), write(t, "results.jsonl.zst", played(t)...), write(t, "own.jsonl", own(t))
	b.Open(path, "")
	b.Accessible("the page before a file is chosen")
	b.Show(1280, "light")
	if browsertest.Eval[bool](b, "'umpire' in globalThis") {
		t.Error("the program runs before a file is chosen")
	}
	choose(b, plain, "Ioiwari: report")
	visit(b)
	choose(b, talked, "Own <i>game: report")
	b.Run(chromedp.Evaluate("location.hash = '#replays/1.html?0'", nil))
	titled(b, "Own <i>game: alone")
	if text := browsertest.Eval[string](b, awaited("umpire.replay(0, false)")); strings.Contains(text, "alert(2)") {
		t.Error("the picture of a judge has a script")
	}
	b.Check("games of one's own")

	// A file takes the place of one that is being read.
	larger, _ := writeLarge(t, 5e6)
	b.Run(chromedp.SetUploadFiles("#file", []string{larger}, chromedp.ByQuery))
	choose(b, plain, "Ioiwari: report")
	if got := browsertest.Eval[string](b, "document.getElementById('title').textContent + document.getElementById('said').textContent"); got != "Ioiwari: results.jsonl" {
		t.Errorf("another file was opened, and the page says %q", got)
	}
	visit(b)

	b.Visit(server.URL, "/"+browser.PageName)
	choose(b, compressed, "Ioiwari: report")
	visit(b)
	refuse(b, server.URL)
	wrong(b, t)

	// Where the program breaks down the page says so, and another file starts it anew.
	b.Run(chromedp.Evaluate("document.getElementById('view').title = '', setTimeout(() => umpire.read()), 0", nil))
	b.Await("document.getElementById('said').textContent.startsWith('the program that reads results has ended')")
	b.Run(chromedp.SetUploadFiles("#file", []string{plain}, chromedp.ByQuery))
	titled(b, "Ioiwari: report")
}

// choose hands the page a file, and waits for a page with a title.
func choose(b *browsertest.Tab, path, title string) {
	b.T.Helper()
	b.Run(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
	titled(b, title)
	b.Await("document.getElementById('progress').hidden")
	b.Check(path)
}

// titled waits until the page in the frame has a title.
func titled(b *browsertest.Tab, title string) {
	b.T.Helper()
	b.Await(fmt.Sprintf("document.getElementById('view').title.startsWith(%q)", title))
}

// awaited reads a page that the program returns a promise of.
func awaited(call string) string {
	return "(" + call + ".then((page) => { globalThis.got = new TextDecoder().decode(page); }), globalThis.got || '')"
}

// visit goes from page to page, each of which is shown as its policy allows.
func visit(b *browsertest.Tab) {
	b.T.Helper()
	for _, page := range []struct{ address, title string }{
		{"matches.html#bot=2", "Matches"}, {"pairs.html#1,2", "Head to head"}, {"bots/1.html", ""}, {"replays/1.html?2#step=3", "Ioiwari: "}, {"index.html", "Ioiwari: report"},
	} {
		b.Run(chromedp.Evaluate("document.getElementById('view').title = '', location.hash = '#"+page.address+"'", nil))
		b.Await("document.getElementById('view').title")
		titled(b, page.title)
		b.Check(page.address)
	}
	b.Run(chromedp.Evaluate("location.hash = '#replays/1.html?0'", nil))
	titled(b, "Ioiwari: ")
	b.Run(chromedp.Evaluate("document.getElementById('view').title = '', document.getElementById('analyse').click()", nil))
	b.Await("document.getElementById('view').title")
	if !browsertest.Eval[bool](b, "document.getElementById('before').hidden && !document.getElementById('after').hidden") {
		b.T.Error("the first match has a match before it, or none after it")
	}
	b.Accessible("a replay")
	b.Run(chromedp.Evaluate("document.getElementById('analyse').click()", nil))
	b.Check("an analysis")
}

// refuse asks the browser for what the policy forbids.
func refuse(b *browsertest.Tab, server string) {
	b.T.Helper()
	b.Run(chromedp.Evaluate("fetch("+fmt.Sprintf("%q", server+"/other")+").then(() => { globalThis.reached = true; }, () => { globalThis.reached = false; })", nil))
	b.Await("globalThis.reached !== undefined")
	if browsertest.Eval[bool](b, "globalThis.reached") {
		b.T.Error("the page has reached its server")
	}
	b.Expect("connect-src")
	b.Expect(url.PathEscape("other"))
	b.Check("a request")
}

// wrong chooses a file with a line that is no record.
func wrong(b *browsertest.Tab, t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "broken.jsonl")
	good, err := os.ReadFile(write(t, "results.jsonl", played(t)...))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(good, "<img src=x onerror=alert(3)>\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Run(chromedp.SetUploadFiles("#file", []string{path}, chromedp.ByQuery))
	b.Await("document.getElementById('said').className === 'note'")
	if said := browsertest.Eval[string](b, "document.getElementById('said').textContent"); !strings.HasPrefix(said, "broken.jsonl:5: not a match record") {
		t.Errorf("the page says %q", said)
	}
	b.Check("a broken line")
}
