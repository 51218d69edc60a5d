package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"umpire/referee/testlevel"
)

// snakeServer is a server of Battlesnake's, which goes where it does not die at once.
type snakeServer struct {
	mu     sync.Mutex
	posted map[string]int // by path
	wrong  string
}

func (s *snakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	type point struct{ X, Y int }
	var at struct {
		Turn  int
		Board struct {
			Width, Height int
			Snakes        []struct{ Body []point }
		}
		You struct {
			ID   string
			Head point
		}
	}
	err := json.NewDecoder(r.Body).Decode(&at)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || at.You.ID != "1" || r.URL.Path == "/move" && at.Turn != s.posted["/move"] {
		s.wrong = fmt.Sprintf("%s %s: %v, %+v", r.Method, r.URL.Path, err, at)
	}
	s.posted[r.URL.Path]++
	taken := make(map[point]bool)
	for _, snake := range at.Board.Snakes {
		for _, c := range snake.Body {
			taken[c] = true
		}
	}
	move := "up"
	for way, d := range map[string]point{"up": {0, 1}, "down": {0, -1}, "left": {-1, 0}, "right": {1, 0}} {
		to := point{at.You.Head.X + d.X, at.You.Head.Y + d.Y}
		if !taken[to] && to.X >= 0 && to.X < at.Board.Width && to.Y >= 0 && to.Y < at.Board.Height {
			move = way
		}
	}
	fmt.Fprintf(w, `{"move":%q,"shout":"hello"}`, move)
}

// TestBattlesnake: a server of Battlesnake's plays a game of somebody's own, through a
// program beside `umpire remote join` that posts to it, and has the time to do so in the end.
func TestBattlesnake(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	snake := &snakeServer{posted: make(map[string]int)}
	server := httptest.NewServer(snake)
	defer server.Close()
	post, err := filepath.Abs("../../bots/examples/http/post.py")
	must(t, err)
	dir, path := withUmpire(t)
	ended := filepath.Join(dir, "ended")
	slow := fmt.Sprintf("sh -c 'python3 %s %s; sleep 1; echo >%s'", post, server.URL, ended)
	match := startUmpire(t, path, "match", "../external/testdata/snakes", "remote:alice", "@wall", "--listen", "127.0.0.1:0", "--time", "1h", "--time-per-move", "1h", "--quiet")
	url, keys := match.listening(1)
	join := startUmpire(t, "/usr/bin/env", "UMPIRE_KEY="+keys["alice"], path, "remote", "join", url, slow, "--matches", "1", "--isolation", "none").quietly()
	result, err := match.out.ReadString('@')
	if err != nil || !regexp.MustCompile(`(?m)^ +1  alice +ok +[1-9]`).MatchString(result) {
		t.Errorf("found %s, %v", result, err)
	}
	match.quietly().ends("the match")
	join.ends("the joined umpire")
	if _, err := os.Stat(ended); err != nil {
		t.Errorf("the program had no time for the last lines: %v", err)
	}
	snake.mu.Lock()
	defer snake.mu.Unlock()
	if p := snake.posted; snake.wrong != "" || p["/start"] != 1 || p["/end"] != 1 || p["/move"] < 2 || len(p) != 3 {
		t.Errorf("the server was posted %v; %s", p, snake.wrong)
	}
}
