package talk

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
)

// told is a judge that says what stands in a table, step by step.
type told struct {
	steps []string // of each step the lines that it says, after those that it hears
	heard []string
}

func (j *told) Hear(_ context.Context, lines string, say func(string) bool) error {
	j.heard = append(j.heard, lines)
	if len(j.steps) == 0 {
		return fmt.Errorf("it left")
	}
	step := j.steps[0]
	j.steps = j.steps[1:]
	for line := range strings.SplitSeq(step, "\n") {
		if say(line) {
			return nil
		}
	}
	return fmt.Errorf("it left")
}

// events makes events of "SEAT REPLY" and, for failures, "SEAT !KIND".
func events(list ...string) (events []referee.Event) {
	for _, text := range list {
		word, reply, _ := strings.Cut(text, " ")
		e := referee.Event{Seat: int(word[0] - '0'), Reply: reply}
		if kind, failed := strings.CutPrefix(reply, "!"); failed {
			e.Reply, e.Fail = "", &protocols.Failure{Kind: protocols.Kind(kind), Detail: kind}
		}
		events = append(events, e)
	}
	return events
}

// judged is the setup of a match whose judge says the steps.
func judged(f Facts, seats int, steps ...string) (*Match, *told, referee.Setup) {
	judge := &told{steps: steps}
	m := NewMatch(f, seats, judge)
	return m, judge, referee.Setup{Case: Begun{Case: Case{}, Match: m}, Seats: seats}
}

// again plays a match from its talk alone, and fails the test unless it ends as it did.
func again(t *testing.T, f Facts, played referee.Result, events []referee.Event) {
	t.Helper()
	c, err := f.Told("", played.Talk)
	if err != nil {
		t.Fatal(err)
	}
	got, err := referee.Setup{Case: c, Seats: len(played.Seats)}.Replay(events, referee.Watcher{})
	if err != nil || summary(got) != summary(played) || got.Talk != played.Talk {
		t.Errorf("from its talk: found %s, error %v, expected %s", summary(got), err, summary(played))
	}
}

// summary describes a result: score, place and verdict of each seat.
func summary(r referee.Result) string {
	var parts []string
	for _, s := range r.Seats {
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%v %d %s (%s)", s.Score, s.Place, s.Verdict, s.Detail), " ()"))
	}
	return strings.Join(parts, ", ")
}

var (
	two    = Facts{MinSeats: 2, MaxSeats: 2}
	three  = Facts{MinSeats: 3, MaxSeats: 3}
	goesOn = Facts{MinSeats: 2, MaxSeats: 3, OnFailure: Continues}
)

