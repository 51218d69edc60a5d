package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"umpire/referee/testlevel"
)

// stopper interrupts commands that play five cases with a bot that fails in every
// match but blocks on the case official/03 while the file "block" exists.
type stopper struct {
	killer
	fifo string
}

func newStopper(t *testing.T) *stopper {
	t.Helper()
	testlevel.Needs(t, testlevel.Default)
	s := &stopper{killer: killer{t: t, dir: t.TempDir()}}
	s.umpire = link(t, os.Args[0], filepath.Join(s.dir, "umpire"))
	s.fifo = filepath.Join(s.dir, "here")
	must(t, syscall.Mkfifo(s.fifo, 0o600))
	var third []byte
	for i := range 5 {
		name := fmt.Sprintf("official/%02d.txt", 1+i)
		text, err := os.ReadFile("../../testdata/cases/ioiwari/" + name)
		must(t, err)
		s.write("five/"+name, string(text))
		if i == 2 {
			third = text
		}
	}
	s.write("block", "")
	s.write("blocks.sh", `#!/bin/sh
read board
if [ "$board" = '`+strings.TrimSpace(string(third))+`' ] && [ -e block ]; then
	echo >here
	read forever <here
fi
`)
	return s
}

func (s *stopper) write(name, text string) {
	s.t.Helper()
	write(s.t, filepath.Join(s.dir, name), text)
}

func (s *stopper) cmd(args ...string) *exec.Cmd {
	cmd := s.command(args...)
	cmd.Dir = s.dir
	cmd.Env = append(cmd.Env, "UMPIRE_ISOLATION=none", "XDG_CACHE_HOME="+filepath.Join(s.dir, "cache"))
	return cmd
}

// interrupt runs a command with one job until the bot blocks, interrupts it, and
// returns what it printed.
func (s *stopper) interrupt(args ...string) (stdout, stderr string) {
	s.t.Helper()
	var out, errs bytes.Buffer
	if args[0] != "reproduce" {
		args = append(args, "--cases", "five", "--jobs", "1", "--time", "1h")
	}
	cmd := s.cmd(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	must(s.t, cmd.Start())
	here := otherEnd(s.t, s.fifo, os.O_RDONLY)
	if _, err := io.ReadFull(here, make([]byte, 1)); err != nil {
		s.t.Fatal(err)
	}
	here.Close()
	must(s.t, cmd.Process.Signal(syscall.SIGINT))
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		s.t.Errorf("%q ends with %d: %s", args, code, errs.String())
	}
	return out.String(), errs.String()
}

// resumeCommand runs the command that a message names, without the block, and returns
// its output.
func (s *stopper) resumeCommand(stderr, message string) string {
	s.t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(message) + `: umpire (.*)\n`).FindStringSubmatch(stderr)
	if found == nil {
		s.t.Fatalf("%q says nothing of %q", stderr, message)
	}
	must(s.t, os.Remove(filepath.Join(s.dir, "block")))
	defer s.write("block", "")
	out, err := s.cmd(strings.Fields(strings.ReplaceAll(found[1], "'", ""))...).Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // a test whose bot fails
		s.t.Fatalf("%s: %v", found[1], err)
	}
	return string(out)
}

func (s *stopper) expect(text string, lines ...string) {
	s.t.Helper()
	for _, line := range lines {
		if !regexp.MustCompile("(?m)^" + line + "$").MatchString(text) {
			s.t.Errorf("found no line %s in:\n%s", line, text)
		}
	}
}

