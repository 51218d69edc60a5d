package judging

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
)

// step is something that one does: it writes a text to another or, if that is "", waits for
// a line of that one. 0 is the judge.
type step struct {
	to   int
	text string
}

// actor is the judge, or a process.
type actor struct {
	steps []step
	end   referee.Exchange // of a process
	lines []int            // by whom they are from, that it has not read
	over  bool
}

func (a *actor) ready() bool {
	return !a.over && (len(a.steps) == 0 || a.steps[0].text != "" || a.lines[a.steps[0].to] > 0)
}

// act does what is next, maybe only a part of it, and returns what is seen of that.
func (a *actor) act(seat int, random *rand.Rand) referee.Exchange {
	if len(a.steps) == 0 {
		a.over = true
		return a.end
	}
	now := &a.steps[0]
	if now.text == "" {
		a.lines[now.to]--
		a.steps = a.steps[1:]
		return referee.Exchange{}
	}
	e := referee.Exchange{Seat: seat, To: now.to, Text: now.text[:1+random.IntN(len(now.text))]}
	if now.text = now.text[len(e.Text):]; now.text == "" {
		a.steps = a.steps[1:]
	}
	return e
}

// play is a talk of a judge with processes, the judge first.
type play []*actor

// newPlay makes up a talk: of each thing that is written, the other side maybe waits for it.
func newPlay(random *rand.Rand, processes int) (p play) {
	for i := range 1 + processes {
		p = append(p, &actor{lines: make([]int, 1+processes), end: referee.Exchange{Seat: i, Ended: true}})
	}
	for i := range 5 + random.IntN(30) {
		who := 1 + random.IntN(processes)
		from, to := who, 0
		if random.IntN(2) == 0 {
			from, to = 0, who
		}
		p[from].steps = append(p[from].steps, step{to, fmt.Sprintf("%d-%d\n", from, i)})
		if random.IntN(4) > 0 {
			p[to].steps = append(p[to].steps, step{to: from})
		}
	}
	return p
}

func (p play) copy() (c play) {
	for _, a := range p {
		one := *a
		one.steps, one.lines = slices.Clone(a.steps), make([]int, len(p))
		c = append(c, &one)
	}
	return c
}

// run has those from the first on act in any order, until none can or see says so.
func (p play) run(first int, random *rand.Rand, see func(referee.Exchange) bool) {
	for {
		var ready []int
		for i := first; i < len(p); i++ {
			if p[i].ready() {
				ready = append(ready, i)
			}
		}
		if len(ready) == 0 {
			return
		}
		i := ready[random.IntN(len(ready))]
		if e := p[i].act(i, random); e != (referee.Exchange{}) && see(e) {
			return
		}
	}
}

// record has them play once, and returns what was seen up to where a process fails.
func (p play) record(random *rand.Rand) (seen []referee.Exchange) {
	p = p.copy()
	p.run(0, random, func(e referee.Exchange) bool {
		seen = append(seen, e)
		p[e.To].lines[e.Seat] += strings.Count(e.Text, "\n")
		return e.Seat > 0 && hasFailed(e)
	})
	return seen
}

// again has the processes play against the record. Those that can't go on are idle.
func (p play) again(seen []referee.Exchange, random *rand.Rand) (out Reproduced) {
	p = p.copy()
	t := newRetelling(seen, len(p)-1, false)
	say := func() {
		for _, e := range t.due() {
			p[e.To].lines[0] += strings.Count(e.Text, "\n")
		}
	}
	say()
	p.run(1, random, func(e referee.Exchange) bool {
		e.To = 0
		t.see(e)
		say()
		return t.known()
	})
	if !t.known() {
		parked := slices.IndexFunc(p[1:], func(a *actor) bool { return !a.over })
		t.see(referee.Exchange{Seat: 1 + parked, Fail: &protocols.Failure{Kind: protocols.KindIdle}})
	}
	t.compare(&out)
	return out
}

// TestRetelling has processes that run side by side, in another order each time, do what is
// recorded of them: all of that is the same, whichever way it came to the record.
func TestRetelling(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 30))
		p := newPlay(random, 1+random.IntN(4))
		if crashes := random.IntN(2 * len(p)); crashes > 0 && crashes < len(p) {
			p[crashes].end.Exit = 3
		}
		for range 3 {
			seen := p.record(random)
			for range 3 {
				if out := p.again(seen, random); !out.Same {
					t.Fatalf("seed %d: process %d differs after %d lines: %+v, not %+v", seed, out.Process, out.Lines, out.Now, out.Recorded)
				}
			}
		}
	}
}

