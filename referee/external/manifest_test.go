package external

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee/talk"
)

// TestManifest: every key, its default, and what is wrong with one, with the line.
func TestManifest(t *testing.T) {
	const least = "game: ttt\nseats: 2\njudge: judge.py\n"
	m, err := parseManifest("umpire.yaml", []byte(least))
	must(t, err)
	if m.Facts != (talk.Facts{Title: "ttt", MinSeats: 2, MaxSeats: 2}) || m.Judge != "judge.py" || !m.Random || m.ManyMatches || m.JudgeThinks ||
		m.JudgeTime != 10*time.Second || m.JudgeMemory != 1<<30 || m.Limits != (protocols.Limits{PerMove: time.Second, Memory: 256 << 20}) {
		t.Errorf("found defaults %+v", m)
	}
	m, err = parseManifest("umpire.yaml", []byte(`game: big-2
title: "Big: two"
seats: 2-4
judge: python3 -O judge.py
time: 5s
move: 500ms
startup: 2s
memory: 64M
house: bots/a.py
rank: places
formula: P * win
judge-time: 1m
judge-memory: 2G
judge-thinks: yes
judge-matches: many
on-failure: continues
lost: -1
won: 2.5
replies: bytes
random: no
hidden: yes
max-replies: 100
submission-seats: 1
`))
	want := talk.Facts{
		Title: "Big: two", MinSeats: 2, MaxSeats: 4, Rank: "places", Formula: "P * win", OnFailure: "continues", Lost: "-1", Won: "2.5",
		Replies: "bytes", Hidden: true, MaxReplies: 100, Submission: "1",
	}
	if err != nil || m.Facts != want {
		t.Errorf("found %+v, error %v, expected %+v", m.Facts, err, want)
	}
	if m.Random || !m.ManyMatches || !m.JudgeThinks || m.JudgeTime != time.Minute || m.JudgeMemory != 2<<30 || m.House != "bots/a.py" ||
		m.Limits != (protocols.Limits{Time: 5 * time.Second, PerMove: 500 * time.Millisecond, Startup: 2 * time.Second, Memory: 64 << 20}) {
		t.Errorf("found %+v", m)
	}
	for _, test := range []struct{ text, want string }{
		{"", "umpire.yaml:1: game: found \"\", expected a name"},
		{"game: Ttt\nseats: 2\njudge: j", "umpire.yaml:1: game: found \"Ttt\", expected a name"},
		{"game: ttt\nseats: 2\n", "umpire.yaml:1: judge: found none, expected a file"},
		{"game: ttt\njudge: j\n", "umpire.yaml:1: seats: found \"\", expected a number from 1 to 4"},
		{"game: ttt\njudge: j\nseats: 5", "umpire.yaml:3: seats: found \"5\""},
		{"game: ttt\njudge: j\nseats: 3-2", "umpire.yaml:3: seats: found \"3-2\""},
		{least + "mvoe: 1s", "umpire.yaml:4: unknown key \"mvoe\"; did you mean move?"},
		{least + "move: fast", "umpire.yaml:4: move: found \"fast\", expected a time"},
		{least + "\nmemory: 256", "umpire.yaml:5: memory: found \"256\": bytes? write 256M"},
		{least + "\nformula: X*Q", "umpire.yaml:5: formula: unknown name Q; a formula may use P X Y "},
		{least + "rank: elo", "umpire.yaml:4: rank: found \"elo\", expected points or wins or places"},
		{least + "on-failure: ends", "umpire.yaml:4: on-failure: found \"ends\", expected loses or continues"},
		{"game: ttt\nseats: 2-3\njudge: j", "umpire.yaml:1: on-failure: found none, expected loses or continues"},
		{least + "won: lots", "umpire.yaml:4: won: found \"lots\""},
		{least + "lost: 5", "umpire.yaml:4: lost: found 5, more than the 1 of `won`"},
		{least + "judge-time: 0s", "umpire.yaml:4: judge-time: found \"0s\", expected a time above 0"},
		{least + "max-replies: 0", "umpire.yaml:4: max-replies: found \"0\""},
		{least + "random: maybe", "umpire.yaml:4: random: found \"maybe\", expected yes or no"},
		{least + "house: ../bot.py", "umpire.yaml:4: house: found \"../bot.py\""},
		{least + "groups: [a]", "umpire.yaml:4: groups: found groups, but no `generate:`"},
		{"- a\n- b\n", "umpire.yaml:1: expected lines of KEY: VALUE"},
		{"ttt", "umpire.yaml:1: expected lines of KEY: VALUE"},
		{"# a note\n", "umpire.yaml:1: game: found"},
		{"game: [", "umpire.yaml:1: "},
		{"game: ttt\ngame: ttt\n", "umpire.yaml:2: "},
	} {
		_, err := parseManifest("umpire.yaml", []byte(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q:\nfound %v\nexpected %s", test.text, err, test.want)
		}
	}
}

// TestDigest: it covers what determines how matches go, and nothing else.
func TestDigest(t *testing.T) {
	folder := &Folder{Dir: t.TempDir()}
	for name, text := range map[string]string{
		"lib/run/run.json": "{}", "lib/run/tournament.yaml": "", "scored/results.jsonl": `{"v":1,"id":""}`, "killed/results.jsonl": "",
		"half/run.json": "{}", "packed/results.jsonl.zst": "", "site/.umpire-report": "", "data/results.jsonl": "[1, 2]\n",
	} {
		file := filepath.Join(folder.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{
		"judge.py": true, "umpire.py": true, "lib/cards.py": true, "rules.md": false, "README": false, "README.md": false, "viewer.html": false,
		"bots/a.py": false, "starters/a.py": false, "cases/a/1.txt": false, "umpire.yaml": false, "lib/rules.md": true,
		"cases/": false, "lib/": true, "lib/run/": false, "scored/": false, "killed/": false, "half/": true, "packed/": false, "site/": false, "data/": true,
	} {
		if folder.decides(name) != want {
			t.Errorf("%s: found %v, expected %v", name, !want, want)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add("game: ttt\nseats: 2\njudge: judge.py\n")
	f.Add("game: a\nseats: 2-4\njudge: x\non-failure: loses\nlost: 0.5\nrandom: no\n")
	f.Add("... ") // no document
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseManifest("umpire.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "umpire.yaml:") {
				t.Errorf("found %v, expected file and line", err)
			}
			return
		}
		if err := m.Facts.Check(); err != nil || m.Judge == "" || m.JudgeTime <= 0 {
			t.Errorf("found %+v: %v", m, err)
		}
	})
}
