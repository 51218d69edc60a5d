//go:build linux

package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// TestKilledTournaments kills tournaments with SIGKILL at random moments and
// cuts their results off at random bytes, until they end by themselves. Each
// match is then there exactly once, and the standings are those of a tournament
// that nobody disturbed.
func TestKilledTournaments(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // a killed umpire plays its matches again
	t.Parallel()
	kills := testlevel.Times(2, 3, 6, 25) // of each format
	for i, format := range []string{"round-robin", "swiss --compress", "swiss"} {
		t.Run(format, func(t *testing.T) {
			if format == "swiss" {
				testlevel.Needs(t, testlevel.Thorough) // compressed, it is tried by default
			}
			t.Parallel()
			k := newKiller(t)
			k.rng = rand.New(rand.NewPCG(1, uint64(i)))
			k.storm(format, kills)
		})
	}
}

type killer struct {
	t      *testing.T
	rng    *rand.Rand
	dir    string
	umpire string
}

func newKiller(t *testing.T) killer {
	dir, umpire := withUmpire(t)
	return killer{t: t, dir: dir, umpire: umpire}
}

// storm kills tournaments of a format so many times, and compares them with one
// that nobody disturbs.
func (k *killer) storm(format string, kills int) {
	k.t.Helper()
	plain, _, _ := strings.Cut(format, " ") // compression makes no difference
	k.run("undisturbed", plain, 0)
	want, lines := k.standings("undisturbed"), k.lines("undisturbed")
	for n, done := 0, 0; done < kills; n++ {
		name := fmt.Sprint("killed-", n)
		killed := k.run(name, format, kills-done)
		done += killed
		if got := k.standings(name); got != want {
			k.t.Fatalf("after %d kills the standings are\n%s, undisturbed\n%s", killed, got, want)
		}
		if got := k.lines(name); got != lines {
			k.t.Fatalf("after %d kills there are %d records, undisturbed %d", killed, got, lines)
		}
	}
}

// run plays a tournament and kills it up to so many times.
func (k *killer) run(name, format string, kills int) (killed int) {
	k.t.Helper()
	first := append([]string{
		"tournament", "ioiwari", "@random", "g=@greedy", "h=@greedy", "@optimal", "--cases-per-pair", "2",
		"--isolation", "none", "--time", "0", "--quiet", "-o", filepath.Join(k.dir, name), "--format",
	}, strings.Fields(format)...)
	for {
		args := []string{"tournament", "--resume", "--quiet", "-o", filepath.Join(k.dir, name)}
		if _, err := os.Stat(filepath.Join(k.dir, name, "tournament.yaml")); err != nil {
			args = first // it was killed before it began
		}
		cmd := k.command(args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		must(k.t, cmd.Start())
		if killed < kills {
			at := time.Duration(k.rng.IntN(250)) * time.Millisecond
			timer := time.AfterFunc(at, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
			defer timer.Stop()
		}
		err := cmd.Wait()
		if err == nil {
			return killed
		}
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
			k.t.Fatalf("%v: %v\n%s", args, err, stderr.String())
		}
		killed++
		k.tear(k.newest(name))
	}
}

// newest returns the file that holds the newest records of a run.
func (k *killer) newest(name string) string {
	path, err := record.ResultsIn(filepath.Join(k.dir, name))
	must(k.t, err)
	if tails, err := filepath.Glob(path + ".tail-*"); err == nil && len(tails) > 0 {
		return tails[len(tails)-1]
	}
	return path
}

// tear cuts a results file off at a byte of its last two records, every other
// time.
func (k *killer) tear(path string) {
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 || k.rng.IntN(2) == 0 {
		return
	}
	must(k.t, os.Truncate(path, int64(len(text)-k.rng.IntN(min(len(text), 2000)))))
}

// command makes a command of umpire, which is killed if it hangs: that ends what
// reads from it.
func (k *killer) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), hangTime)
	k.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, k.umpire, args...)
	cmd.Args[0] = "umpire"
	cmd.Env = os.Environ()
	return cmd
}

func (k *killer) standings(name string) string {
	k.t.Helper()
	out, err := k.command("standings", "--no-times", "--json", filepath.Join(k.dir, name)).Output()
	must(k.t, err)
	if !bytes.Contains(out, []byte(`"duplicates":0,`)) {
		k.t.Fatalf("a match is there twice: %s", out)
	}
	return string(out)
}

func (k *killer) lines(name string) int {
	in, err := record.Open(filepath.Join(k.dir, name))
	must(k.t, err)
	defer in.Close()
	text, err := io.ReadAll(in)
	must(k.t, err)
	return bytes.Count(text, []byte("\n"))
}

// TestInterrupted interrupts a tournament in the middle of a match: it ends at
// once, keeps what was finished and says how to resume.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	defaultHangup(t)
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for _, sig := range signals[:testlevel.Times(1, 3, 3)] {
		k := newKiller(t)
		run := filepath.Join(k.dir, "run")
		p := startUmpire(t, k.umpire, "tournament", "ioiwari", "@random", "@greedy", "-n", "1000", "--verbose", "--isolation", "none", "-o", run)
		for range 200 { // into one of the first matches, whichever that is
			if _, err := p.stderr.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		must(t, p.cmd.Process.Signal(sig))
		for range 100 { // timeout sends it twice, for one
			_ = p.cmd.Process.Signal(sig)
			runtime.Gosched()
		}
		rest, err := io.ReadAll(p.stderr)
		must(t, err)
		p.exits(sig.String(), 128+int(sig))
		n := k.lines("run")
		want := fmt.Sprintf("umpire: interrupted; %d matches finished, kept in %s/results.jsonl\numpire: to resume: umpire tournament --resume -o %s\n", n, run, run)
		if !strings.HasSuffix(string(rest), want) || n < 5 || n > 1000 {
			t.Errorf("%v: %d records; standard error ends %q, expected %q", sig, n, rest[max(0, len(rest)-300):], want)
		}
	}
}
