package remote_test

import (
	"encoding/json"
	"strings"
	"testing"

	"umpire/referee/record"
	"umpire/referee/remote"
)

func TestPublic(t *testing.T) {
	const compiler = "compile /srv/secret/b.c (C): exit status 1\nb.c:1: error: the secret plan"
	r := record.Record{
		Error: "start bot b: stat /srv/secret/b: no such file",
		Seats: []record.Seat{
			{Bot: "a", Verdict: "foul", Detail: `answered "1/2"`, Stderr: "a secret", StderrAfter: "a secret", StderrBytes: 16},
			{Bot: "b", Verdict: "compile", Detail: compiler},
		},
		Events: []record.Event{{Seat: 2, Fail: "compile", Detail: compiler}},
	}
	before, err := json.Marshal(r)
	must(t, err)
	public := remote.Public(r)
	text, err := json.Marshal(public)
	if err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("found %s, error %v", text, err)
	}
	if d := public.Seats[0].Detail; d != `answered "1/2"` {
		t.Errorf("a foul: found detail %q", d)
	}
	if d := public.Seats[1].Detail; d == "" || public.Events[0].Detail != d {
		t.Errorf("compile: found %q and %q", d, public.Events[0].Detail)
	}
	if after, _ := json.Marshal(r); string(after) != string(before) {
		t.Errorf("the record has changed: %s", after)
	}
	const hidden = "this match has no result, through the fault of "
	for why, want := range map[string]string{
		"bob left seat 1":           "bob left seat 1",
		"it ended\n  at main.go:7":  "it ended",
		"stat /srv/b: no such file": "umpire could not play it; its organiser can read why",
		`judge: found "K of hearts"; its standard error ends: File "/srv/judge.py"`: hidden + "the judge of cards; its organiser can read why",
		"start bot b: it has changed since umpire read it: /srv/b":                  hidden + "bot b; its organiser can read why",
	} {
		if got := remote.Public(record.Record{Game: "cards", Seats: r.Seats, Error: why}).Error; got != want {
			t.Errorf("%q: found %q, expected %q", why, got, want)
		}
	}
}
