package planner

import (
	"math"
	"math/rand/v2"
	"testing"

	rules "umpire/protocols/solitarschack/board"
)

// The table agrees with the points of the rules' own tally.
func TestPoints(t *testing.T) {
	points := newPoints()
	if len(points.number) != sequences {
		t.Errorf("%d sequences, want %d", len(points.number), sequences)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		var tally rules.Tally
		var s State
		for range 50 {
			p := likely(rng, points, s.Sequence)
			tally.Add(p)
			s.count(p, points)
			if int(s.Score) != tally.Score() || points.number[tally.Canonical()] != s.Sequence {
				t.Fatalf("score %d, the tally has %d", s.Score, tally.Score())
			}
		}
	}
}

// likely returns any piece, or one that gives most points, so that there are
// chains.
func likely(rng *rand.Rand, t *points, at Sequence) rules.Piece {
	best := rules.One + rules.Piece(rng.IntN(rules.Types))
	if rng.IntN(3) == 0 {
		return best
	}
	for p := rules.One; p <= rules.Springare; p++ {
		if t.gain[at][p] > t.gain[at][best] {
			best = p
		}
	}
	return best
}

// golden returns a position in which only n pieces are left, all of gold.
func golden(rng *rand.Rand, types []rules.Piece, n int) rules.Position {
	var p rules.Position
	for q := range p.Colours {
		p.Colours[q] = rules.Empty
	}
	for _, q := range rng.Perm(rules.Area)[:n] {
		p.Colours[q] = rules.Gold
		p.Pieces[q] = types[rng.IntN(len(types))]
	}
	return p
}

// bruteForce returns the best final score when nothing is hidden.
func bruteForce(p rules.Position) int {
	best := p.Tally.Score()
	for a := p.Reachable(); a != 0; a &= a - 1 {
		after := p
		after.Remove(a.First(), rules.Blank)
		best = max(best, bruteForce(after))
	}
	return best
}

// If everything is known, a wide enough search finds the best plan, whatever
// the weights.
func TestPlanIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, group := range []string{"3", "5", "6"} {
		types := Types(group)
		planner := New(types, randomWeights(rng))
		for range 30 {
			p := golden(rng, types, 9)
			s := planner.State(&p)
			plan := planner.Plan(&s, math.MaxInt)
			if want := bruteForce(p); plan.Value != float64(want) {
				t.Fatalf("group %s: value %v, the best is %d", group, plan.Value, want)
			}
			if p.Remove(plan.First, rules.Blank); bruteForce(p) != int(plan.Value) {
				t.Fatalf("group %s: after %v only %d can be reached", group, plan.First, bruteForce(p))
			}
		}
	}
}

func randomWeights(rng *rand.Rand) *Weights {
	w := new(Weights)
	for i := range w {
		for j := range w[i] {
			w[i][j] = int32(rng.IntN(Unit)) - Unit/2
		}
	}
	return w
}

// One silver piece can be removed, and then the piece below it: the value is
// the mean over the types that this may have.
func TestGamble(t *testing.T) {
	types := Types("6")
	planner := New(types, new(Weights))
	var p rules.Position
	for q := range p.Colours {
		p.Colours[q] = rules.Empty
	}
	silver, gold := rules.At(1, 1), rules.At(1, 2)
	p.Pieces[silver], p.Colours[silver] = rules.One, rules.Silver
	p.Pieces[gold], p.Colours[gold] = rules.One, rules.Gold
	p.Tally.Add(rules.One)
	p.From = rules.At(2, 1)
	s := planner.State(&p)
	// 1 1 1 in all, from 2 1: silver, gold, then the hidden piece on 1 1 gives 1,
	// or 3 if it is a 1 too.
	want := 1 + 1 + 1 + 2*3 + (7*1.0+1*3.0)/8
	if plan := planner.Plan(&s, 100); plan.First != silver || math.Abs(plan.Value-want) > 0.01 {
		t.Errorf("plan %+v, want %v and the value %v", plan, silver, want)
	}
}

// Counting the features of a position one by one gives the same.
func TestFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, g := range groups {
		planner := New(g.Types, new(Weights))
		for range 200 {
			s := randomState(rng, planner, g.Types)
			got := map[int16]int{}
			for _, f := range Features(&s) {
				got[f.Index] += int(f.Count)
			}
			for index, n := range naiveFeatures(&s) {
				if got[index] != n {
					t.Fatalf("feature %d holds %d times, want %d", index, got[index], n)
				}
				delete(got, index)
			}
			if len(got) != 0 {
				t.Fatalf("extra features %v", got)
			}
		}
	}
}

// randomState plays some removals and then plans some more.
func randomState(rng *rand.Rand, planner *Planner, types []rules.Piece) State {
	var layers [rules.Layers][rules.Area]rules.Piece
	for i := range layers {
		for q := range layers[i] {
			layers[i][q] = types[rng.IntN(len(types))]
		}
	}
	p := rules.NewPosition(layers[rules.Bronze])
	for n := 1 + rng.IntN(90); n > 0 && p.Reachable() != 0; n-- {
		q := pick(rng, p.Reachable())
		next := rules.Blank
		if c := p.Colours[q] + 1; c < rules.Empty {
			next = layers[c][q]
		}
		p.Remove(q, next)
	}
	s := planner.State(&p)
	for n := rng.IntN(10); n > 0 && s.Reachable()&^s.Hidden != 0; n-- {
		s.hide(pick(rng, s.Reachable()&^s.Hidden), planner.points)
	}
	return s
}

