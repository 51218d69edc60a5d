package mensch

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
)

// referee drives a match in a test and keeps what every seat was sent.
type referee struct {
	t    *testing.T
	m    *match
	got  map[int][]string // by seat, since the last call of took
	step protocols.Step
}

func newReferee(t *testing.T, d Dice, seats int) *referee {
	r := &referee{t: t, m: Case{d}.Start(seats).(*match), got: map[int][]string{}}
	r.next()
	return r
}

func (r *referee) next() {
	r.step = r.m.Next()
	for _, l := range r.step.Send {
		r.got[l.Seat] = append(r.got[l.Seat], l.Text)
	}
}

// say replies for the awaited seat, which must be the given one.
func (r *referee) say(seat int, lines ...string) {
	r.t.Helper()
	for _, line := range lines {
		r.awaits(seat)
		if foul := r.m.Reply(seat, line); foul != nil {
			r.t.Fatalf("seat %d, %q: %v", seat, line, foul)
		}
		r.next()
	}
}

func (r *referee) awaits(seats ...int) {
	r.t.Helper()
	if len(seats)+len(r.step.Await) > 0 && !cmp.Equal(seats, r.step.Await) {
		r.t.Fatalf("awaits %v, want %v, at\n%v", r.step.Await, seats, r.m)
	}
}

func (r *referee) fail(seat int, kind protocols.Kind) {
	r.t.Helper()
	r.awaits(seat)
	r.m.Fail(seat, protocols.Failure{Kind: kind})
	r.next()
}

// took checks the lines sent to the seats since the last call; "|" separates
// lines.
func (r *referee) took(want ...string) {
	r.t.Helper()
	for i, w := range want {
		if got := strings.Join(r.got[i+1], "|"); got != w {
			r.t.Errorf("seat %d was sent %q, want %q", i+1, got, w)
		}
	}
	clear(r.got)
}

// places checks the places of the result, and that a place is worth the number
// of seats behind it.
func (r *referee) places(want ...int) {
	r.t.Helper()
	for i, o := range r.m.Result() {
		if o.Place != want[i] || o.Score != protocols.Points(len(want)-want[i]) || o.Wrong != "" {
			r.t.Errorf("seat %d: %+v, want place %d", i+1, o, want[i])
		}
	}
}

func (r *referee) put(where string) { r.m.board.Position = position(r.t, int(r.m.seats), where) }

// quick is a triple that begins 6 1 3 5 6 4 2.
var quick = Dice{193, 131, 257}

func TestDialogue(t *testing.T) {
	r := newReferee(t, quick, 4)
	r.took("R RBGY|turn", "B RBGY", "G RBGY", "Y RBGY")
	r.say(1, "dice")
	r.took("6 1", "R dice 6 1", "R dice 6 1", "R dice 6 1")
	r.say(1, "enter R2")
	r.took("1", "R enter R2 1", "R enter R2 1", "R enter R2 1")
	r.say(1, " dice ")
	r.took("invalid dice rolling", "", "", "")
	r.say(1, "move B1 1")
	r.took("it is not your turn", "", "", "")
	r.say(1, "move R2 01\r")
	r.took("2", "R move R2 1 2|turn", "R move R2 1 2", "R move R2 1 2")
	r.say(2, "giveup")
	r.took("", "", "", "")
	r.say(2, "dice", "giveup")
	r.took("B dice 3|B giveup", "3", "B dice 3|B giveup|turn", "B dice 3|B giveup")
	r.fail(3, protocols.KindCrash)
	r.took("G out", "G out", "", "G out|turn")
	r.say(4, "dice", "giveup")
	r.took("Y dice 5|Y giveup|turn", "Y dice 5|Y giveup", "", "5")
	r.say(1, "dice", "giveup")
	r.say(2, "dice")
	r.took("6 4|B dice 2", "R dice 6 4|R giveup|turn|2", "", "R dice 6 4|R giveup|B dice 2")
}

func TestFewerSeats(t *testing.T) {
	r := newReferee(t, quick, 2)
	r.took("R RB|turn", "B RB")
	r.say(1, "dice", "giveup")
	r.say(2, "dice", "giveup")
	r.awaits(1)
	if foul := r.m.Reply(1, "enter G1"); foul == nil {
		t.Errorf("a piece of a colour that does not play is not a foul")
	}
	r = newReferee(t, quick, 3)
	r.took("R RBG|turn", "B RBG", "G RBG")
	r.say(1, "dice", "giveup")
	r.say(2, "dice", "giveup")
	r.say(3, "dice", "giveup")
	r.awaits(1)
	if got, want := len(r.m.State().(state).Cells), 12; got != want {
		t.Errorf("%d pieces, want %d", got, want)
	}
}

