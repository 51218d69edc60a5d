package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"umpire/referee/remote"
	"umpire/referee/remote/client"
	"umpire/referee/testlevel"
)

// killing is a connection to an umpire that is killed with SIGKILL while one of
// the requests is under way.
type killing struct {
	http.RoundTripper
	left int // requests before that one
	kill func()
	ends context.CancelFunc // called once umpire answers no more

	mu     sync.Mutex
	killed sync.WaitGroup
}

func (k *killing) RoundTrip(r *http.Request) (*http.Response, error) {
	k.mu.Lock()
	if k.left--; k.left == -1 {
		k.killed.Go(k.kill)
	}
	k.mu.Unlock()
	answer, err := k.RoundTripper.RoundTrip(r)
	if err != nil {
		k.ends()
	}
	return answer, err
}

// TestServeKilled kills umpire serve with SIGKILL again and again, at various
// requests, while one match is played and another waits for a reply in its
// middle. Every match that a player was told is over is found afterwards with
// its result, its record is valid, ids are unique, and of the matches that were
// cut off nothing is left.
func TestServeKilled(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	rounds := testlevel.Times(2, 5, 8, 25)
	dir, path := withUmpire(t)
	data := filepath.Join(dir, "data")
	told := make(map[string]remote.TurnInfo)
	var cut []string
	keys := make(map[string]string)
	for round := range rounds {
		p, url := serveUmpire(t, path, data)
		for _, name := range []string{"alice", "bob"} {
			if round == 0 {
				var made struct{ Key string }
				post(t, url, "players", map[string]string{"name": name}, &made)
				keys[name] = made.Key
			}
		}
		order := func(name string) string {
			var made struct{ ID string }
			post(t, url, "matches", map[string]any{"game": "vmukni", "seats": []string{"remote:" + name, "@greedy"}, "case": "small/01", "time_ms": 0}, &made)
			return made.ID
		}
		cut = append(cut, order("bob"))
		begin(t, url, keys["bob"])
		ctx, ends := context.WithTimeout(t.Context(), hangTime)
		defer ends()
		// A match takes ten requests: at the latest the third is cut off.
		k := &killing{RoundTripper: &http.Transport{}, left: 3 + 7*round%25, ends: ends, kill: func() { _ = p.cmd.Process.Kill() }}
		c := &client.Client{URL: url, Key: keys["alice"], HTTP: &http.Client{Transport: k}}
		for range 3 {
			order("alice")
		}
		for {
			seat, err := c.Join(ctx, "", "")
			if err != nil {
				break
			}
			end, err := c.Play(ctx, seat, &ways{})
			if err != nil {
				break
			}
			if end.State != remote.TurnOver {
				t.Errorf("match %s: found %+v", seat.Match, end)
			}
			told[seat.Match] = end
		}
		if k.left >= 0 {
			t.Fatalf("round %d: umpire was not killed within %v", round, hangTime)
		}
		k.killed.Wait()
		_ = p.cmd.Wait()
	}
	if len(told) < rounds/2 {
		t.Errorf("found %d matches that were over, expected %d or more", len(told), rounds/2)
	}

	p, url := serveUmpire(t, path, data)
	records := make(map[string]bool)
	for id, end := range told {
		var info remote.MatchInfo
		status, text := fetch(t, url+"/api/v1/matches/"+id)
		err := json.Unmarshal([]byte(text), &info)
		if status != http.StatusOK || err != nil || info.State != remote.Over || info.ID != id || records[info.Record] || fmt.Sprint(info.Results) != fmt.Sprint(end.Results) {
			t.Errorf("match %s: found status %d, %s, expected results %+v", id, status, text, end.Results)
		}
		records[info.Record] = true
	}
	for _, id := range cut {
		if status, text := fetch(t, url+"/api/v1/matches/"+id); status != http.StatusNotFound {
			t.Errorf("match %s, which was cut off: found status %d, %s", id, status, text)
		}
	}
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("umpire serve ended with %v, expected exit code 0", err)
	}
	verify := startUmpire(t, path, "verify", filepath.Join(data, "results.jsonl"))
	out, err := io.ReadAll(verify.out)
	var n, valid int
	found := strings.Replace(string(out), " record:", " records:", 1) // there may be one
	if _, bad := fmt.Sscanf(found, "%d records: %d valid, 0 not\n", &n, &valid); bad != nil || err != nil || n != valid || n < len(told) || n > 3*rounds {
		t.Errorf("found %q, error %v, expected %d valid records or more", out, err, len(told))
	}
}

// begin takes a player's seat and makes its first reply.
func begin(t *testing.T, url, key string) {
	t.Helper()
	c := &client.Client{URL: url, Key: key, HTTP: http.DefaultClient}
	seat, err := c.Join(t.Context(), "", "")
	must(t, err)
	turnOf(t, url, seat.Ticket)
	_, answer := request(t, http.MethodPut, url+"/api/v1/seat/turns/1?wait=30", `{"reply":"1"}`, "Authorization", "Bearer "+seat.Ticket)
	var next remote.TurnInfo
	if err := json.Unmarshal([]byte(answer), &next); err != nil || next.Turn != 2 || next.State != remote.TurnMove {
		t.Fatalf("found %+v, error %v, expected turn 2", next, err)
	}
}
