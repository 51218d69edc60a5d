package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/client"
	"umpire/referee/testlevel"
)

// A gentle stop keeps a record of the match that it cuts off, which says that it
// is no result; the match is found afterwards, shows nobody its case, and is
// played when the tournament is resumed.
func TestTournamentCutOff(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir, path := withUmpire(t)
	run := filepath.Join(dir, "run")
	p := startUmpire(t, path, "tournament", "vmukni", "remote:alice", "@greedy", "--case", "small/01", "--time", "0",
		"-o", run, "--listen", "127.0.0.1:0", "--quiet")
	url, keys := p.listening(1)
	c := &client.Client{URL: url, Key: keys["alice"], HTTP: &http.Client{Timeout: time.Minute}}
	seat, err := c.Join(t.Context(), "", "")
	must(t, err)
	if turn := turnOf(t, url, seat.Ticket); turn.State != remote.TurnMove {
		t.Fatalf("found %+v", turn)
	}
	must(t, p.cmd.Process.Signal(syscall.SIGINT))
	if out, err := io.ReadAll(p.stderr); err != nil || !strings.Contains(string(out), "0 matches finished") {
		t.Errorf("found %s, error %v", out, err)
	}
	_ = p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("found exit code %d, expected 130", code)
	}
	var kept []record.Record
	for _, r := range recordsIn(t, run) {
		if r.Match == seat.Match {
			kept = append(kept, r)
		}
	}
	if len(kept) != 1 || kept[0].Error == "" {
		t.Fatalf("found %+v of match %s, expected one with an error", kept, seat.Match)
	}

	p = startUmpire(t, path, "tournament", "--resume", "-o", run, "--listen", "127.0.0.1:0", "--quiet")
	url, _ = p.listening(0)
	for secret, want := range map[string]int{keys["alice"]: http.StatusConflict, "token": http.StatusOK} {
		if code, _ := fetch(t, url+"/api/v1/matches/"+seat.Match+"/record", "Authorization", "Bearer "+secret); code != want {
			t.Errorf("record of the match that was cut off: found status %d, expected %d", code, want)
		}
	}
	if _, text := fetch(t, url+"/api/v1/matches/"+seat.Match); !strings.Contains(text, `"state":"void"`) {
		t.Errorf("found match %s", text)
	}
	c.URL = url
	for range 2 {
		seat, err := c.Join(t.Context(), "", "")
		must(t, err)
		if end, err := c.Play(t.Context(), seat, &ways{}); err != nil || end.State != remote.TurnOver {
			t.Fatalf("found %+v, error %v", end, err)
		}
	}
	out, _ := io.ReadAll(p.out)
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("umpire: %v\n%s", err, out)
	}
}

// turnOf asks for the first turn of a seat until it is there.
func turnOf(t *testing.T, url, ticket string) (turn remote.TurnInfo) {
	t.Helper()
	for turn.State = remote.TurnWait; turn.State == remote.TurnWait; {
		code, text := fetch(t, url+"/api/v1/seat/turns/1?wait=30", "Authorization", "Bearer "+ticket)
		if err := json.Unmarshal([]byte(text), &turn); err != nil || code != http.StatusOK {
			t.Fatalf("found status %d, %s", code, text)
		}
	}
	return turn
}

// fetch reads what is at an address; headers are names, each with its value.
func fetch(t *testing.T, address string, headers ...string) (status int, text string) {
	t.Helper()
	return request(t, http.MethodGet, address, "", headers...)
}

// request makes a request with a body of JSON, if it has any.
func request(t *testing.T, method, address, body string, headers ...string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	found, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer.StatusCode, string(found)
}

// umpire serve prints no secret but the organiser's: its output ends up in logs.
func TestServePrintsNoTicket(t *testing.T) {
	t.Parallel()
	dir, path := withUmpire(t)
	p, url := serveUmpire(t, path, filepath.Join(dir, "data"))
	var made struct{ Seats []struct{ Link string } }
	post(t, url, "matches", map[string]any{"game": "vmukni", "seats": []string{"human:eve", "@greedy"}}, &made)
	_, ticket, ok := strings.Cut(made.Seats[0].Link, "#")
	if !ok || ticket == "" {
		t.Fatalf("found %+v", made)
	}
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	out, _ := io.ReadAll(p.out)
	errs, _ := io.ReadAll(p.stderr)
	_ = p.cmd.Wait()
	if text := string(out) + string(errs); strings.Contains(text, ticket) {
		t.Errorf("the ticket is in %s", text)
	}
}

// umpire join --matches plays another match for one that was void.
func TestJoinAfterVoid(t *testing.T) {
	t.Parallel()
	dir, path := withUmpire(t)
	_, url := serveUmpire(t, path, filepath.Join(dir, "data"))
	var alice struct{ Key string }
	post(t, url, "players", map[string]string{"name": "alice"}, &alice)
	file := filepath.Join(dir, "key")
	write(t, file, "\ufeff"+alice.Key+"\r\n")
	var made struct {
		ID    string
		Seats []struct{ Link string }
	}
	post(t, url, "matches", map[string]any{"game": "vmukni", "seats": []string{"remote:alice", "human:eve"}, "case": "small/01"}, &made)
	join := startUmpire(t, path, "join", url, "@greedy", "--game", "vmukni", "--matches", "1", "--key-file", file)
	_, ticket, _ := strings.Cut(made.Seats[1].Link, "#")
	if turn := turnOf(t, url, ticket); turn.State != remote.TurnMove { // both are there, and alice has replied
		t.Fatalf("found %+v", turn)
	}
	if status, text := request(t, http.MethodDelete, url+"/api/v1/matches/"+made.ID, "", "Authorization", "Bearer token"); status != http.StatusOK {
		t.Fatalf("found status %d, %s", status, text)
	}
	void := made.ID
	post(t, url, "matches", map[string]any{"game": "vmukni", "seats": []string{"remote:alice", "@greedy"}, "case": "small/01"}, &made)
	out, err := io.ReadAll(join.out)
	lines := strings.Split(string(out), "\n")
	if err != nil || len(lines) != 3 || !strings.HasPrefix(lines[0], "vmukni "+void+", seat 1 of 2: void: ") || !strings.HasPrefix(lines[1], "vmukni "+made.ID+", seat 1 of 2: ok, ") {
		t.Errorf("umpire join printed %q, error %v", out, err)
	}
	if err := join.cmd.Wait(); err != nil {
		t.Errorf("umpire join ended with %v", err)
	}
}