func pick(rng *rand.Rand, a rules.Squares) rules.Square {
	for range rng.IntN(a.Len()) {
		a &= a - 1
	}
	return a.First()
}

func naiveFeatures(s *State) map[int16]int {
	f := map[int16]int{featureBias: 1}
	add := func(index, n int) {
		if n > 0 {
			f[int16(index)] += n
		}
	}
	is := func(q rules.Square) bool { return s.cells[q] > 0 && s.cells[q] < hiddenSilver }
	reached := map[rules.Square]int{}
	for q := range rules.Square(rules.Area) {
		c := s.cells[q]
		if c == 0 {
			continue
		}
		add(featureCell+int(class[q])*cells+int(c), 1)
		if !is(q) {
			continue
		}
		p, out := c.piece(), 0
		for r := range rules.Square(rules.Area) {
			if !rules.Reach(p, q).Has(r) || s.cells[r] == 0 {
				continue
			}
			out++
			reached[r]++
			if !is(r) {
				continue
			}
			to := s.cells[r].piece()
			switch {
			case p.Digit() && to.Digit():
				add(featurePairs+pairDigits, 1)
			case p.Digit():
				add(featurePairs+pairDigitToFigure, 1)
			case to.Digit():
				add(featurePairs+pairFigureToDigit, 1)
			default:
				add(featurePairs+pairFigures, 1)
			}
			if p.Digit() && to.Digit() && (to == p+1 || p == to+1) {
				add(featurePairs+pairNeighbours, 1)
			}
			if p == to {
				add(featureSame+int(p), 1)
			}
		}
		add(featureOut+int(c.colour())*outs+min(out, 5), 1)
	}
	steps, open, hidden := map[rules.Square]bool{}, 0, 0
	for q := range rules.Square(rules.Area) {
		if s.cells[q] == 0 {
			continue
		}
		add(featureIn+int(s.cells[q].colour())*ins+min(reached[q], 4), 1)
		if !rules.Reach(s.Last, s.From).Has(q) {
			continue
		}
		steps[q] = true
		if !is(q) {
			hidden++
			continue
		}
		open++
		for r := range rules.Square(rules.Area) {
			if rules.Reach(s.cells[q].piece(), q).Has(r) && s.cells[r] != 0 {
				steps[r] = true
			}
		}
	}
	add(featureSequence+int(s.Sequence), 1)
	add(featureWays+min(open, 6)*hiddens+min(hidden, 2), 1)
	add(featureFrom+int(class[s.From])*(rules.Types+1)+int(s.Last), 1)
	add(featureSteps+min(len(steps), 15), 1)
	return f
}

func TestForget(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	planner := New(Types("6"), new(Weights))
	for range 200 {
		s := randomState(rng, planner, Types("6"))
		for q := range rules.Square(rules.Area) {
			before := s.cells[q]
			s.Forget(q)
			after := s.cells[q]
			switch {
			case before == 0 || before.colour() == rules.Bronze:
				if after != before {
					t.Fatalf("%v changed from %d to %d", q, before, after)
				}
			case after < hiddenSilver || after.colour() != before.colour() || !s.Hidden.Has(q):
				t.Fatalf("%v changed from %d to %d, want it hidden and of the same colour", q, before, after)
			}
		}
	}
}

func TestGroup(t *testing.T) {
	tests := []struct {
		seen []rules.Piece
		want string
	}{
		{[]rules.Piece{rules.Two}, "3"},
		{[]rules.Piece{rules.One, rules.Two, rules.Blank}, "3"},
		{[]rules.Piece{rules.Torn, rules.Dam}, "4"},
		{[]rules.Piece{rules.One, rules.Three}, "5"},
		{[]rules.Piece{rules.Springare}, "6"},
		{[]rules.Piece{rules.One, rules.Dam}, "6"},
	}
	for _, test := range tests {
		var seen [rules.Types + 1]bool
		for _, p := range test.seen {
			seen[p] = true
		}
		if got := Group(seen); got != test.want {
			t.Errorf("%v is of group %s, want %s", test.seen, got, test.want)
		}
	}
}

// Every group has weights, and they are not all zero.
func TestLoad(t *testing.T) {
	for _, g := range groups {
		w, err := Load(g.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if *w == (Weights{}) {
			t.Errorf("the weights of group %s are all zero", g.Name)
		}
	}
	if _, err := Load("7"); err == nil {
		t.Error("group 7 has weights")
	}
}

// One operation is the plan of one removal, made as the strong player does.
func BenchmarkPlan(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	planner := For("6")
	p := rules.NewPosition(golden(rng, Types("6"), rules.Area).Pieces)
	p.Remove(rules.At(3, 3), rules.One)
	s := planner.State(&p)
	b.ReportAllocs()
	for b.Loop() {
		planner.Plan(&s, 60)
	}
}

// TestEach: with room for every plan, the best of the plans that begin with each
// square is the best plan.
func TestEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	types := Types("6")
	planner := New(types, new(Weights))
	for range 50 {
		p := golden(rng, types, 8)
		s := planner.State(&p)
		want := planner.Plan(&s, math.MaxInt)
		best := Plan{Value: -1}
		for _, plan := range planner.Each(&s, math.MaxInt) {
			if plan.Value > best.Value {
				best = plan
			}
		}
		if best.Value != want.Value {
			t.Errorf("the best of each is worth %v, the best plan %v", best.Value, want.Value)
		}
	}
}