// TestRetellingOther has one process do something else, which must be found.
func TestRetellingOther(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 31))
		p := newPlay(random, 2+random.IntN(3))
		seen := p.record(random)
		who := 1 + random.IntN(len(p)-1)
		changed := p.copy()
		own := changed[who]
		var writes []int
		for i, s := range own.steps {
			if s.text != "" {
				writes = append(writes, i)
			}
		}
		if len(writes) == 0 {
			continue
		}
		line := random.IntN(len(writes))
		at := writes[line]
		was := own.steps[at].text
		switch random.IntN(4) {
		case 0: // another line
			own.steps[at].text = "x" + was
		case 1: // it ends there
			own.steps = own.steps[:at]
		case 2: // it waits for what is never said
			own.steps = slices.Insert(own.steps, at, make([]step, 100)...)
		case 3: // it ends otherwise
			own.end.Exit, line, was = 1, len(writes), ""
		}
		if out := changed.again(seen, random); out.Same || out.Process != who || out.Lines != line || out.Recorded.Text != was {
			t.Fatalf("seed %d: same %t, process %d after %d lines, recorded %+v; want process %d after %d, %q", seed, out.Same, out.Process, out.Lines, out.Recorded, who, line, was)
		}
	}
}

// TestRetellingRepaired has one process fail in the record, at any moment of the talk, and
// the submission then go on where it failed, and wait: it has failed only if the judge waits
// for it in the record.
func TestRetellingRepaired(t *testing.T) {
	says := func(to int, text string) referee.Exchange { return referee.Exchange{To: to, Text: text} }
	writes := func(seat int, text string) referee.Exchange { return referee.Exchange{Seat: seat, Text: text} }
	crash := referee.Exchange{Seat: 2, Ended: true, Exit: 5}
	late := referee.Exchange{Seat: 1, Fail: &protocols.Failure{Kind: protocols.KindTime}}
	idle := referee.Exchange{Seat: 2, Fail: &protocols.Failure{Kind: protocols.KindIdle}}
	for _, c := range []struct {
		what   string
		seen   []referee.Exchange
		now    []referee.Exchange // and both wait
		failed bool
	}{
		{"crashed before all else", []referee.Exchange{crash, says(1, "2\n")}, nil, false},
		{"crashed when only the other was told something", []referee.Exchange{says(1, "2\n"), crash}, nil, false},
		{"crashed while the other writes", []referee.Exchange{says(1, "2\n"), says(2, "2\n"), crash}, []referee.Exchange{writes(1, "0\n")}, false},
		{"crashed when the other had written", []referee.Exchange{says(1, "2\n"), says(2, "2\n"), writes(1, "1\n"), crash}, []referee.Exchange{writes(1, "0\n")}, false},
		{"crashed when it was told what it waits for", []referee.Exchange{says(1, "2\n"), writes(1, "1\n"), says(2, "1\n"), crash}, []referee.Exchange{writes(1, "1\n")}, true},
		{"crashed when it had written", []referee.Exchange{says(2, "2\n"), writes(2, "1\n"), crash}, []referee.Exchange{writes(2, "1\n")}, false},
		{"crashed when it was to write", []referee.Exchange{says(2, "2\n"), crash}, nil, true},
		{"crashed when it was to write, and it has", []referee.Exchange{says(2, "2\n"), crash}, []referee.Exchange{writes(2, "4\n")}, false},
		{"too late when it had written", []referee.Exchange{says(1, "1\n"), says(2, "2\n"), writes(2, "1\n"), late}, []referee.Exchange{writes(2, "4\n")}, false},
		{"too late when it was to write", []referee.Exchange{says(1, "1\n"), writes(1, "1\n"), says(2, "2\n"), late}, []referee.Exchange{writes(1, "1\n")}, true},
		{"too late when the other had guessed", []referee.Exchange{says(1, "2\n"), says(2, "2\n"), writes(2, "1\n"), late}, []referee.Exchange{writes(1, "1\n")}, false},
		{"crashed when it had written, and writes no more", []referee.Exchange{says(2, "2\n"), writes(2, "1\n"), crash}, nil, true},
		{"idle when it had written", []referee.Exchange{says(2, "2\n"), writes(2, "1\n"), idle}, []referee.Exchange{writes(2, "1\n")}, true},
	} {
		told := newRetelling(c.seen, 2, true)
		for _, e := range append(c.now, idle) {
			told.due()
			told.see(e)
		}
		told.due()
		var out Reproduced
		if told.compare(&out); out.Failed != c.failed {
			t.Errorf("%s: found failed %t, expected %t", c.what, out.Failed, c.failed)
		}
	}
}