// TestTalks plays what judges say with what bots reply: with the judge, and from its
// talk alone.
func TestTalks(t *testing.T) {
	for _, test := range []struct {
		name   string
		facts  Facts
		seats  int
		events []string
		steps  []string
		want   string // the outcomes, or the beginning of the error
		heard  string // by the judge, of the last step
	}{
		{"scores", two, 2, []string{"1 a"}, []string{"ask 1", "end 0.25 -3"}, "0.25 1 ok, -3 2 ok", "reply 1 a"},
		{"equal scores", two, 2, []string{"2 a"}, []string{"ask 2", "end 0.5 0.5"}, "0.5 1 ok, 0.5 1 ok", "reply 2 a"},
		{"places", three, 3, nil, []string{"place 3 1 1\nend 1 1 1"}, "1 3 ok, 1 1 ok, 1 1 ok", "begin"},
		{"at the same time", two, 2, []string{"1 x", "2 y"}, []string{"ask 1 2", "end 1 0"}, "1 1 ok, 0 2 ok", "reply 1 x\nreply 2 y"},
		{"choice as written", two, 2, []string{"1  007"}, []string{"choice 1 7\tseven\nask 1", "end 1 0"}, "1 1 ok, 0 2 ok", "reply 1 7"},
		{"text with blanks", two, 2, []string{"1  a  b "}, []string{"ask 1", "end 1 0"}, "1 1 ok, 0 2 ok", "reply 1  a  b "},
		{"no choice", two, 2, []string{"1 8"}, []string{"choice 1 7\nask 1"}, `0 2 foul (answered "8", expected 7), 1 1 ok`, "begin"},
		{"an empty choice", two, 2, []string{"1 5"}, []string{"choice 1 \nask 1"}, `0 2 foul (answered "5", expected an empty line), 1 1 ok`, "begin"},
		{"one of several", two, 2, []string{"1 "}, []string{"choice 1 7\nchoice 1 up left\nask 1"}, `0 2 foul (answered "", expected one of 7, up left), 1 1 ok`, "begin"},
		{"choices are for one step", two, 2, []string{"1 7", "1 8"}, []string{"choice 1 7\nask 1", "ask 1", "end 1 0"}, "1 1 ok, 0 2 ok", "reply 1 8"},
		{"control character", two, 2, []string{"1 a\x00b"}, []string{"ask 1"}, "0 2 foul (answered ", "begin"},
		{"not UTF-8", two, 2, []string{"1 \xff"}, []string{"ask 1"}, "0 2 foul (answered ", "begin"},
		{"tab", two, 2, []string{"1 a\tb"}, []string{"ask 1", "end 1 0"}, "1 1 ok, 0 2 ok", "reply 1 a\tb"},
		{"bytes", Facts{MinSeats: 2, MaxSeats: 2, Replies: Bytes}, 2, []string{"1 \xff\x01"}, []string{"ask 1", "end 1 0"}, "1 1 ok, 0 2 ok", "reply 1 \xff\x01"},
		{"foul", two, 2, []string{"1 x"}, []string{"ask 1", "foul 1 not x"}, "0 2 foul (not x), 1 1 ok", "reply 1 x"},
		{"foul of one of two", two, 2, []string{"1 x", "2 y"}, []string{"ask 1 2", "foul 2 not y\nask 1"}, "1 1 ok, 0 2 foul (not y)", "reply 1 x\nreply 2 y"},
		{"foul and away", two, 2, []string{"1 x", "2 y"}, []string{"ask 1 2", "foul 2 not y"}, "1 1 ok, 0 2 foul (not y)", "reply 1 x\nreply 2 y"},
		{"both foul", two, 2, []string{"1 x", "2 y"}, []string{"ask 1 2", "foul 2 no\nfoul 1 no"}, "0 1 foul (no), 0 1 foul (no)", "reply 1 x\nreply 2 y"},
		{"failure", two, 2, []string{"1 !time"}, []string{"ask 1"}, "0 2 time (time), 1 1 ok", "begin"},
		{"both fail", two, 2, []string{"1 !time", "2 !crash"}, []string{"ask 1 2"}, "0 1 time (time), 0 1 crash (crash)", "begin"},
		{"one of three fails", three, 3, []string{"2 !idle"}, []string{"ask 2"}, "1 1 ok, 0 3 idle (idle), 1 1 ok", "begin"},
		{"alone", Facts{MinSeats: 1, MaxSeats: 1, Lost: "-2.5"}, 1, []string{"1 !time"}, []string{"ask 1"}, "-2.5 1 time (time)", "begin"},
		{"lost and won", Facts{MinSeats: 2, MaxSeats: 2, Lost: "-1", Won: "10"}, 2, []string{"1 !time"}, []string{"ask 1"}, "-1 2 time (time), 10 1 ok", "begin"},
		{"goes on", goesOn, 3, []string{"1 !time", "2 x"}, []string{"ask 1", "say 1 you are out\nask 2", "end 0 2 1"}, "0 3 time (time), 2 1 ok, 1 2 ok", "reply 2 x"},
		{"is told", goesOn, 2, []string{"1 !crash"}, []string{"ask 1", "end 0 1"}, "0 2 crash (crash), 1 1 ok", "fail 1 crash"},
		{"is told a foul by choice", goesOn, 2, []string{"1 8", "2 x"}, []string{"choice 1 7\nask 1 2", "end 0 1"}, `0 2 foul (answered "8", expected 7), 1 1 ok`, "fail 1 foul\nreply 2 x"},
		{"fouls and goes on", goesOn, 2, []string{"1 x", "2 y"}, []string{"ask 1", "foul 1 not x\nask 2", "end 3 1"}, "3 1 foul (not x), 1 2 ok", "reply 2 y"},
		{"draw by length", Facts{MinSeats: 2, MaxSeats: 2, MaxReplies: 2}, 2, []string{"1 a", "2 b"}, []string{"ask 1", "ask 2"}, "0.5 1 ok, 0.5 1 ok", "reply 1 a"},

		{"unknown verb", two, 2, nil, []string{"shout x"}, `judge: line 1, "shout x": found "shout", expected say, choice, ask,`, "begin"},
		{"blank line", two, 2, nil, []string{"show x\n\nask 1"}, `judge: line 2, "": found "", expected say,`, "begin"},
		{"unknown seat", two, 2, []string{"1 a"}, []string{"ask 1", "say 3 x"}, `judge: line 2, "say 3 x": found seat "3", expected 1 to 2; the last reply was "a" of seat 1`, "reply 1 a"},
		{"asked twice", two, 2, nil, []string{"ask 1 1"}, `judge: line 1, "ask 1 1": found seat 1 after 1, expected each once`, "begin"},
		{"descending", two, 2, nil, []string{"ask 2 1"}, `judge: line 1, "ask 2 1": found seat 1 after 2`, "begin"},
		{"nobody asked", two, 2, nil, []string{"ask"}, `judge: line 1, "ask": found no seat`, "begin"},
		{"asked when out", goesOn, 2, []string{"1 !time"}, []string{"ask 1", "ask 1"}, `judge: line 2, "ask 1": found seat 1, which is out of the match`, "fail 1 time"},
		{"two choices alike", two, 2, nil, []string{"choice 1 7\nchoice 1  07\nask 1"}, `judge: line 2, "choice 1  07": found choice " 07" of seat 1 a second time, as "7"`, "begin"},
		{"choices of another", two, 2, nil, []string{"choice 2 7\nask 1"}, `judge: line 2, "ask 1": found no seat 2, which has choices`, "begin"},
		{"foul of nobody", two, 2, nil, []string{"foul 1 why"}, `judge: line 1, "foul 1 why": found seat 1, which has not just replied`, "begin"},
		{"foul of who failed", goesOn, 2, []string{"1 !time", "2 x"}, []string{"ask 1 2", "foul 1 why"}, `judge: line 2, "foul 1 why": found seat 1, which has not just replied`, "fail 1 time\nreply 2 x"},
		{"foul without a reason", two, 2, []string{"1 a"}, []string{"ask 1", "foul 1"}, `judge: line 2, "foul 1": found no reason`, "reply 1 a"},
		{"too few scores", two, 2, nil, []string{"end 1"}, `judge: line 1, "end 1": scores: found 1, expected 2`, "begin"},
		{"not finite", two, 2, nil, []string{"end nan 1"}, `judge: line 1, "end nan 1": score of seat 1: found "nan"`, "begin"},
		{"too many decimals", two, 2, nil, []string{"end 0.0000001 1"}, `judge: line 1, "end 0.0000001 1": score of seat 1: found "0.0000001"`, "begin"},
		{"too high", two, 2, nil, []string{"end 1000000001 1"}, `judge: line 1, "end 1000000001 1": score of seat 1`, "begin"},
		{"places that can't be", two, 2, nil, []string{"place 1 3\nend 1 0"}, `judge: line 1, "place 1 3": found place 3 of seat 2, expected 2`, "begin"},
		{"place and go on", two, 2, nil, []string{"place 1 2\nask 1"}, `judge: line 2, "ask 1": found ask after place, expected end`, "begin"},
		{"refuses later", two, 2, nil, []string{"show x\nrefuse 1 y"}, `judge: line 2, "refuse 1 y": found refuse, expected it as the first line only`, "begin"},
		{"refuses", two, 2, nil, []string{"refuse 1 no such card"}, "the judge refuses line 1 of the case: no such card", "begin"},
		{"refuses what is not there", two, 2, nil, []string{"refuse 3 no such card"}, "the judge refuses the case: no such card", "begin"},
		{"state", two, 2, nil, []string{"state [1]"}, `judge: line 1, "state [1]": found "[1]", expected a JSON object`, "begin"},
		{"value", two, 2, nil, []string{"value 1 NaN exact 1"}, `judge: line 1, "value 1 NaN exact 1": found "NaN", expected a number`, "begin"},
		{"leaves", two, 2, []string{"1 a"}, []string{"ask 1"}, `judge: it left; the last reply was "a" of seat 1`, "reply 1 a"},
		{"talks too much", two, 2, nil, []string{strings.Repeat("note "+strings.Repeat("x", 1<<16)+"\n", 65)}, "judge: ", "begin"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, judge, setup := judged(test.facts, test.seats, test.steps...)
			m.Begin = "begin"
			played, err := setup.Replay(events(test.events...), referee.Watcher{})
			got := summary(played)
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("found\n%s\nexpected\n%s", got, test.want)
			}
			if heard := judge.heard[len(judge.heard)-1]; heard != test.heard {
				t.Errorf("the judge heard %q, expected %q", heard, test.heard)
			}
			if err == nil {
				again(t, test.facts, played, events(test.events...))
			}
		})
	}
}

