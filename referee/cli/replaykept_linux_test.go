package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"umpire/referee/remote"
)

// TestReplayKept: umpire ends with the match, but only when the pages of its
// person and of its onlookers have got the replay.
func TestReplayKept(t *testing.T) {
	_, path := withUmpire(t)
	p := startUmpire(t, path, "match", "vmukni", "human:eve", "@greedy", "--case", "small/01", "--listen", "127.0.0.1:0")
	at := p.says(`^eve plays seat 1: (http://[^/]+)/play/(.*)#(.*)\n$`)
	base, match, ticket := at[1]+"/api/v1/", at[2], at[3]
	browser := http.Client{Timeout: time.Minute}
	events, err := browser.Get(base + "matches/" + match + "/events?page&replay")
	must(t, err)
	defer events.Body.Close()
	type turn struct {
		remote.TurnInfo
		Replay string
	}
	ask := func(method string, k int, body string) (info turn) {
		status, text := request(t, method, fmt.Sprintf("%sseat/turns/%d?wait=30&board&replay", base, k), body, "Authorization", "Bearer "+ticket)
		if err := json.Unmarshal([]byte(text), &info); err != nil || status != http.StatusOK {
			t.Fatalf("found status %d, error %v", status, err)
		}
		return info
	}
	info := ask("GET", 1, "")
	for k := 1; info.State != remote.TurnOver; {
		if info.State == remote.TurnMove {
			k++
			info = ask("PUT", k-1, `{"reply":"`+info.Board.Choices[0].Reply+`"}`)
		} else {
			info = ask("GET", k, "")
		}
	}
	const data = `<script type="application/gzip" id="data">`
	if !strings.Contains(info.Replay, data) {
		t.Errorf("the person gets the replay %.200q", info.Replay)
	}
	ended, err := io.ReadAll(p.out) // until umpire has ended
	if err != nil || p.cmd.Wait() != nil {
		t.Errorf("umpire printed %s, error %v, %v", ended, err, p.cmd.ProcessState)
	}
	// The onlooker is slower than that.
	over := ""
	for in := bufio.NewReader(events.Body); ; {
		line, err := in.ReadString('\n')
		if strings.Contains(line, `"replay":`) {
			over = line
		}
		if err != nil {
			break
		}
	}
	var last struct{ Replay string }
	if err := json.Unmarshal([]byte(strings.TrimPrefix(over, "data: ")), &last); err != nil || last.Replay != info.Replay {
		t.Errorf("the onlooker gets the end %.200q, error %v", over, err)
	}
}
