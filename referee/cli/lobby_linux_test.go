package cli_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/client"
)

// standingsIn returns the standings in the lobby of an umpire.
func standingsIn(t *testing.T, url string) string {
	t.Helper()
	_, text := fetch(t, url+"/")
	return regexp.MustCompile(`(?s)<section id="standings".*?</section>`).FindString(text)
}

// TestLobbyStandings: while a tournament is being played, the lobby shows its
// standings after each match, also where results are compressed.
func TestLobbyStandings(t *testing.T) {
	for _, compress := range []string{"--compress=false", "--compress"} {
		t.Run(compress, func(t *testing.T) {
			path := link(t, os.Args[0], filepath.Join(t.TempDir(), "umpire"))
			p := startUmpire(t, path, "tournament", "vmukni", "remote:alice", "@greedy", "--case", "small/01", "--time", "0",
				"--jobs", "1", "-o", t.TempDir(), "--listen", "127.0.0.1:0", compress)
			url, keys := p.listening(1)
			if got := standingsIn(t, url); got != `<section id="standings" hidden></section>` {
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
			got := standingsIn(t, url)
			for _, r := range end.Results {
				row := fmt.Sprintf(`<tr><td class="n">%d</td><td><bdi>%s</bdi></td><td class="n">1</td>.*<td class="n">%d</td>`, r.Place, r.Player, r.Score)
				if !regexp.MustCompile(row).MatchString(got) {
					t.Errorf("found no row of %+v in %s", r, got)
				}
			}
		})
	}
}

// TestLobbyAfterResume: after a bot was edited and the run resumed, the lobby
// counts the matches of the tournament, not those of the bot as it was.
func TestLobbyAfterResume(t *testing.T) {
	dir := t.TempDir()
	path, run := link(t, os.Args[0], filepath.Join(dir, "umpire")), filepath.Join(dir, "run")
	bot := filepath.Join(dir, "bot.sh")
	save := func(comment string) {
		text := fmt.Sprintf("#!/bin/sh\n# %s\nexec %s bot vmukni/greedy\n", comment, path)
		if err := os.WriteFile(bot, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--case", "small/01", "--time", "0", "--jobs", "1", "-o", run}
	save("first version")
	p := startUmpire(t, path, append([]string{"tournament", "vmukni", "x=" + bot, "@greedy"}, args...)...)
	if _, err := io.ReadAll(p.out); err != nil {
		t.Fatal(err)
	}
	save("second version")
	args = append(args, "--resume", "--listen", "127.0.0.1:0")
	p = startUmpire(t, path, append([]string{"tournament", "vmukni", "x=" + bot, "@greedy", "remote:alice"}, args...)...)
	url, keys := p.listening(1)
	c := &client.Client{URL: url, Key: keys["alice"], HTTP: &http.Client{Timeout: time.Minute}}
	// Her first match begins when those of the others have ended.
	if _, err := c.Join(t.Context(), "", ""); err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`<bdi>(.*?)</bdi></td><td class="n">(\d+)</td>`).FindAllStringSubmatch(standingsIn(t, url), -1)
	played := make(map[string]string)
	for _, m := range found {
		played[m[1]] = m[2]
	}
	if want := map[string]string{"x": "2", "@greedy": "2", "alice": "0"}; !maps.Equal(played, want) {
		t.Errorf("found matches played %v, expected %v", played, want)
	}
}
