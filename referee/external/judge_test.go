package external

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/ioiwari"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/talk"
	"umpire/referee/testlevel"
)

// judgeOf returns the judge in a folder of testdata, run by Python where it lies.
func judgeOf(t *testing.T, name string) Judge {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	f, err := Load(t.Context(), "testdata/"+name)
	must(t, err)
	launcher, err := sandbox.NewNone()
	must(t, err)
	return Judge{
		Folder: f, Launcher: launcher,
		Bot: program.Bot{Name: "judge", Path: python, Args: []string{"python3", f.Judge}, Dir: f.Dir},
	}
}

// seen is what happens in a match, for players and onlookers.
type seen struct {
	Seats []string
	Sent  []string
	State []any
	Fouls []string
}

// replay plays events, and collects what is seen.
func replay(t *testing.T, setup referee.Setup, events []referee.Event) (s seen, played referee.Result) {
	t.Helper()
	played, err := setup.Replay(events, referee.Watcher{
		Sent: func(seat int, text string) { s.Sent = append(s.Sent, fmt.Sprint(seat, text)) },
		Event: func(_ referee.Event, foul *protocols.Foul, m protocols.Match) {
			text, _ := json.Marshal(m.State())
			var state any
			_ = json.Unmarshal(text, &state)
			s.State = append(s.State, state)
			if foul != nil {
				s.Fouls = append(s.Fouls, foul.Reason)
			}
		},
	})
	must(t, err)
	for _, seat := range played.Seats {
		s.Seats = append(s.Seats, fmt.Sprint(seat.Score, seat.Place, seat.Verdict, seat.Detail, seat.Replies))
	}
	return s, played
}

// TestSameAsBuiltIn plays a built-in game, and the same game with its rules in a judge,
// one process for all matches: the same is sent, seen and ruled. So it is from the talk.
func TestSameAsBuiltIn(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	judge := judgeOf(t, "ioiwari")
	judges := judge.Judges()
	defer judges.Close()
	built := ioiwari.Game()
	draw := rand.New(rand.NewPCG(1, 29))
	for n := range 60 {
		c, err := built.Generate(built.Groups[0], uint64(n))
		must(t, err)
		setup := referee.Setup{Game: built, Case: c, Seats: 2}
		events := randomEvents(t, setup, draw)
		want, _ := replay(t, setup, events)

		own := judge.Folder.Game()
		told, err := own.Parse(c.String())
		must(t, err)
		match, end := judges.Match(arena.Fixture{Seats: make([]arena.Seat, 2), Want: talk.Shown}, told)
		got, played := replay(t, referee.Setup{Game: own, Case: talk.Begun{Case: told, Match: match}, Seats: 2}, events)
		end()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("match %d: found\n%+v\nexpected\n%+v", n, got, want)
		}
		recorded := record.Record{Game: own.Name, Package: judge.Folder.Package(), Case: record.Case{Text: c.String()}, Talk: played.Talk, Seats: make([]record.Seat, 2)}
		if setup, _, err = recorded.Setup(nil); err != nil {
			t.Fatal(err)
		}
		if again, _ := replay(t, setup, events); !reflect.DeepEqual(again, want) {
			t.Fatalf("match %d, from its talk: found\n%+v\nexpected\n%+v", n, again, want)
		}
	}
	if kept := judges.(*judgesOfJob).kept; kept == nil || kept.matches != 60 {
		t.Errorf("found %+v, expected one process for all matches", kept)
	}
}

// randomEvents plays a match at random, with a foul or a failure now and then, and returns
// its events.
func randomEvents(t *testing.T, setup referee.Setup, draw *rand.Rand) (events []referee.Event) {
	t.Helper()
	m := setup.Case.Start(2)
	for step := m.Next(); len(step.Await) > 0; step = m.Next() {
		seat := step.Await[0]
		choices := m.(protocols.Chooser).Choices(seat)
		e := referee.Event{Seat: seat, Reply: choices[draw.IntN(len(choices))].Reply}
		switch draw.IntN(60) {
		case 0:
			e.Reply = []string{"", "8", "seven", "-1", "1 2", " 0"}[draw.IntN(6)]
		case 1:
			e.Reply = fmt.Sprintf(" 0%d\t", 1+draw.IntN(7)) // perhaps an empty pit
		case 2:
			e.Reply, e.Fail = "", &protocols.Failure{Kind: protocols.KindTime, Detail: "late"}
		}
		events = append(events, e)
		if e.Fail != nil {
			m.Fail(seat, *e.Fail)
		} else if foul := m.Reply(seat, e.Reply); foul != nil {
			m.Fail(seat, protocols.Failure{Kind: protocols.KindFoul})
		}
	}
	return events
}

