// Package exampletest makes bots from the example programs in other languages,
// so that tests can play them with bottest. It knows neither games nor limits.
// The tests are in the folder above the programs: Go does not accept sources of
// C and C++ beside its own.
package exampletest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"umpire/bots"
)

// patience is how long a program may take to build, or to play a match.
const patience = 2 * time.Minute

// language has the commands to build and run programs of a language. In
// commands, SOURCE stands for the source file, and DIR for a directory to build in.
type language struct {
	build, run string
}

// languages has a row for every suffix.
var languages = map[string]language{
	".c":   {"gcc -std=c17 -O2 -Wall -Wextra -Werror -o DIR/bot SOURCE", "DIR/bot"},
	".cpp": {"g++ -std=c++17 -O2 -Wall -Wextra -Werror -o DIR/bot SOURCE", "DIR/bot"},
	".py":  {"", "python3 SOURCE"},
}

// Bot builds the program of a source file and makes it a bot for the game. It
// skips the test where the language is not installed. Each match the bot plays
// runs a process of its own.
func Bot(t *testing.T, game, source string) bots.Bot {
	t.Helper()
	lang, ok := languages[filepath.Ext(source)]
	if !ok {
		t.Fatalf("%s: no language has the suffix %q", source, filepath.Ext(source))
	}
	source, err := filepath.Abs(source)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(source); err != nil { // read, so that go test's cached result depends on it
		t.Fatal(err)
	}
	words := strings.NewReplacer("SOURCE", source, "DIR", t.TempDir())
	run := command(t, lang.run, words)
	if build := command(t, lang.build, words); len(build) > 0 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if out, err := exec.CommandContext(ctx, build[0], build[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", source, err, out)
		}
	}
	p := &program{command: run}
	t.Cleanup(p.feeders.Wait)
	return bots.Bot{Game: game, Name: filepath.Base(source), About: "an example", Play: func(table *bots.Table) error {
		return p.play(t.Context(), table)
	}}
}

// command splits a command of the table and replaces its words. It skips the
// test if the tool is not installed.
func command(t *testing.T, line string, words *strings.Replacer) []string {
	t.Helper()
	out := strings.Fields(line)
	for i, w := range out {
		out[i] = words.Replace(w)
	}
	if len(out) > 0 && out[0] == strings.Fields(line)[0] {
		if _, err := exec.LookPath(out[0]); err != nil {
			t.Skipf("%s is not installed", out[0])
		}
	}
	return out
}

// program is a program that has been built.
type program struct {
	command []string
	feeders sync.WaitGroup
}

// play runs the program once and carries lines between it and the table.
func (p *program) play(ctx context.Context, table *bots.Table) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	cmd.Env = append(
		os.Environ(),
		"UMPIRE_GAME="+table.Game,
		fmt.Sprintf("UMPIRE_SEAT=%d", table.Seat),
		fmt.Sprintf("UMPIRE_SEATS=%d", table.Seats),
	)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	// The feeder ends with the table's input, which may be long after the
	// program; the test's cleanup waits for it.
	p.feeders.Go(func() {
		defer in.Close()
		for {
			line, err := table.Line()
			if err != nil {
				return
			}
			io.WriteString(in, line+"\n")
		}
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		table.Say(lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(p.command, " "), err, stderr.Bytes())
	}
	return nil
}
