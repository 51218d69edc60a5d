package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/client"
	"umpire/referee/testlevel"
)

// umpireProcess is umpire, started as users do.
type umpireProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	out    *bufio.Reader
	stderr *bufio.Reader
}

// startUmpire starts umpire; it is killed at the end of the test.
func startUmpire(t *testing.T, path string, args ...string) *umpireProcess {
	t.Helper()
	p := &umpireProcess{t: t, cmd: exec.Command(path, args...)}
	p.cmd.Env = append(os.Environ(), "UMPIRE_TOKEN=token", "UMPIRE_ISOLATION=none")
	out, err := p.cmd.StdoutPipe()
	must(t, err)
	stderr, err := p.cmd.StderrPipe()
	must(t, err)
	must(t, p.cmd.Start())
	p.out, p.stderr = bufio.NewReader(out), bufio.NewReader(stderr)
	stuck := time.AfterFunc(2*hangTime, func() { _ = p.cmd.Process.Kill() }) // ends what reads from it
	t.Cleanup(func() {
		stuck.Stop()
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	return p
}

// listening reads from standard error where umpire listens, and the keys of so
// many players.
func (p *umpireProcess) listening(players int) (url string, keys map[string]string) {
	p.t.Helper()
	keys = make(map[string]string)
	form := regexp.MustCompile(`^(?:listening on (.*)|key of (.*): (.*))\n$`)
	for len(keys) < players || url == "" {
		line, err := p.stderr.ReadString('\n')
		if err != nil {
			p.t.Fatalf("umpire ended: %q, %v", line, err)
		}
		if m := form.FindStringSubmatch(line); m != nil && m[1] != "" {
			url = m[1]
		} else if m != nil {
			keys[m[2]] = m[3]
		}
	}
	return url, keys
}

// serveUmpire starts `umpire serve` on a folder and returns its address.
func serveUmpire(t *testing.T, path, dir string) (*umpireProcess, string) {
	t.Helper()
	p := startUmpire(t, path, "serve", "-o", dir, "--listen", "127.0.0.1:0", "--json")
	line, err := p.out.ReadBytes('\n')
	var at struct{ URL, SOAP, Token string }
	if err == nil {
		err = json.Unmarshal(line, &at)
	}
	if err != nil || at.Token != "token" || at.SOAP != at.URL+"/soap" {
		t.Fatalf("umpire serve printed %q, error %v", line, err)
	}
	return p, at.URL
}

// post makes a request as the organiser.
func post(t *testing.T, url, path string, body, into any) {
	t.Helper()
	text, err := json.Marshal(body)
	must(t, err)
	status, answer := request(t, http.MethodPost, url+"/api/v1/"+path, string(text), "Authorization", "Bearer token")
	if status != http.StatusCreated {
		t.Fatalf("%s: found status %d", path, status)
	}
	must(t, json.Unmarshal([]byte(answer), into))
}

// ways plays vmukni: each way in turn.
type ways struct{ n int }

func (*ways) Identity() referee.Identity { return referee.Identity{} }
func (*ways) Sit(context.Context, referee.Seating) (referee.Contestant, error) {
	return &ways{}, nil
}
func (*ways) Send(string)         {}
func (*ways) CloseInput()         {}
func (*ways) Stop() referee.Usage { return referee.Usage{} }
func (w *ways) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	w.n++
	return referee.Reply{Text: fmt.Sprint(1 + w.n%15)}, nil
}

// TestJoin brings bots to another umpire: one that plays well, and one that
// ends in the middle of the match, of which the other umpire hears.
func TestJoin(t *testing.T) {
	dir, path := withUmpire(t)
	quits := filepath.Join(dir, "quits.sh")
	write(t, quits, "#!/bin/sh\necho 3\nexit 5\n")
	p := startUmpire(t, path, "match", "vmukni", "remote:alice", "remote:bob", "--case", "small/01", "--time", "0",
		"-o", dir, "--listen", "127.0.0.1:0", "--json")
	url, keys := p.listening(2)
	join := func(key, bot string) *umpireProcess {
		file := filepath.Join(dir, "key of "+filepath.Base(bot))
		write(t, file, key+"\n")
		return startUmpire(t, path, "join", url, bot, "--game", "vmukni", "--matches", "1", "--key-file", file)
	}
	alice, bob := join(keys["alice"], "@greedy"), join(keys["bob"], quits)
	var r record.Record
	must(t, json.NewDecoder(p.out).Decode(&r))
	if r.Seats[0].Verdict != "ok" || r.Seats[1].Verdict != "crash" || r.Seats[1].Detail != "left the match" || r.Seats[1].Replies != 1 {
		t.Errorf("found seats %+v", r.Seats)
	}
	for _, test := range []struct {
		*umpireProcess
		want string
	}{
		{alice, fmt.Sprintf(`^vmukni %s, seat 1 of 2: ok, score \d+, place 1\n$`, r.Match)},
		{bob, fmt.Sprintf(`^vmukni %s, seat 2 of 2: crash, score \d+, place 2: left the match: crash: it ended \(exit status 5\) before answering\n$`, r.Match)},
	} {
		out, err := io.ReadAll(test.out)
		if err != nil || !regexp.MustCompile(test.want).Match(out) {
			t.Errorf("umpire join printed %q, error %v, expected %s", out, err, test.want)
		}
	}
}

// commandsOn returns the commands that the page on how to play shows, by what their
// programs are called.
func commandsOn(t *testing.T, url string) map[string]string {
	t.Helper()
	_, text := fetch(t, url+"/how-to-play")
	commands := make(map[string]string)
	for _, m := range regexp.MustCompile(`(?s)<pre (?:class="commands"|id="join")[^>]*aria-label="(?:Running|Joining with) ([^"]*)">(.*?)</pre>`).FindAllStringSubmatch(text, -1) {
		commands[m[1]] = html.UnescapeString(m[2])
	}
	return commands
}

// missingTool returns what is not installed of that which commands begin with; "" if all
// is.
func missingTool(commands string) string {
	for line := range strings.Lines(commands) {
		if tool := strings.Fields(line)[0]; tool != "umpire" {
			if _, err := exec.LookPath(tool); err != nil {
				return tool
			}
		}
	}
	return ""
}

// TestRemoteExamples plays the seed's contest: a tournament of remote programs in several
// languages, one of them over SOAP, and of a bot that umpire brings, against a built-in bot. The
// programs come from umpire itself, and are started as its page on how to play says.
func TestRemoteExamples(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir, path := withUmpire(t)
	_, url := serveUmpire(t, path, filepath.Join(dir, "served"))
	args, names := []string{"tournament", "vmukni", "--format", "gauntlet", "@greedy"}, []string{}
	for file, commands := range commandsOn(t, url) {
		if tool := missingTool(commands); tool != "" {
			t.Logf("%s is not installed: %s is not tested", tool, file)
			continue
		}
		names = append(names, file)
		args = append(args, "remote:"+file)
	}
	if len(names) == 0 {
		t.Fatal("found no commands on the page")
	}
	bot := filepath.Join(dir, "bot.sh")
	write(t, bot, "#!/bin/sh\nexec "+path+" bot vmukni/greedy\n")
	run := filepath.Join(dir, "run")
	p := startUmpire(t, path, append(args, "--case", "small/01", "--time", "0", "--gather", "0", "-o", run, "--listen", "127.0.0.1:0", "--quiet")...)
	url, keys := p.listening(len(names))
	commands := commandsOn(t, url)
	ends := make(chan error, len(names))
	ctx, cancel := context.WithTimeout(t.Context(), hangTime)
	defer cancel()
	for _, name := range names {
		matches := " "
		if name == "umpire" {
			matches = " --matches "
		}
		script := strings.ReplaceAll(commands[name], " BOT", " "+bot) + matches + "2"
		cmd := exec.CommandContext(ctx, "sh", "-ec", script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with the program, which would ask on and on
		if cmd.Dir = filepath.Join(dir, "of "+name); os.Mkdir(cmd.Dir, 0o755) != nil {
			t.Fatal("make a folder for " + name)
		}
		cmd.Env = append(os.Environ(), "UMPIRE_KEY="+keys[name], "UMPIRE_ISOLATION=none", "PATH="+dir+":"+os.Getenv("PATH"))
		go func() {
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%s: %w\n%s", script, err, out)
				_ = p.cmd.Process.Kill() // it would wait for the program
			}
			ends <- err
		}()
	}
	rest, _ := io.ReadAll(p.stderr)
	out, _ := io.ReadAll(p.out)
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("umpire: %v\n%s%s", err, out, rest)
		cancel()
	}
	for range names {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	n := 2 * len(names)
	verify := startUmpire(t, path, "verify", filepath.Join(run, "results.jsonl"))
	verified, err := io.ReadAll(verify.out)
	if want := fmt.Sprintf("%d records: %d valid, 0 not\n", n, n); err != nil || string(verified) != want {
		t.Errorf("found %q, error %v, expected %q", verified, err, want)
	}
	if !strings.Contains(string(out), "@greedy") {
		t.Errorf("found standings %s", out)
	}
}

// playWays plays one match of vmukni as the player with a key.
func playWays(t *testing.T, url, key string) (seat remote.SeatInfo, end remote.TurnInfo) {
	t.Helper()
	c := &client.Client{URL: url, Key: key, HTTP: &http.Client{Timeout: time.Minute}}
	seat, err := c.Join(t.Context(), "", "")
	must(t, err)
	if end, err = c.Play(t.Context(), seat, &ways{}); err != nil || end.State != remote.TurnOver {
		t.Fatalf("found %+v, error %v", end, err)
	}
	return seat, end
}

// In a scoring of several remote players nobody can read how one has played a case that the next
// is still to play.
func TestScoreShowsNoCase(t *testing.T) {
	t.Parallel()
	dir, path := withUmpire(t)
	p := startUmpire(t, path, "score", "vmukni", "remote:alice", "remote:bob", "--case", "small/01", "--time", "0",
		"-o", filepath.Join(dir, "run"), "--listen", "127.0.0.1:0", "--quiet")
	url, keys := p.listening(2)
	seat, _ := playWays(t, url, keys["alice"])
	for secret, want := range map[string]int{keys["bob"]: http.StatusConflict, "token": http.StatusOK} {
		if code, text := fetch(t, url+"/api/v1/matches/"+seat.Match+"/record", "Authorization", "Bearer "+secret); code != want {
			t.Errorf("found status %d, expected %d: %s", code, want, text)
		}
	}
}
