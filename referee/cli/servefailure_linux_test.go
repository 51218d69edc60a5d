package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What umpire serve itself fails at, its organiser reads in detail, and players
// and onlookers without the names of files: a match whose bot is gone, and a
// record that can't be read; also after umpire was started again.
func TestServeFailures(t *testing.T) {
	t.Parallel()
	dir, path := withUmpire(t)
	bot, edited, data := filepath.Join(dir, "bot"), filepath.Join(dir, "edited"), filepath.Join(dir, "data")
	write(t, bot, "#!/bin/sh\nwhile read line; do echo 1; done\n")
	write(t, edited, "#!/bin/sh\nwhile read line; do echo 2; done\n")
	p := startUmpire(t, path, "serve", "vmukni", bot, edited, "-o", data, "--listen", "127.0.0.1:0")
	url := serveURL(p)
	told(p, "no isolation")
	must(t, os.Remove(bot))
	var made struct{ ID string }
	post(t, url, "matches", map[string]any{"game": "vmukni", "seats": []string{"bot", "@greedy"}}, &made)
	told(p, "does not count: "+made.ID, bot)
	match := url + "/api/v1/matches/" + made.ID
	detail := "umpire could not play it; its organiser can read why"
	void := func(address string) {
		t.Helper()
		var found struct{ State, Detail string }
		for end := time.Now().Add(time.Minute); found.State != "void" && time.Now().Before(end); {
			_, text := fetch(t, address)
			must(t, json.Unmarshal([]byte(text), &found))
		}
		if found.State != "void" || found.Detail != detail {
			t.Errorf("found %+v, expected it to be void: %s", found, detail)
		}
	}
	void(match)
	if status, page := fetch(t, url+"/matches/"+made.ID); status != http.StatusOK || !strings.Contains(page, detail) || strings.Contains(page, dir) {
		t.Errorf("found status %d, page\n%s", status, page)
	}

	write(t, edited, "#!/bin/sh\nwhile read line; do echo 3; done\n")
	detail = "this match has no result, through the fault of bot edited; its organiser can read why"
	post(t, url, "matches", map[string]any{"game": "vmukni", "seats": []string{"edited", "@greedy"}}, &made)
	told(p, "does not count: "+made.ID, edited)
	match = url + "/api/v1/matches/" + made.ID
	void(match)

	results := filepath.Join(data, "results.jsonl")
	stored, err := os.ReadFile(results)
	must(t, err)
	must(t, os.Truncate(results, 0))
	for range 20 {
		if status, text := fetch(t, match+"/record", "Authorization", "Bearer token"); status != http.StatusInternalServerError || strings.Contains(text, dir) {
			t.Fatalf("found status %d, %s", status, text)
		}
	}
	told(p, "/record", "results.jsonl")

	_ = p.cmd.Process.Kill()
	rest := 0
	for {
		line, err := p.stderr.ReadString('\n')
		if err != nil {
			break
		}
		if rest++; !strings.Contains(line, "could not be answered") {
			t.Errorf("found %q", line)
		}
	}
	if rest != 9 {
		t.Errorf("a failure at 20 requests is told %d times, expected 10", rest+1)
	}
	_ = p.cmd.Wait()
	write(t, results, string(stored))
	again := startUmpire(t, path, "serve", "-o", data, "--listen", "127.0.0.1:0")
	void(serveURL(again) + "/api/v1/matches/" + made.ID)
}

// serveURL reads where umpire serve listens.
func serveURL(p *umpireProcess) string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	url, _, ok := strings.Cut(line, "/#token=")
	if err != nil || !ok {
		p.t.Fatalf("umpire serve printed %q, error %v", line, err)
	}
	return url
}

// told reads the next line of standard error, which must hold some words.
func told(p *umpireProcess, words ...string) {
	p.t.Helper()
	line, err := p.stderr.ReadString('\n')
	for _, word := range words {
		if err != nil || !strings.Contains(line, word) {
			p.t.Fatalf("found %q, error %v, expected %q", line, err, word)
		}
	}
}
