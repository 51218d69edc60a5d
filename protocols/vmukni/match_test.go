package vmukni

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"umpire/protocols"
)

// drive plays a match: reply gives a seat's reply, or "" to fail it. It returns
// the lines sent, each with its seat in front, and the replies after "<".
func drive(t testing.TB, m protocols.Match, reply func(seat int) string) (log []string) {
	t.Helper()
	for {
		step := m.Next()
		for _, line := range step.Send {
			log = append(log, strconv.Itoa(line.Seat)+"> "+line.Text)
		}
		if len(step.Await) == 0 {
			return log
		}
		for _, seat := range step.Await {
			text := reply(seat)
			log = append(log, strconv.Itoa(seat)+"< "+text)
			if text == "" {
				m.Fail(seat, protocols.Failure{Kind: protocols.KindTime})
			} else if foul := m.Reply(seat, text); foul != nil {
				t.Fatalf("seat %d answered %q: %v", seat, text, foul)
			}
		}
	}
}

// script gives replies in order, for any seat.
func script(t testing.TB, replies ...string) func(int) string {
	return func(seat int) string {
		if len(replies) == 0 {
			t.Fatalf("seat %d is asked once too often", seat)
		}
		text := replies[0]
		replies = replies[1:]
		return text
	}
}

func TestProtocol(t *testing.T) {
	c := mustParse(t, strings.Replace(strings.TrimSuffix(sample, "3 2")+"3 2 4 1", "2 1 4", "4 2 4", 1))
	start := func(seat string) []string {
		log := []string{seat + "> 4 2 4 " + seat}
		for _, row := range strings.Split(sample, "\n")[1:6] {
			log = append(log, seat+"> "+row)
		}
		return append(log, seat+"> 3 2")
	}
	rest := []string{
		"1< 15", "1> 15 4", "2> 15 4",
		"2<  007\r", "1> 7 1", "2> 7 1",
		"1< 1", "1> 1 0", "2> 1 0",
		"2< 11", "1> 11 0", "2> 11 0",
	}
	want := append(append(start("1"), start("2")...), rest...)
	got := drive(t, c.Start(Seats), script(t, "15", " 007\r", "1", "11"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFouls(t *testing.T) {
	m := mustParse(t, sample).Start(Seats)
	m.Next()
	before := m.String()
	for _, text := range []string{"", "0", "16", "-1", "+3", "3 3", "x", "3.", "99999999999999999999", "\x00", "１"} {
		foul := m.Reply(1, text)
		want := "answered " + protocols.Quote(text) + ", expected a way to insert the tile, one integer from 1 to 15"
		if foul == nil || foul.Reason != want {
			t.Errorf("Reply(%q): %v, want %s", text, foul, want)
		}
	}
	if m.String() != before {
		t.Errorf("a foul changed the match to\n%v", m)
	}
}

// TestFailed checks that a failed seat's moves are way 6 to the end, that it is
// neither asked nor told, and that both seats keep their points.
func TestFailed(t *testing.T) {
	c, err := generate("small", 7)
	if err != nil {
		t.Fatal(err)
	}
	n := c.(*Case).Moves()
	for seat := 1; seat <= Seats; seat++ {
		asked := 0
		m := c.Start(Seats)
		log := drive(t, m, func(s int) string {
			if s == seat {
				if asked++; asked == 3 {
					return ""
				}
			}
			return "9"
		})
		plain := c.Start(Seats)
		moves := 0
		drive(t, plain, func(s int) string {
			moves++
			if s == seat && moves > 4 {
				return "6"
			}
			return "9"
		})
		if asked != 3 {
			t.Errorf("seat %d is asked %d times", seat, asked)
		}
		if diff := cmp.Diff(plain.Result(), m.Result()); diff != "" {
			t.Errorf("seat %d fails: %s", seat, diff)
		}
		told := map[string]int{}
		for _, line := range log {
			told[line[:2]]++
		}
		other := strconv.Itoa(3-seat) + ">"
		if told[other] != 7+n {
			t.Errorf("seat %d is sent %d lines, want %d", 3-seat, told[other], 7+n)
		}
		if last := log[len(log)-1]; !strings.HasPrefix(last, other) {
			t.Errorf("the last line is %q", last)
		}
	}
}

// TestBothFailed checks that the match plays itself to the end.
func TestBothFailed(t *testing.T) {
	c, err := generate("large", 1)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(Seats).(*match)
	log := drive(t, m, script(t, "", ""))
	if !m.over() || m.Next().Await != nil {
		t.Fatalf("the match is not over:\n%v", m)
	}
	all := c.Start(Seats)
	drive(t, all, func(int) string { return "6" })
	if diff := cmp.Diff(all.Result(), m.Result()); diff != "" {
		t.Error(diff)
	}
	if last := log[len(log)-1]; last != "2< " {
		t.Errorf("%q is sent after both have failed", last)
	}
}

// TestAutoMoves checks that every position of a match is shown: after a reply
// or a failure the current one, the others among those that Next went through.
func TestAutoMoves(t *testing.T) {
	c, err := generate("small", 3)
	if err != nil {
		t.Fatal(err)
	}
	n := c.(*Case).Moves()
	for _, test := range []struct {
		name   string
		failed [Seats]int // number of the move, from 1, at which the seat fails; 0: none
		auto   int        // moves made without asking
	}{
		{"nobody", [Seats]int{}, 0},
		{"seat 1", [Seats]int{3, 0}, n/2 - 2},
		{"seat 2", [Seats]int{0, 2}, n/2 - 1},
		{"both", [Seats]int{1, 4}, n - 3},
		{"in the last move", [Seats]int{0, n}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := c.Start(Seats).(*match)
			var boards []string // after each move
			auto := 0
			for {
				step := m.Next()
				for seat, at := range m.AutoMoves() {
					s := at.State().(state)
					boards = append(boards, s.Board)
					if number := len(boards); seat != (number-1)%Seats+1 || s.Move.Way != failedWay {
						t.Errorf("move %d is shown as way %d of seat %d", number, s.Move.Way, seat)
					}
					if want := fmt.Sprintf("Move %d, seat %d, played for it: way 6,", len(boards), seat); !strings.HasPrefix(at.String(), want) {
						t.Errorf("the picture is\n%v\nexpected %s", at, want)
					}
					auto++
				}
				if len(step.Await) == 0 {
					break
				}
				if seat := step.Await[0]; len(boards)+1 == test.failed[seat-1] {
					m.Fail(seat, protocols.Failure{Kind: protocols.KindTime})
				} else {
					m.Reply(seat, "9")
				}
				boards = append(boards, m.State().(state).Board)
			}
			b := c.(*Case).board
			for i, way := range m.ways {
				b.Insert(int(way), c.(*Case).queue[i])
				if i >= len(boards) || boards[i] != b.String() {
					t.Fatalf("of %d positions, that after move %d is not shown", n, i+1)
				}
			}
			if auto != test.auto || len(boards) != n {
				t.Errorf("%d of %d moves are made without asking, expected %d of %d", auto, len(boards), test.auto, n)
			}
		})
	}
	for range c.Start(Seats).(*match).AutoMoves() {
		t.Error("a move is shown before the start")
	}
}

func TestResult(t *testing.T) {
	for _, test := range []struct {
		points [Seats]int
		want   []protocols.Outcome
	}{
		{[Seats]int{30, 20}, []protocols.Outcome{{Score: protocols.Points(30), Place: 1}, {Score: protocols.Points(20), Place: 2}}},
		{[Seats]int{0, 20}, []protocols.Outcome{{Score: protocols.Points(0), Place: 2}, {Score: protocols.Points(20), Place: 1}}},
		{[Seats]int{20, 20}, []protocols.Outcome{{Score: protocols.Points(20), Place: 1}, {Score: protocols.Points(20), Place: 1}}},
	} {
		m := match{points: test.points}
		if diff := cmp.Diff(test.want, m.Result()); diff != "" {
			t.Errorf("%v: %s", test.points, diff)
		}
	}
}

// worked is a match at the worked example of the page, with a 3 for seat 1 to
// insert.
func worked(t testing.TB) *match {
	m := newMatch(mustParse(t, sample))
	m.board = boardOf(t, "...../..4../2.22./1242./3145.")
	m.Next()
	return m
}

func TestState(t *testing.T) {
	m := worked(t)
	want := `{"board":"...../..4../2.22./1242./3145.","visible":[3],"scores":[0,0],"move":null}`
	if got, err := json.Marshal(m.State()); err != nil || string(got) != want {
		t.Errorf("at the start\n got %s, %v\nwant %s", got, err, want)
	}
	m.Reply(1, "3")
	want = `{"board":"...../...../3..../12.2./31.5.","visible":[2],"scores":[30,0],` +
		`"move":{"way":3,"tile":3,"dropped":0,"points":30,"groups":[` +
		`{"line":"row","row":3,"column":2,"length":3,"tile":2,"points":10},` +
		`{"line":"column","row":3,"column":3,"length":3,"tile":4,"points":20}]}}`
	if got, err := json.Marshal(m.State()); err != nil || string(got) != want {
		t.Errorf("after the move\n got %s, %v\nwant %s", got, err, want)
	}
	m.Next()
	m.Reply(2, "10")
	want = `{"board":"...../...../3..../12.2./31.52","visible":[],"scores":[30,0],` +
		`"move":{"way":10,"tile":2,"dropped":0,"points":0,"groups":[]}}`
	if got, err := json.Marshal(m.State()); err != nil || string(got) != want {
		t.Errorf("in the end\n got %s, %v\nwant %s", got, err, want)
	}
}

// TestRandomPlay checks that random play, failures included, makes N moves and
// gives each seat the points of its moves.
func TestRandomPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, err := generate("small", rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "moves"), 0))
		failing := rapid.Float64Range(0, 0.2).Draw(t, "failing")
		m := c.Start(Seats).(*match)
		var points [Seats]int
		for {
			before := len(m.ways)
			step := m.Next()
			for i := before; i < len(m.ways); i++ {
				if m.ways[i] != failedWay || !m.failed[i%Seats] {
					t.Fatalf("move %d, way %d, was made without asking", i, m.ways[i])
				}
			}
			if len(step.Await) == 0 {
				break
			}
			seat := step.Await[0]
			if seat != len(m.ways)%Seats+1 || m.failed[seat-1] {
				t.Fatalf("seat %d is asked for move %d", seat, len(m.ways))
			}
			if r.Float64() < failing {
				m.Fail(seat, protocols.Failure{Kind: protocols.KindCrash})
			} else if foul := m.Reply(seat, strconv.Itoa(1+r.IntN(Ways))); foul != nil {
				t.Fatal(foul)
			}
			_ = m.String()
		}
		again := c.(*Case).board
		for i, way := range m.ways {
			points[i%Seats] += again.Gain(int(way), c.(*Case).queue[i])
		}
		if len(m.ways) != c.(*Case).Moves() || points != m.points || again != m.board {
			t.Fatalf("%d moves, points %v, want %v", len(m.ways), m.points, points)
		}
	})
}

// TestAllocations checks that a turn allocates nothing.
func TestAllocations(t *testing.T) {
	c, err := generate("large", 1)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Start(Seats)
	m.Next()
	turns := 0
	if n := testing.AllocsPerRun(150, func() {
		turns++
		m.Reply((turns-1)%Seats+1, "8")
		m.Next()
	}); n != 0 {
		t.Errorf("a turn allocates %v times", n)
	}
}

// BenchmarkMatch plays a complete random match of 200 moves.
func BenchmarkMatch(b *testing.B) {
	c, err := generate("large", 1)
	if err != nil {
		b.Fatal(err)
	}
	ways := make([]string, Ways)
	for i := range ways {
		ways[i] = strconv.Itoa(i + 1)
	}
	r := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	turns := 0
	for b.Loop() {
		m := c.Start(Seats)
		for {
			step := m.Next()
			if len(step.Await) == 0 {
				break
			}
			turns++
			m.Reply(step.Await[0], ways[r.IntN(Ways)])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(turns), "ns/turn")
}