// TestGuide: the judge in README.md, with the helper, rules as the one without it does.
func TestGuide(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	guide, err := os.ReadFile("README.md")
	must(t, err)
	_, text, _ := strings.Cut(string(guide), "    from umpire import")
	text, _, found := strings.Cut("    from umpire import"+text, "\n\n")
	if !found {
		t.Fatal("found no judge in README.md")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	helper, err := os.ReadFile("testdata/cards/umpire.py")
	must(t, err)
	write("judge.py", strings.ReplaceAll(text, "\n    ", "\n")[len("    "):])
	write("umpire.py", string(helper))
	without := judgeOf(t, "ttt")
	with := without
	with.Bot.Dir = dir
	for _, moves := range []string{"142536978", "5192837", "9", "112", "x", ""} {
		var talks []string
		for _, judge := range []Judge{without, with} {
			game := judge.Folder.Game()
			c, _ := game.Parse("")
			match, end := judge.Judges().Match(arena.Fixture{Seats: make([]arena.Seat, 2)}, c)
			var events []referee.Event
			for i, cell := range moves {
				events = append(events, referee.Event{Seat: 1 + i%2, Reply: string(cell)})
			}
			_, _ = referee.Setup{Game: game, Case: talk.Begun{Case: c, Match: match}, Seats: 2}.Replay(events, referee.Watcher{}) // it may end early
			talks = append(talks, match.(referee.Judged).Talk())
			end()
		}
		if err := talk.Compare(talks[1], talks[0]); err != nil || talks[0] == "" {
			t.Errorf("moves %s: %v", moves, err)
		}
	}
}

// TestNothingStays: a judge of many matches that has left a file leads no other, so that
// the next finds nothing. The folders by which it is shown its own files are none.
func TestNothingStays(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	sandboxtest.Each(t, func(t *testing.T, launcher sandbox.Launcher) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		const script = `while read -r match version seats seed lines; do
    read -r line
    [ "$line" = write ] && echo >"$TMPDIR/left"
    [ "$line" = beside ] && (echo >../left)
    left=
    for file in "$TMPDIR/left" ../left; do [ -e "$file" ] && left=left; done
    echo "note $left $line"
    echo end 1
done`
		talks, kept := onCases(t, launcher, script, "look", "look", "write", "look", "beside", "look")
		wrote := strings.HasPrefix(talks[4], "note left") // where the folder belongs to the program's user
		want := []string{"note  look\nend 1", "note  look\nend 1", "note left write\nend 1", "note  look\nend 1", talks[4], "note  look\nend 1"}
		if !reflect.DeepEqual(talks, want) {
			t.Errorf("found %q, expected %q", talks, want)
		}
		if want := []bool{true, true, false, true, !wrote, true}; !reflect.DeepEqual(kept, want) {
			t.Errorf("kept: found %v, expected %v", kept, want)
		}
	})
}

// TestNothingIsLeftOver: a judge of many matches that has said more than `end`, has ended, or
// has a process that may speak later leads no other.
func TestNothingIsLeftOver(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	sandboxtest.Each(t, func(t *testing.T, launcher sandbox.Launcher) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		const script = `n=0
while read -r match version seats seed lines; do
    read -r line
    n=$((n + 1))
    if [ "$line" = fork ]; then sleep 60 & fi
    text="note $n
end 1
"
    [ "$line" = more ] && text="${text}note of"
    [ "$line" = blank ] && text="$text
"
    printf %s "$text"
    [ "$line" = leave ] && exit
done`
		cases := []string{"look", "more", "look", "blank", "look", "leave", "look"}
		want := []string{"1", "2", "1", "2", "1", "2", "1"}
		if runtime.GOOS == "linux" {
			cases, want = append(cases, "fork", "look"), append(want, "2", "1")
		}
		talks, _ := onCases(t, launcher, script, cases...)
		for i, n := range want {
			if got := "note " + n + "\nend 1"; talks[i] != got {
				t.Errorf("match %d, %s: found %q, expected %q", i+1, cases[i], talks[i], got)
			}
		}
	})
}

// onCases has a shell script judge a match on each case, one after the other, and reports after
// which matches its process was kept for the next one.
func onCases(t *testing.T, launcher sandbox.Launcher, script string, texts ...string) (talks []string, kept []bool) {
	t.Helper()
	own := filepath.Join(t.TempDir(), "own") // in /tmp, or wherever TMPDIR has it
	must(t, os.Mkdir(own, 0o755))
	judge := Judge{
		Folder: &Folder{Manifest: Manifest{Name: "g", Facts: talk.Facts{MinSeats: 1, MaxSeats: 1}, ManyMatches: true}}, Launcher: launcher,
		Bot: program.Bot{Name: "judge", Path: "/bin/sh", Args: []string{"sh", "-c", script}, Dir: own, Read: []string{own}},
	}
	judges := judge.Judges()
	defer judges.Close()
	for _, text := range texts {
		game := judge.Folder.Game()
		c, err := game.Parse(text)
		must(t, err)
		match, end := judges.Match(arena.Fixture{Seats: make([]arena.Seat, 1)}, c)
		if _, err := (referee.Setup{Game: game, Case: talk.Begun{Case: c, Match: match}, Seats: 1}).Replay(nil, referee.Watcher{}); err != nil {
			t.Fatal(err)
		}
		talks = append(talks, match.(referee.Judged).Talk())
		end()
		kept = append(kept, judges.(*judgesOfJob).kept != nil)
	}
	return talks, kept
}
