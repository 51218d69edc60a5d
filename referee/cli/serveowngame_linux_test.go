package cli_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// TestServeOwnGame hosts a game of its author's own that was added, in which hands are
// hidden: a person plays what its judge says, onlookers see nothing of it before the end,
// and everything after. A game that can't be read is left out.
func TestServeOwnGame(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	dir, path := withUmpire(t)
	games := filepath.Join(dir, "config", "umpire", "games.yaml")
	cards, err := filepath.Abs("../external/testdata/cards")
	must(t, err)
	write(t, games, "cards: "+cards+"\ngone: "+filepath.Join(dir, "gone")+"\n")
	p := startUmpire(t, "/usr/bin/env", "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), path, "serve", "-o", filepath.Join(dir, "data"), "--listen", "127.0.0.1:0")
	p.says("^notice: gone is not offered: found no folder .*games.yaml has it as gone; umpire games --remove gone ")
	url := serveURL(p)
	if status, text := fetch(t, url+"/api/v1/games/cards"); status != http.StatusOK || !strings.Contains(text, `{"name":"@high"`) || !strings.Contains(text, `"human":true`) {
		t.Errorf("the game: status %d, %s", status, text)
	}
	var m struct {
		ID    string
		Seats []struct{ Link string }
	}
	post(t, url, "matches", map[string]any{"game": "cards", "seats": []string{"human:eve", "@high"}, "move_ms": 300_000}, &m)
	var random struct{ ID string }
	post(t, url, "matches", map[string]any{"game": "cards", "seats": []string{"human:bob", "@random"}}, &random)
	match := url + "/api/v1/matches/" + m.ID
	looks, err := http.Get(match + "/events")
	must(t, err)
	defer looks.Body.Close()
	_, ticket, _ := strings.Cut(m.Seats[0].Link, "#")
	turn := func(method, k, body string) (info struct {
		State, Detail string
		Board         struct {
			Text    string
			Choices []struct{ Reply string }
		}
	}) {
		t.Helper()
		status, text := request(t, method, url+"/api/v1/seat/turns/"+k+"?wait=30&board", body, "Authorization", "Bearer "+ticket)
		if err := json.Unmarshal([]byte(text), &info); err != nil || status != http.StatusOK {
			t.Fatalf("turn %s: status %d, %s", k, status, text)
		}
		return info
	}
	events := bufio.NewReader(looks.Body)
	seen := ""
	for info, k := turn("GET", "1", ""), 1; k <= 5; k++ {
		if info.State != "move" || len(info.Board.Choices) != 6-k || !strings.Contains(info.Board.Text, info.Board.Choices[0].Reply) {
			t.Fatalf("turn %d: found %+v", k, info)
		}
		if status, text := fetch(t, match+"/record"); status != http.StatusConflict {
			t.Errorf("the record: status %d, %s", status, text)
		}
		for !strings.Contains(seen, "event: position\n") { // the onlooker is there
			text, err := events.ReadString('\n')
			must(t, err)
			seen += text
		}
		reply, _ := json.Marshal(map[string]string{"reply": info.Board.Choices[0].Reply})
		info = turn("PUT", string(rune('0'+k)), string(reply))
	}
	rest, err := io.ReadAll(events)
	must(t, err)
	seen, _, over := strings.Cut(seen+string(rest), "event: over\n")
	if !over || strings.Count(seen, "event: position\n") < 6 || strings.Contains(seen, `"reply"`) || strings.Contains(seen, "against") || strings.Contains(seen, "sees") {
		t.Errorf("an onlooker sees\n%s", seen)
	}
	if status, text := fetch(t, match+"/record"); status != http.StatusOK || !strings.Contains(text, `"seed":"`) {
		t.Errorf("the record: status %d, %s", status, text)
	}
	if _, text := fetch(t, match+"/events"); !strings.Contains(text, `"reply"`) || !strings.Contains(text, " against ") {
		t.Errorf("after the end an onlooker sees\n%s", text)
	}
	if status, text := fetch(t, url+"/matches/"+m.ID); status != http.StatusOK || !strings.Contains(text, " against ") {
		t.Errorf("the page: status %d, %s", status, text)
	}
}
