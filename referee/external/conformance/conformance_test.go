package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/program"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	sandboxtest.FastPython()
	os.Exit(m.Run())
}

// check runs the suite on the folder of a game whose manifest, judge, rules and bots are
// these, and returns its parts by name.
func check(t *testing.T, files map[string]string) map[string]Part {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	dir, all := t.TempDir(), make(fstest.MapFS)
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, all); err != nil {
		t.Fatal(err)
	}
	f, err := external.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	run := func(file string) program.Bot {
		return program.Bot{Name: file, Path: sh, Args: []string{"sh", file}, Dir: dir}
	}
	parts := make(map[string]Part)
	s := Suite{
		Folder: f, Judge: external.Judge{Folder: f, Bot: run(f.Judge), Launcher: launcher}, Matches: 12, Jobs: 2,
		Told: func(p Part) { parts[p.Name] = p },
	}
	for _, file := range f.Bots() {
		bot := run(file)
		bot.Name = filepath.Base(file)
		s.Bots = append(s.Bots, arena.Program{Bot: bot, Launcher: launcher})
	}
	ok, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wrong := false
	for _, p := range parts {
		wrong = wrong || p.Wrong != nil
	}
	if ok == wrong {
		t.Errorf("found %v, with the parts %+v", ok, parts)
	}
	return parts
}

const oneSeat = "game: g\nseats: 1\njudge: judge.sh\nrandom: no\n"

// judge is the beginning of a judge, and what follows it: a shell starts fast.
func judge(rest string) string {
	return `begin() {
    read -r match version seats seed lines || exit 0
    while [ "$lines" -gt 0 ]; do read -r line; lines=$((lines - 1)); done
}
ask() {
    seat=$1
    shift
    for choice; do echo "choice $seat $choice"; done
    echo "ask $seat"
    read -r verb who reply || exit 1
}
begin
` + rest
}

// TestFound: each thing that is wrong is found in its part, with what to write instead.
func TestFound(t *testing.T) {
	t.Parallel()
	const guess = "ask 1 1 2; echo end 1"
	for name, test := range map[string]struct {
		files               map[string]string
		part, what, instead string
		where               string
	}{
		"no verb": {
			map[string]string{"judge.sh": judge("echo debug; " + guess)}, "cases",
			`judge: line 1, "debug": found "debug", expected say, choice`, "print other things to standard error", ">    1  debug",
		},
		"wrong seat": {
			map[string]string{"judge.sh": judge("echo say 2 hello; " + guess)}, "cases",
			`line 1, "say 2 hello": found seat "2", expected 1 to 1`, "`say SEAT TEXT`", "match 1 1 0 0",
		},
		"no end": {
			map[string]string{"judge.sh": judge("ask 1 1 2")}, "play",
			"it left without `end`", "say `end SCORE`", "reply 1 ",
		},
		"too many scores": {
			map[string]string{"judge.sh": judge("ask 1 1 2; echo end 1 0")}, "play",
			"scores: found 2, expected 1", "`end SCORE`", ">    4  end 1 0",
		},
		"not flushed": {
			map[string]string{"judge.sh": judge("read -r line; echo ask 1")}, "cases",
			"blocked reading|no whole step", "flush", "",
		},
		"own error": {
			map[string]string{"judge.sh": judge("ask 1; case $reply in [0-9]) echo end $reply;; *) echo ValueError >&2; exit 4; esac")}, "play|failures",
			"its standard error ends: ValueError", "`foul SEAT WHY`", "",
		},
		"a clock": {
			map[string]string{"judge.sh": judge("echo say 1 $$; " + guess)}, "play",
			"told the same again, says something else", "seed", "case game/1, 1 seat, seed 0, 1 reply",
		},
		"remembers": {
			map[string]string{"judge.sh": judge("n=0; while :; do n=$((n + 1)); echo say 1 $n; " + guess + "; begin; done"), "umpire.yaml": oneSeat + "judge-matches: many\n"}, "play",
			"told the same again", "keep nothing of the matches before", "",
		},
		"refused": {
			map[string]string{"judge.sh": judge("[ \"$line\" = joker ] && echo refuse 2 no joker; " + guess), "cases/a/1.txt": "ace\n", "cases/a/2.txt": "ace\njoker\n"}, "cases",
			filepath.Join("cases", "a", "2.txt") + ":2: the judge refuses it: no joker", "mend the case", "",
		},
		"asks who is out": {
			map[string]string{
				"umpire.yaml": "game: g\nseats: 3\njudge: judge.sh\nrandom: no\non-failure: continues\n",
				"judge.sh":    judge("for n in 1 2 3 1; do ask $n 1 2; done; echo end 1 0 0"),
			}, "failures",
			"where seat 1 is silent, judge: line [0-9]+, \"ask 1\": found seat 1, which is out", "must not be asked again", "fail 1 time",
		},
		"a bot fouls": {
			map[string]string{"judge.sh": judge(guess), "bots/b.sh": "echo 3\n"}, "bots",
			`bot b.sh fails in seat 1: foul: answered "3", expected one of 1, 2`, "rules.md", "reply 1 3",
		},
		"another dialogue": {
			map[string]string{"judge.sh": judge("echo say 1 go; " + guess), "rules.md": "# G\n\n    → run\n    ← 1\n"}, "rules",
			"rules.md:3: the dialogue is that of no seat: no match goes so", "    → go\n    ← 1", "> → run",
		},
		"a dialogue of a foul": {
			map[string]string{"judge.sh": judge("echo say 1 go; " + guess), "rules.md": "    → go\n    ← 3\n    → over\n"}, "rules",
			"rules.md:1: ", "", "nearest match has: the end of the match",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.files["umpire.yaml"] == "" {
				test.files["umpire.yaml"] = oneSeat + "judge-time: 1s\n"
			}
			parts := check(t, test.files)
			var wrong *Finding
			for name, p := range parts {
				if p.Wrong != nil && (wrong == nil || slices.Contains(strings.Split(test.part, "|"), name)) {
					wrong = p.Wrong
				}
			}
			if wrong == nil {
				t.Fatalf("found %+v, expected something wrong", parts)
			}
			if test.part != "" && !slices.ContainsFunc(strings.Split(test.part, "|"), func(name string) bool { return parts[name].Wrong == wrong }) {
				t.Errorf("found %+v, expected it in %s", parts, test.part)
			}
			matches(t, wrong.What, test.what)
			matches(t, wrong.Instead, test.instead)
			matches(t, strings.Join(wrong.Where, "\n"), test.where)
		})
	}
}