// TestStopped: an interrupted command shows what was finished, keeps it, and
// names a command that goes on from there.
func TestStopped(t *testing.T) {
	t.Parallel()
	s := newStopper(t)
	for _, kept := range []string{"run/results.jsonl", filepath.Join(s.dir, "cache/umpire/last-test.jsonl")} {
		args := []string{"test", "ioiwari", "./blocks.sh"}
		if kept == "run/results.jsonl" {
			args = append(args, "-o", "run")
		}
		out, errs := s.interrupt(args...)
		s.expect(out, "official/01 .*", "official/02 .*", "0 of 8 points, 2 of 2 matches failed: .*")
		if strings.Contains(out, "official/03") {
			t.Errorf("a case that has not ended is shown: %s", out)
		}
		s.expect(errs, "umpire: interrupted; 2 of 5 matches finished, kept in "+kept)
		s.expect(s.resumeCommand(errs, "to play the rest"), "official/01 .*", "official/05 .*", "0 of 20 points, .*")
		if records, err := os.ReadFile(filepath.Join(s.dir, "run/results.jsonl")); err != nil || bytes.Count(records, []byte("\n")) != 5 {
			t.Errorf("the test that was resumed has %d records (%v), expected 5", bytes.Count(records, []byte("\n")), err)
		}
	}

	out, errs := s.interrupt("score", "ioiwari", "@greedy", "./blocks.sh")
	s.expect(out, ` +1 +@greedy +2( .*)?`)
	s.expect(errs, "umpire: all matches of 1 of 2 submissions have been played", "umpire: interrupted; 7 of 10 matches finished, kept in .*/last-score.jsonl")
	s.expect(s.resumeCommand(errs, "to resume"), ` +1 +@greedy +2( .*)?`, ` +2 +blocks +0 +\w+×5.*`)

	out, errs = s.interrupt("tournament", "ioiwari", "@greedy", "./blocks.sh", "-o", "tour")
	s.expect(out, `Ioiwari: round-robin, interrupted: standings after 4 matches`, ` +1 +@greedy +4 .*`)
	s.expect(errs, `umpire: interrupted; 4 matches finished, kept in tour/results.jsonl`)
	s.expect(s.resumeCommand(errs, "to resume"), ` +1 +@greedy +10 .*`)

	records, err := os.ReadFile(filepath.Join(s.dir, "tour/results.jsonl"))
	must(t, err)
	id := regexp.MustCompile(`"id":"(\w+)".*"official/03"`).FindSubmatch(records)
	if id == nil {
		t.Fatalf("found no match on official/03 in %s", records)
	}
	out, errs = s.interrupt("reproduce", "tour/results.jsonl", "./blocks.sh", "--id", string(id[1]))
	s.expect(out, `up to the interrupt as recorded: 0 of \d+ replies`)
	s.expect(errs, "umpire: interrupted; to run it again: umpire reproduce tour/results.jsonl ./blocks.sh --id "+string(id[1]))
}

// TestReaderInterrupted: a command that waits for more records is interrupted,
// and shows what it has read. Its command line is said without the secrets in it.
func TestReaderInterrupted(t *testing.T) {
	s := newStopper(t)
	cmd := s.cmd("verify", "-", "https://ann:secret@example.org/results.jsonl")
	in, out, errs := startPiped(t, cmd)
	if _, err := io.WriteString(in, `{"v":1,"id":"x","game":"ioiwari","case":{"text":"4 4 4 2 2 2 2"},"seats":[{},{}],"events":[]}`+"\n"); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 1) // it has said that the record is not valid
	if _, err := io.ReadFull(out, first); err != nil {
		t.Fatal(err)
	}
	must(t, cmd.Process.Signal(syscall.SIGINT))
	rest, _ := io.ReadAll(out)
	_ = cmd.Wait()
	s.expect(string(rest), "1 record: 0 valid, 1 not, before the interrupt")
	s.expect(errs.String(), "umpire: interrupted; to run it again: umpire verify - https://ann:xxxxx@example.org/results.jsonl")
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
}

// startPiped starts a command between pipes; what it writes to standard error is
// whole once it has been waited for.
func startPiped(t *testing.T, cmd *exec.Cmd) (in io.WriteCloser, out io.Reader, errs *bytes.Buffer) {
	t.Helper()
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err = cmd.StdoutPipe()
	must(t, err)
	errs = new(bytes.Buffer)
	cmd.Stderr = errs
	must(t, cmd.Start())
	return in, out, errs
}