func TestFouls(t *testing.T) {
	for _, text := range []string{"", "roll", "dice 6", "enter R5", "enter B9", "move R1", "move R1 0", "move R1 7", "6 1"} {
		r := newReferee(t, quick, 2)
		before := *r.m
		foul := r.m.Reply(1, text)
		if foul == nil {
			t.Errorf("%q is not a foul", text)
			continue
		}
		if !strings.Contains(foul.Reason, "expected a request") {
			t.Errorf("%q: reason %q", text, foul.Reason)
		}
		if r.m.board != before.board || r.m.refused != before.refused {
			t.Errorf("%q is a foul and changes the match", text)
		}
	}
}

func TestSixteenRefusedRequestsAreAFoul(t *testing.T) {
	r := newReferee(t, quick, 2)
	for range 7 {
		r.say(1, "enter R1", "giveup")
	}
	r.say(1, "dice", "dice") // the fifteenth
	foul := r.m.Reply(1, "enter B1")
	if foul == nil || foul.Reason != `request "enter B1" is the 16th refused in one turn, expected at most 15` {
		t.Fatalf("the sixteenth refused request: %v", foul)
	}
	// Accepted requests are still allowed, and the next turn counts afresh.
	r.say(1, "enter R1", "giveup")
	r.say(2, "dice", "giveup")
	r.say(1, strings.Split(strings.Repeat("enter R1,", 15)+"dice", ",")...)
	for range 15 {
		if foul := r.m.Reply(1, "move R1 9"); foul == nil {
			t.Fatalf("an unknown number is not a foul")
		}
	}
	if foul := r.m.Reply(1, "dice"); foul == nil || !strings.Contains(foul.Reason, "16th") {
		t.Errorf("the sixteenth refused request of the second turn: %v", foul)
	}
}

func TestOutRanksBehindAllOthers(t *testing.T) {
	r := newReferee(t, quick, 4)
	r.put("R1@40 R2@39 G1@20") // red leads, and is out first
	r.say(1, "dice")
	r.fail(1, protocols.KindFoul)
	r.took("R RBGY|turn|6 1", "B RBGY|R dice 6 1|R out|turn", "G RBGY|R dice 6 1|R out", "Y RBGY|R dice 6 1|R out")
	r.places(4, 2, 1, 2)
	r.say(2, "dice", "giveup")
	r.say(3, "dice", "giveup")
	r.fail(4, protocols.KindTime)
	r.places(4, 2, 1, 3)
	r.took("", "3|G dice 5|G giveup|Y out|turn", "B dice 3|B giveup|turn|5|Y out", "B dice 3|B giveup|G dice 5|G giveup|turn")
	if got := r.m.State().(state); got.Cells["R1"] != 40 || got.Turn != "B" || len(got.Dice) != 0 {
		t.Errorf("state %+v", got)
	}
	r.say(2, "dice") // the dice go on where red stopped: 6 1, 3, 5, then 6 4
	r.fail(2, protocols.KindIdle)
	r.took("", "6 4", "B dice 6 4|B out|end", "")
	r.awaits()
	r.places(4, 2, 1, 3)
	if got := r.m.State().(state); got.Turn != "" || got.Dice == nil || len(got.Dice) != 0 {
		t.Errorf("state after the end %+v", got)
	}
	if again := r.m.Next(); len(again.Send)+len(again.Await) > 0 {
		t.Errorf("the match goes on after its end: %+v", again)
	}
}

func TestCapturedByEnteringAndPiecesOfTheOut(t *testing.T) {
	r := newReferee(t, quick, 3)
	r.put("B2@1 B1@30")
	r.say(1, "dice", "enter R4")
	if got := r.m.State().(state).Cells; got["B2"] != 49 || got["R4"] != 1 {
		t.Errorf("after the capture: %v", got)
	}
	if news, _, _ := strings.Cut(r.m.String(), "\n"); news != "Red enters R4 on cell 1 and sends B2 back to its corner." {
		t.Errorf("news %q", news)
	}
}

func TestGoingHomeEndsTheTurn(t *testing.T) {
	r := newReferee(t, quick, 3)
	r.put("R1@45 R2@46 R3@47 R4@38 B1@54 B2@55 B3@56 B4@8 G1@64 G2@63 G3@62 G4@11")
	r.say(1, "dice")
	r.took("R RBG|turn|6 1", "B RBG|R dice 6 1", "G RBG|R dice 6 1")
	r.say(1, "move R4 6") // the 1 is left
	r.took("48", "R move R4 6 48|turn", "R move R4 6 48")
	r.places(1, 2, 3) // blue has 167 steps, green 160
	want := "Red moves R4 by 6 to cell 48. Red is home.\n"
	if !strings.HasPrefix(r.m.String(), want) || !strings.HasSuffix(r.m.String(), "\nblue's turn, to roll") {
		t.Errorf("picture\n%v", r.m)
	}
	r.say(2, "dice", "move B4 3") // to 53 and home
	r.took("B dice 3|B move B4 3 53|end", "3|53|end", "B dice 3|B move B4 3 53|end")
	r.awaits()
	r.places(1, 2, 3)
	want = "\nthe match is over: 1. red (home), 2. blue (home), 3. green (160 steps)"
	if !strings.HasSuffix(r.m.String(), want) {
		t.Errorf("picture\n%v", r.m)
	}
}