// TestWarnings: what makes a game a poor one is said, and is no error.
func TestWarnings(t *testing.T) {
	t.Parallel()
	parts := check(t, map[string]string{
		"umpire.yaml": oneSeat, "judge.sh": judge("echo say 1 go; ask 1; [ \"$reply\" = 1 ]; echo end $((1 - $?))"), "bots/b.sh": "read -r line; echo 1\n",
	})
	for name, want := range map[string]string{"bots": "10 matches of b.sh are all the same", "rules": "rules.md, expected rules with a dialogue"} {
		if list := parts[name].Warnings; len(list) != 1 || !strings.Contains(list[0].What, want) {
			t.Errorf("found %+v in %s, expected %q", list, name, want)
		}
	}
	if did := parts["play"].Did; !strings.Contains(did, "12 matches of its bots' replies, changed at random") {
		t.Errorf("found %q", did)
	}
	parts = check(t, map[string]string{
		"umpire.yaml": oneSeat, "judge.sh": judge("echo \"svg <svg viewBox='0 0 1 1'><a><rect width='1' style='x' data-reply='2'/></a><rect data-reply='1'/></svg>\"; ask 1 1; echo end 1"),
	})
	if list := parts["pictures"].Warnings; len(list) != 1 || list[0].What != "pages leave out of the pictures: a, data-reply of rect, rect, style of rect, width of rect" {
		t.Errorf("found %+v", list)
	}
	parts = check(t, map[string]string{
		"umpire.yaml": oneSeat, "judge.sh": judge("echo 'svg <svg viewBox=\"0 0 1 1\"><rect></svg>'; ask 1 1; echo end 1"),
	})
	if list := parts["pictures"].Warnings; len(list) != 1 || !strings.Contains(list[0].What, "a picture is not shown, but the text of `show`: not well-formed XML") {
		t.Errorf("found %+v", list)
	}
	parts = check(t, map[string]string{
		"umpire.yaml": oneSeat + "max-replies: 30\n", "judge.sh": judge("while :; do ask 1 1; done"), "rules.md": "    → nothing\n    ← 1\n",
	})
	if list := parts["play"].Warnings; len(list) != 1 || !strings.Contains(list[0].What, "12 of 12 matches went on up to max-replies") {
		t.Errorf("found %+v", list)
	}
	parts = check(t, map[string]string{
		"umpire.yaml": oneSeat, "judge.sh": judge("ask 1; echo foul 1 so; echo end 0"), "bots/b.sh": "echo 1\n",
	})
	if list := parts["play"].Warnings; len(list) != 1 || list[0].What != "the judge says no choices and the folder's bots fail: few replies were legal, if any" || list[0].Instead != "say `choice SEAT REPLY` before `ask`, or mend the bots" {
		t.Errorf("found %+v", list)
	}
}

// TestDialogue: a dialogue is found that needs a deal, and replies of the other seat.
func TestDialogue(t *testing.T) {
	t.Parallel()
	parts := check(t, map[string]string{
		"umpire.yaml": "game: g\nseats: 2\njudge: judge.sh\njudge-matches: many\n",
		"judge.sh": judge(`
while :; do
    echo say 2 deal ${seed#${seed%?}}
    ask 1 a b c
    first=$reply
    ask 1 d e
    echo say 2 $first$reply
    ask 2 x y
    echo say 2 over
    echo end 1 0
    begin
done
`),
		"rules.md": "    → deal 3\n    → be\n    ← y\n    → over\n\n    → deal 0\n    …\n    ← x\n",
	})
	if p := parts["rules"]; p.Wrong != nil || p.Did != "2 dialogues played" {
		t.Errorf("found %+v", fmt.Sprint(p, p.Wrong))
	}
}

// matches checks that a text holds one of several, which | separates; numbers may be any
// where the text has [0-9]+.
func matches(t *testing.T, text, want string) {
	t.Helper()
	for one := range strings.SplitSeq(want, "|") {
		before, after, _ := strings.Cut(one, "[0-9]+")
		if _, rest, ok := strings.Cut(text, before); ok && strings.Contains(rest, after) {
			return
		}
	}
	t.Errorf("found\n%s\nexpected %q", text, want)
}
