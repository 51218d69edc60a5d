package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"umpire/referee/remote"
	"umpire/referee/remote/client"
	"umpire/referee/testlevel"
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
			_, path := withUmpire(t)
			p := startUmpire(t, path, "tournament", "vmukni", "remote:alice", "@greedy", "--case", "small/01", "--time", "0",
				"--jobs", "1", "-o", t.TempDir(), "--listen", "127.0.0.1:0", compress)
			url, keys := p.listening(1)
			if got := standingsIn(t, url); got != `<section id="standings" hidden></section>` {
				t.Errorf("before the first match: found %s", got)
			}
			_, end := playWays(t, url, keys["alice"])
			got := standingsIn(t, url)
			for _, r := range end.Results {
				row := fmt.Sprintf(`<tr><td class="n">%d</td><td><bdi>%s</bdi></td><td class="n">1</td>.*<td class="n">%v</td>`, r.Place, r.Player, r.Score)
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
	testlevel.Needs(t, testlevel.Default)
	dir, path := withUmpire(t)
	run := filepath.Join(dir, "run")
	bot := filepath.Join(dir, "bot.sh")
	save := func(comment string) {
		text := fmt.Sprintf("#!/bin/sh\n# %s\nexec %s bot vmukni/greedy\n", comment, path)
		write(t, bot, text)
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

// TestWatchLocal: also where only programs of this machine play, a tournament that
// listens shows its matches live, and their records hold the ids by which they were shown.
func TestWatchLocal(t *testing.T) {
	g := newGated(t)
	p := g.start("gate", "tournament", "ioiwari", "@greedy", g.bot(), "--time", "0", "--format", "swiss", "--cases-per-pair", "1", "-o", g.run, "--listen", "127.0.0.1:0", "--jobs", "1")
	url, _ := p.listening(0)
	var running []remote.MatchInfo
	for end := time.Now().Add(hangTime); len(running) == 0 && time.Now().Before(end); {
		_, text := fetch(t, url+"/api/v1/matches?state=running")
		if err := json.Unmarshal([]byte(text), &running); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	if len(running) != 1 {
		t.Fatalf("found %+v, expected one match", running)
	}
	id := running[0].ID
	if _, text := fetch(t, url+"/"); !strings.Contains(regexp.MustCompile(`(?s)<section id="current".*?</section>`).FindString(text), "matches/"+id) {
		t.Errorf("the lobby does not list match %s", id)
	}
	if _, text := fetch(t, url+"/standings"); !strings.Contains(text, "Round 1") || !strings.Contains(text, "0 of 2 played") {
		t.Errorf("the standings do not show the round: %s", text)
	}
	answer, err := http.Get(url + "/api/v1/matches/" + id + "/events")
	must(t, err)
	defer answer.Body.Close()
	events := bufio.NewScanner(answer.Body)
	next := func(name string) (data string) {
		for events.Scan() {
			if kind, ok := strings.CutPrefix(events.Text(), "event: "); ok && events.Scan() && kind == name {
				return events.Text()
			}
		}
		t.Fatalf("no event %s: %v", name, events.Err())
		return ""
	}
	if data := next("position"); !strings.Contains(data, `"step":0`) || !strings.Contains(data, `"pits"`) {
		t.Errorf("found %s", data)
	}
	g.open("gate")
	if data := next("over"); !strings.Contains(data, `"verdict":"foul"`) {
		t.Errorf("found %s", data)
	}
	if _, err := io.ReadAll(p.out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(g.run, "results.jsonl"))
	if n := strings.Count(string(text), `"match":"`+id+`"`); n != 1 || err != nil {
		t.Errorf("found %d records of match %s, error %v: %s", n, id, err, text)
	}
}
