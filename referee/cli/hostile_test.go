package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"umpire/referee/testlevel"
)

// evil is a name that would take over a terminal: escape sequences, a C1
// control, a carriage return, overrides of the direction of writing, a newline.
const evil = "\x1b]0;gone\a\x1b[2J\rgone\u009b31m\u202egone\u2066\u200b\nfake: ok"

// terminal fails the test if a text would do more to a terminal than be shown.
func terminal(t *testing.T, what string, text []byte) {
	t.Helper()
	for i, r := range string(text) {
		if r == '\n' || r == '\t' || r != utf8.RuneError && unicode.IsPrint(r) {
			continue
		}
		t.Errorf("%q prints %q in %q", what, r, text[max(0, i-40):min(len(text), i+40)])
		return
	}
}

// write puts a whole file that can be executed in its place, or nobody would know how much
// of it a watch or a shell has read.
func write(t *testing.T, name, text string) {
	t.Helper()
	whole := filepath.Join(t.TempDir(), "whole")
	must(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(whole, []byte(text), 0o755), os.Rename(whole, name)))
}

// run runs umpire and checks what it prints; what it printed comes back.
func runSafe(t *testing.T, dir string, code int, args ...string) string {
	t.Helper()
	umpire := filepath.Join(t.TempDir(), "umpire")
	must(t, os.Symlink(os.Args[0], umpire))
	var out, errs bytes.Buffer
	c := exec.Command(umpire, args...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
	c.Env = append(os.Environ(), "UMPIRE_ISOLATION=none", "HOME="+dir, "XDG_CACHE_HOME="+dir)
	_ = c.Run()
	what := strings.Join(args, " ")
	if got := c.ProcessState.ExitCode(); got != code {
		t.Errorf("%q exits with %d, expected %d:\n%s%s", what, got, code, out.Bytes(), errs.Bytes())
	}
	terminal(t, what, out.Bytes())
	terminal(t, what, errs.Bytes())
	return out.String() + errs.String()
}

type object = map[string]any

// hostileRecord is a valid record of a match in which every name is evil; seat 1
// commits a foul.
func hostileRecord(change func(object)) string {
	r := object{
		"v": 1, "id": evil, "game": "ioiwari", "umpire": "",
		"case": object{"name": evil, "group": evil, "points": 4, "text": "4 3 2 4 2 3 2"},
		"seats": []object{
			{"bot": evil + "a", "digest": evil, "verdict": "foul", "score": 0, "place": 2, "wall_us": 5, "replies": 1, "stderr": evil},
			{"bot": evil + "b", "digest": evil + "b", "verdict": "ok", "score": 0, "place": 1, "house": true},
		},
		"events": []object{{"seat": 1, "reply": strings.ReplaceAll(evil, "\n", ""), "wall_us": 5}}, "error": "",
	}
	if change != nil {
		change(r)
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

// TestHostileRecords: no command sends to the terminal what stands in a record.
func TestHostileRecords(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"evil.jsonl":    hostileRecord(nil),
		"game.jsonl":    hostileRecord(func(r object) { r["game"] = evil }),
		"verdict.jsonl": hostileRecord(func(r object) { r["seats"].([]object)[0]["verdict"] = evil }),
		"fail.jsonl":    hostileRecord(func(r object) { r["events"] = []object{{"seat": 1, "fail": evil}} }),
		"level.jsonl":   hostileRecord(func(r object) { r["isolation"] = evil }),
		"clock.jsonl":   hostileRecord(func(r object) { r["limits"] = object{"clock": evil} }),
		"text.jsonl":    hostileRecord(func(r object) { r["case"].(object)["text"] = evil }),
		"score.jsonl":   hostileRecord(func(r object) { r["seats"].([]object)[0]["score"] = 999 }),
		"name.jsonl":    fmt.Sprintf(`{%q:1,"Game":"x"}`+"\n", "g\u202eame"),
		"failed.jsonl": hostileRecord(func(r object) {
			r["error"] = evil
			r["seats"].([]object)[0]["verdict"] = ""
			r["seats"].([]object)[1]["verdict"] = ""
		}),
		"garbage.jsonl":  evil + "\n",
		evil + ".jsonl":  hostileRecord(nil) + "{\"x\u202e",
		evil + "x.jsonl": evil + "\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	for _, json := range [][]string{nil, {"--json"}} {
		with := func(args ...string) []string { return append(args, json...) }
		for name, valid := range map[string]bool{
			"evil.jsonl": true, evil + ".jsonl": true, "failed.jsonl": true, "game.jsonl": false, "verdict.jsonl": false, "fail.jsonl": false,
			"clock.jsonl": false, "level.jsonl": false, "text.jsonl": false, "garbage.jsonl": false, evil + "x.jsonl": false, "name.jsonl": false,
		} {
			verify, other, never := 0, 0, 2
			if !valid {
				verify, other = 1, 2
			}
			runSafe(t, dir, verify, with("verify", name)...)
			runSafe(t, dir, other, with("replay", name)...)
			analyse := other
			if name == "failed.jsonl" {
				analyse = 2 // there is nothing to analyse
			}
			runSafe(t, dir, analyse, with("analyse", name)...)
			if name == "failed.jsonl" || name == "fail.jsonl" || name == "text.jsonl" {
				continue // what these lack, standings and scores do not look at
			}
			runSafe(t, dir, other, with("standings", name, "--pairs")...)
			runSafe(t, dir, other, with("score", "ioiwari", "--from", name, "--verbose")...)
			runSafe(t, dir, never, with("replay", name, "--id", evil+"?")...)
		}
		runSafe(t, dir, 1, with("verify", "score.jsonl")...)
		runSafe(t, dir, 1, with("reproduce", "evil.jsonl", "@greedy", "--seat", "1", "--verbose")...)
	}
	for _, format := range []string{"csv", "markdown", "junit"} {
		runSafe(t, dir, 0, "standings", "evil.jsonl", "--export", format)
		runSafe(t, dir, 0, "score", "ioiwari", "--from", "evil.jsonl", "--export", format)
	}
	for _, name := range []string{"evil.jsonl", "failed.jsonl"} {
		runSafe(t, dir, 0, "replay", name, "--html", "-")
	}
	if out := runSafe(t, dir, 0, "replay", "evil.jsonl"); !strings.Contains(out, "gone") || strings.Contains(out, "\nfake: ok") {
		t.Errorf("found %q, expected the name, on one line", out)
	}
}

// TestHostileFileNames: nor what a bot's file, a case's or a folder is called.
func TestHostileFileNames(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir := t.TempDir()
	bot := filepath.Join(dir, strings.ReplaceAll(evil, "/", "")+".sh")
	script := "#!/bin/sh\nread board\nprintf '\\033[2Jgone\\r\\n'\n"
	write(t, bot, script)
	text := filepath.Join(dir, evil+".txt")
	write(t, text, "4 3 2 4 2 3 2\n")
	limits := []string{"--time", "1m", "--case", text}
	for _, json := range [][]string{nil, {"--json"}} {
		with := func(args ...string) []string { return append(append(args, json...), limits...) }
		runSafe(t, dir, 1, with("test", "ioiwari", bot, "--verbose")...)
		runSafe(t, dir, 1, with("test", "ioiwari", bot, "-o", filepath.Join(dir, evil), "--append")...)
		runSafe(t, dir, 0, with("match", "ioiwari", bot, "@greedy", "--verbose")...)
		runSafe(t, dir, 0, with("match", "ioiwari", bot, "@greedy")...)
		runSafe(t, dir, 0, with("score", "ioiwari", bot, "--verbose")...)
		run := filepath.Join(dir, evil+fmt.Sprint("run", len(json)))
		runSafe(t, dir, 0, with("tournament", "ioiwari", bot, "@greedy", "-o", run)...)
		runSafe(t, dir, 0, append([]string{"tournament", "--resume", "-o", run}, json...)...)
	}
	runSafe(t, dir, 2, "test", "ioiwari", filepath.Join(dir, evil+"missing"))
	runSafe(t, dir, 2, "verify", filepath.Join(dir, evil+"missing"))
	runSafe(t, dir, 2, evil)
	runSafe(t, dir, 2, "test", evil, bot)
	runSafe(t, dir, 2, "test", "ioiwari", bot, "--case", evil+"missing")
}