func TestHomeIsSkipped(t *testing.T) {
	r := newReferee(t, quick, 4)
	r.put("R1@45 R2@46 R3@47 R4@38")
	r.say(1, "dice", "move R4 6")
	r.say(2, "dice", "giveup")
	r.say(3, "dice", "giveup")
	r.say(4, "dice", "giveup")
	r.awaits(2)
	r.fail(2, protocols.KindCrash)
	if got := r.got[1]; len(got) < 2 || got[len(got)-1] != "B out" {
		t.Errorf("a colour that is home was sent %q, want news of the others", got)
	}
	r.awaits(3)
	r.places(1, 4, 2, 2)
	r.fail(3, protocols.KindCrash)
	r.awaits()
	r.places(1, 4, 3, 2)
}

func TestEndsAfter400TurnsAColour(t *testing.T) {
	r := newReferee(t, quick, 4)
	turns := map[int]int{}
	for len(r.step.Await) > 0 {
		seat := r.step.Await[0]
		turns[seat]++
		if seat == 2 && turns[seat] == 100 {
			r.fail(seat, protocols.KindTime)
			continue
		}
		r.say(seat, "dice")
		if seat == 3 && r.m.board.left.Has(6) && r.m.board.Cell(9) == 57 {
			r.say(seat, "enter G1")
		}
		if r.m.board.turn == Colour(seat-1) {
			r.say(seat, "giveup")
		}
	}
	if want := map[int]int{1: 400, 2: 100, 3: 400, 4: 400}; !cmp.Equal(turns, want) {
		t.Errorf("turns %v, want %v", turns, want)
	}
	for _, seat := range []int{1, 3, 4} {
		if got := r.got[seat]; got[len(got)-1] != "end" {
			t.Errorf("seat %d: the last line is %q", seat, got[len(got)-1])
		}
	}
	r.places(2, 4, 1, 2) // green is on its start cell; red and yellow share
}

func TestStepsCount(t *testing.T) {
	r := newReferee(t, quick, 4)
	r.put("R1@40 B1@10 G1@61 Y1@72 Y2@31")
	want := []int{40, 40, 41, 45}
	for c, w := range want {
		if got := r.m.board.Progress(Colour(c)); got != w {
			t.Errorf("%v has %d steps, want %d", Colour(c), got, w)
		}
	}
	r.places(3, 3, 2, 1)
}

func TestMatchState(t *testing.T) {
	r := newReferee(t, quick, 2)
	r.say(1, "dice")
	got, err := json.Marshal(r.m.State())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"cells":{"B1":49,"B2":50,"B3":51,"B4":52,"R1":41,"R2":42,"R3":43,"R4":44},"turn":"R","dice":[6,1]}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNews(t *testing.T) {
	r := newReferee(t, quick, 3)
	tests := []struct{ say, news, last string }{
		{"", "The match begins.", "red's turn, to roll"},
		{"giveup", "Red gives up before the roll, which does nothing.", "red's turn, to roll"},
		{"dice", "Red rolls 6 1.", "red's turn, unused: 6 1"},
		{"move R1 1", `Red asks "move R1 1" and is refused: it is not in.`, "red's turn, unused: 6 1"},
		{"enter R1", "Red enters R1 on cell 1.", "red's turn, unused: 1"},
		{"move R1 1", "Red moves R1 by 1 to cell 2.", "blue's turn, to roll"},
		{"dice", "Blue rolls 3.", "blue's turn, unused: 3"},
		{"giveup", "Blue gives up what is unused.", "green's turn, to roll"},
	}
	for _, tt := range tests {
		if tt.say != "" {
			r.say(r.step.Await[0], tt.say)
		}
		lines := strings.Split(r.m.String(), "\n")
		if len(lines) != 13 || lines[0] != tt.news || lines[12] != tt.last {
			t.Errorf("after %q: %d lines, from %q to %q, want %q to %q",
				tt.say, len(lines), lines[0], lines[len(lines)-1], tt.news, tt.last)
		}
	}
	r.fail(3, protocols.KindMemory)
	if news, _, _ := strings.Cut(r.m.String(), "\n"); news != "Green is out: memory." {
		t.Errorf("news %q", news)
	}
	left := event{kind: failed, colour: Colour(2), failure: protocols.Failure{Kind: protocols.KindCrash, Detail: protocols.Left}}
	if news := left.String(); news != "Green resigned." {
		t.Errorf("news of a person who left: %q", news)
	}
}

func TestParseDeal(t *testing.T) {
	c, err := parse(" 037 71 101 \r\n")
	if err != nil || c.String() != "37 71 101" {
		t.Errorf("%v, %v", c, err)
	}
	for _, text := range []string{"", "37 71", "37 71 101 5", "37 71 100", "103 71 101", "37 71 101\n5"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	want := protocols.Limits{Time: 5 * time.Second, Startup: time.Second, Memory: 256 << 20}
	if got := c.Limits(4); got != want {
		t.Errorf("limits %+v, want %+v", got, want)
	}
}
