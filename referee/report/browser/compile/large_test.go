package compile

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"umpire/referee/report/browser"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/testlevel"
)

// large is how many bytes of records are to be read in 10 s, so that the standings, the
// matches and their replays are there.
const large = 100e6

// TestLarge reads many records, and says how much CPU time the page's thread has used.
func TestLarge(t *testing.T) {
	testlevel.Needs(t, testlevel.Release)
	b := browsertest.New(t)
	page, err := Page(context.Background(), "../../../..", nil, "0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), browser.PageName)
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	records, n := writeLarge(t, large)
	b.Open(path, "")
	b.Run(performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks))
	b.Run(chromedp.SetUploadFiles("#file", []string{records}, chromedp.ByQuery))
	titled(b, "Ioiwari: report")
	standings := taskSeconds(b)
	b.Run(chromedp.Evaluate(fmt.Sprintf("location.hash = '#replays/1.html?%d'", n-1), nil))
	titled(b, "Ioiwari: ")
	b.Run(chromedp.Evaluate("location.hash = '#matches.html'", nil))
	titled(b, "Matches")
	seen := taskSeconds(b)
	b.Run(chromedp.Evaluate("location.hash = '#bots/1.html'", nil))
	b.Await("document.getElementById('progress').hidden")
	titled(b, "two")
	t.Logf("%d records, %.0f MB: standings after %.1f s of CPU time, a replay and the list after %.1f s, all after %.1f s", n, large/1e6, standings, seen, taskSeconds(b))
}

// writeLarge writes a results file of so many bytes, and returns how many records it has.
func writeLarge(t *testing.T, bytes int) (path string, n int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "large.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	for size, some := 0, played(t); size < bytes; n++ {
		r := &some[n%len(some)]
		r.ID, r.Case.Name = fmt.Sprintf("%016x", n+1), fmt.Sprintf("random#%d", n/len(some))
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		size += len(line) + 1
		_, _ = out.Write(append(line, '\n'))
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return path, n
}

// taskSeconds is the CPU time that the page's thread has used.
func taskSeconds(b *browsertest.Tab) (seconds float64) {
	b.T.Helper()
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		metrics, err := performance.GetMetrics().Do(ctx)
		for _, m := range metrics {
			if m.Name == "TaskDuration" {
				seconds = m.Value
			}
		}
		return err
	}))
	return seconds
}