// TestBlame: with it, who replied last loses where the judge fails, also in the replay.
func TestBlame(t *testing.T) {
	for _, f := range []Facts{two, goesOn} {
		m, _, setup := judged(f, 2, "ask 1", "ask 2", "show half\nfly")
		m.Blame = true
		list := events("1 a", "2 b")
		played, err := setup.Replay(list, referee.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		got := summary(played)
		if !strings.HasPrefix(got, `1 1 ok, 0 2 foul (the judge failed after this reply: found "fly"`) {
			t.Errorf("found %s", got)
		}
		again(t, f, played, list)
	}
}

// TestPosition: all that is shown between two requests is one board, which stays until
// another is shown; the last one comes before the end. Lines go to whom they are for.
func TestPosition(t *testing.T) {
	_, _, setup := judged(two, 2, "show a\nshow b\nsay all hello\nsay 1 you\nask 1", "say 2 now\nask 2", "show \x1b[2Jend\nsay 1 bye\nend 1 0")
	var boards, sent []string
	_, err := setup.Replay(events("1 x", "2 y"), referee.Watcher{
		Event: func(_ referee.Event, _ *protocols.Foul, m protocols.Match) { boards = append(boards, m.String()) },
		Sent:  func(seat int, text string) { sent = append(sent, fmt.Sprint(seat, " ", text)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(boards, "|"), "a\nb|\uFFFD[2Jend"; got != want {
		t.Errorf("found boards %q, expected %q", got, want)
	}
	if got, want := strings.Join(sent, "|"), "1 hello\nyou|2 hello|2 now|1 bye"; got != want {
		t.Errorf("found %q sent, expected %q", got, want)
	}
}

// TestDropped: pictures and states beyond their bound are left out, with a note, and all
// that nobody wants.
func TestDropped(t *testing.T) {
	big := "state {\"a\":\"" + strings.Repeat("x", 1<<16-20) + "\"}\n"
	play := func(drop func(string) bool) string {
		m, _, setup := judged(two, 2, strings.Repeat(big, 300)+"value 1 2 exact 7\nend 1 0")
		m.Drop = drop
		played, err := setup.Replay(nil, referee.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		return played.Talk
	}
	all := play(nil)
	if n := len(all); n > maxPictures+1<<10 || n < maxPictures-1<<17 || !strings.Contains(all, "\nnote pictures and states beyond 16 MiB of a match are dropped\n") {
		t.Errorf("found %d bytes, ending %q", n, all[max(0, n-200):])
	}
	if got := play(func(string) bool { return true }); got != "end 1 0" {
		t.Errorf("found %.100q, expected what is wanted alone", got)
	}
}

// TestCompare: what a judge shows may differ, what it rules may not.
func TestCompare(t *testing.T) {
	for _, test := range []struct{ now, then, want string }{
		{"show a\nask 1\nend 1 0", "show b\nnote c\nask 1\nend 1 0", ""},
		{"ask 1\nend 1 0", "ask 2\nend 1 0", `talk: found "ask 2", the judge says "ask 1" now`},
		{"ask 1", "ask 1\nend 1 0", `talk: found "end 1 0", the judge says nothing more now`},
	} {
		got := ""
		if err := Compare(test.now, test.then); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q after %q: found %q, expected %q", test.now, test.then, got, test.want)
		}
	}
}

// TestUntil: what has been said before an answer.
func TestUntil(t *testing.T) {
	const talk = "say 1 a\nask 1 2\nshow b\nask 1\nend 1 0"
	for answer, want := range []string{"say 1 a\nask 1 2\n", "say 1 a\nask 1 2\n", "say 1 a\nask 1 2\nshow b\nask 1\n", talk} {
		if got := Until(talk, answer); got != want {
			t.Errorf("answer %d: found %q, expected %q", answer, got, want)
		}
	}
}

// TestCaseText: the text of a case is the judge's, line by line, and its canonical form stays.
func TestCaseText(t *testing.T) {
	for text, want := range map[string]string{
		"": "match 1 2 0 0", "a": "match 1 2 0 1\na", "a\n": "match 1 2 0 1\na", "a\r\rb\r\n": "match 1 2 0 3\na\n\nb", " a": "match 1 2 0 1\n a",
		"\n": "match 1 2 0 1\n", "a\n\n": "match 1 2 0 2\na\n", "a\n\n\n": "match 1 2 0 3\na\n\n", "\n\n": "match 1 2 0 2\n\n", "\na": "match 1 2 0 2\n\na",
	} {
		c, err := ParseCase(two, text, protocols.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.(Case).Lines(2, 0); got != want {
			t.Errorf("%q: found %q, expected %q", text, got, want)
		}
		if again := NewCase(two, c.String(), protocols.Limits{}); again.String() != c.String() {
			t.Errorf("%q: found %q, and from that %q", text, c, again)
		}
	}
	if _, err := ParseCase(two, "a\r\n\nb\xff\n", protocols.Limits{}); err == nil || err.Error() != `line 3: found "b\xff", expected text in UTF-8` {
		t.Errorf("found %v", err)
	}
}

// FuzzTalk: whatever a judge says and a bot replies ends in a result or in an error, and
// the talk of a result gives it again.
func FuzzTalk(f *testing.F) {
	f.Add("choice 1 7\nask 1\nend 1 0", "7", false)
	f.Add("say all x\nask 1 2\nfoul 1 no\nask 2\nplace 1 2\nend 0.5 0.5", "a", true)
	f.Add("show a\nstate {}\nsvg <svg/>\nvalue 1 2 exact 7\nnote b\nask 2\nshow-to 1 x\nend 0 0", "\xff", true)
	f.Fuzz(func(t *testing.T, said, reply string, on bool) {
		facts := Facts{MinSeats: 2, MaxSeats: 2, MaxReplies: 20}
		if on {
			facts.OnFailure = Continues
		}
		play := func(c protocols.Case, n int) (referee.Result, error) {
			var list []referee.Event
			for i := range n {
				list = append(list, referee.Event{Seat: 1 + i%2, Reply: reply})
			}
			return referee.Setup{Case: c, Seats: 2}.Replay(list, referee.Watcher{})
		}
		for n := range 4 {
			c, _ := facts.Told("", said)
			played, err := play(c, n)
			if err != nil {
				continue
			}
			c, _ = facts.Told("", played.Talk)
			again, err := play(c, n)
			if err != nil || summary(again) != summary(played) {
				t.Errorf("found %s, error %v, expected %s", summary(again), err, summary(played))
			}
			for _, s := range played.Seats {
				if s.Place < 1 || s.Place > 2 {
					t.Errorf("found place %d", s.Place)
				}
			}
		}
	})
}

// TestFollower: who comes while the match goes on sees it from its start on.
func TestFollower(t *testing.T) {
	m, _, setup := judged(two, 2, "show a\nask 1", "show b\nask 2", "show c\nend 1 0")
	var came []string
	list := events("1 x", "2 y")
	played, err := setup.Replay(list, referee.Watcher{
		Awaited: func([]int, protocols.Match) { came = append(came, m.Follower().String()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(came, " "); got != "a a a" {
		t.Errorf("who came saw %s, expected the start, a, each time", got)
	}
	follower := m.Follower()
	setup.Case = Begun{Case: Case{}, Match: follower}
	again, err := setup.Replay(list, referee.Watcher{})
	if err != nil || summary(again) != summary(played) || follower.String() != "c" {
		t.Errorf("found %s, at the end %s, error %v, expected %s", summary(again), follower, err, summary(played))
	}
}

// TestPictures: a picture stays until another is drawn; several are phases of one move,
// which is made once all that were asked have replied; seats may click what they may
// reply; one that can't be shown is replaced by the text, with a note.
func TestPictures(t *testing.T) {
	svg := func(parts string) string { return `<svg viewBox="0 0 1 1">` + parts + "</svg>" }
	m, _, setup := judged(two, 2, "show a\nsvg "+svg(`<g id="a" data-reply="x"/>`)+"\nchoice 1 x\nask 1 2",
		"svg "+svg(`<g id="b"/>`)+"\nsvg "+svg(`<g id="c"/>`)+"\nsvg-to 1 "+svg(`<g id="d"/>`)+"\nask 1",
		"show b\nask 1", "svg <svg viewBox=\"0 0 1 1\">\nask 1", "end 1 0")
	var got []string
	clicks := regexp.MustCompile(` id="own-."| data-reply="x"`)
	look := func(m protocols.Match) {
		drawn := m.(protocols.Drawer)
		at := []string{strings.Join(clicks.FindAllString(strings.Join(m.(protocols.Phaser).Phases(), ""), -1), "")}
		for seat := range 3 {
			at = append(at, strings.Join(clicks.FindAllString(drawn.SVG(seat), -1), ""))
		}
		got = append(got, strings.Join(at, ","))
	}
	_, err := setup.Replay(events("1 x", "2 y", "1 x", "1 x", "1 x"), referee.Watcher{
		Event:   func(_ referee.Event, _ *protocols.Foul, m protocols.Match) { look(m) },
		Awaited: func(_ []int, m protocols.Match) { look(m) },
	})
	if err != nil {
		t.Fatal(err)
	}
	const c1, c2 = `, id="own-c", id="own-d", id="own-c"`, ` id="own-b", id="own-c", id="own-d", id="own-c"`
	want := []string{
		`, id="own-a", data-reply="x" id="own-a", id="own-a"`, // both are asked
		`, id="own-a", data-reply="x" id="own-a", id="own-a"`, // seat 1 has replied
		c2, c2, c1, c1, `,, id="own-d",`, `,, id="own-d",`, `,, id="own-d",`, `,, id="own-d",`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := m.String(), "b\nno picture: not well-formed XML: unexpected EOF"; got != want {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// TestDroppedPicture: the last picture before the bound is not taken for the position
// after it, neither with the judge nor from its talk.
func TestDroppedPicture(t *testing.T) {
	big := "state {\"a\":\"" + strings.Repeat("x", 1<<16-20) + "\"}\n"
	_, _, setup := judged(two, 2, `svg <svg viewBox="0 0 1 1"/>`+"\nask 1", "show a\n"+strings.Repeat(big, 300)+"ask 1", "end 1 0")
	var drawn []bool
	look := referee.Watcher{Event: func(_ referee.Event, _ *protocols.Foul, m protocols.Match) {
		drawn = append(drawn, m.(protocols.Drawer).SVG(0) != "")
	}}
	played, err := setup.Replay(events("1 x", "1 y"), look)
	if err != nil || drawn[1] {
		t.Errorf("error %v, drawn %v", err, drawn)
	}
	if setup.Case, err = two.Told("", played.Talk); err != nil {
		t.Fatal(err)
	}
	if _, err := setup.Replay(events("1 x", "1 y"), look); err != nil || drawn[3] || drawn[2] != drawn[0] {
		t.Errorf("from its talk: error %v, drawn %v", err, drawn)
	}
}

// TestSeatView: what is said for a seat is what the seat sees, and nobody else.
func TestSeatView(t *testing.T) {
	m, _, setup := judged(two, 2, "show all\nshow-to 1 mine\nstate {\"a\":0}\nstate-to 1 {\"a\":1}\nnote well\nask 1", "show-to 1 mine too\nask 1", "end 1 0")
	var got []string
	_, err := setup.Replay(events("1 x", "1 x"), referee.Watcher{Awaited: func([]int, protocols.Match) {
		for seat := range 3 {
			got = append(got, strings.ReplaceAll(fmt.Sprintf("%s %s", m.StateFor(seat), m.StringFor(seat)), "\n", "/"))
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"a":0} all/seat 1 sees:/mine/well`, `{"a":1} mine/well`, `{"a":0} all/well`,
		`{"a":0} all/seat 1 sees:/mine too`, `{"a":1} mine too`, `{"a":0} all`,
	}
	if !slices.Equal(got[:6], want) {
		t.Errorf("found\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
