package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/client"
)

// TestLobbyStandings: while a tournament is being played, the lobby shows its
// standings after each match.
func TestLobbyStandings(t *testing.T) {
	path := link(t, os.Args[0], filepath.Join(t.TempDir(), "umpire"))
	p := startUmpire(t, path, "tournament", "vmukni", "remote:alice", "@greedy", "--case", "small/01", "--time", "0",
		"--jobs", "1", "-o", t.TempDir(), "--listen", "127.0.0.1:0")
	url, keys := p.listening(1)
	standings := func() string {
		_, text := fetch(t, url+"/")
		return regexp.MustCompile(`(?s)<section id="standings".*?</section>`).FindString(text)
	}
	if got := standings(); got != `<section id="standings" hidden></section>` {
		t.Errorf("before the first match: found %s", got)
	}
	c := &client.Client{URL: url, Key: keys["alice"], HTTP: &http.Client{Timeout: time.Minute}}
	seat, err := c.Join(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	end, err := c.Play(t.Context(), seat, &ways{})
	if err != nil || end.State != remote.TurnOver {
		t.Fatalf("found %+v, error %v", end, err)
	}
	got := standings()
	for _, r := range end.Results {
		row := fmt.Sprintf(`<tr><td class="n">%d</td><td><bdi>%s</bdi></td><td class="n">1</td>.*<td class="n">%d</td>`, r.Place, r.Player, r.Score)
		if !regexp.MustCompile(row).MatchString(got) {
			t.Errorf("found no row of %+v in %s", r, got)
		}
	}
}
