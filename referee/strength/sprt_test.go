package strength

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// What fastchess printed of matches of a chess engine, with elo0=0, elo1=10 and
// normalized Elo.
func TestAsFastchess(t *testing.T) {
	s, err := ParseSPRT("elo0=0,elo1=10")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		ptnml          Pentanomial
		llr, elo, half float64
	}{
		{Pentanomial{1, 11, 47, 25, 16}, 1.71, 77.71, 33.03},
		{Pentanomial{1, 15, 25, 33, 26}, 2.19, 123.02, 40.58},
		{Pentanomial{1, 24, 42, 25, 8}, 0.60, 26.11, 31.23},
		{Pentanomial{2, 23, 32, 35, 8}, 0.92, 41.89, 33.28},
	} {
		if got := s.LLR(test.ptnml); math.Abs(got-test.llr) > 0.0051 {
			t.Errorf("%v: LLR %.3f, expected %.2f", test.ptnml, got, test.llr)
		}
		if got := s.LLR(test.ptnml.Swapped()); got > 0 {
			t.Errorf("%v swapped: LLR %.3f, expected it to be negative", test.ptnml, got)
		}
		e := NewElo(test.ptnml)
		half := (*e.High - *e.Low) / 2
		if math.Abs(*e.Value-test.elo) > 0.06 || math.Abs(half/test.half-1) > 0.05 {
			t.Errorf("%v: %v ±%.2f Elo, expected %v ±%v within 5 %%", test.ptnml, *e.Value, half, test.elo, test.half)
		}
	}
}

// TestAnyAdvantage: of the distributions with an advantage, as large as a test may ask for,
// none is more likely than the one that is found, and it has that advantage.
func TestAnyAdvantage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	excess := func(o outcomes, t float64) float64 { // the advantage of o beyond t
		mean, variance := o.moments()
		return mean - 0.5 - t*math.Sqrt(variance)
	}
	for _, elo := range []float64{0, 5, 100, 230, 240, 400, 1000, -300, -1000} {
		for _, p := range []Pentanomial{{0, 0, 0, 0, 50}, {50, 0, 0, 0, 0}, {0, 0, 7, 0, 0}, {1, 11, 47, 25, 16}, {3, 0, 0, 0, 9}} {
			want, found := advantage(elo), p.outcomes()
			best := found.withAdvantage(want)
			if got := excess(best, want); math.IsNaN(got) || math.Abs(got) > 1e-6 {
				t.Errorf("%v at %v Elo: %v is off by %v", p, elo, best, got)
			}
			for range 200 {
				var other outcomes
				sum := 0.0
				for i := range other {
					other[i] = math.Pow(rng.Float64(), 4) + 1e-9
					sum += other[i]
				}
				for i := range other {
					other[i] /= sum
				}
				// So much more of the best result, or of the worst, gives it the advantage.
				low, high, end := 0.0, 1.0, 4
				if excess(other, want) > 0 {
					end = 0
				}
				with := func(x float64) outcomes {
					o := other
					for i := range o {
						o[i] *= 1 - x
					}
					o[end] += x
					return o
				}
				for range 60 {
					if x := (low + high) / 2; (excess(with(x), want) < 0) == (end == 4) {
						low = x
					} else {
						high = x
					}
				}
				if llr := p.likelihood(best, with(low)); llr > 1e-6 {
					t.Fatalf("%v at %v Elo: %v is likelier than %v by %v", p, elo, with(low), best, llr)
				}
			}
		}
	}
}

// Where everything was won, or too little was played, only what follows is said.
func TestFewPairs(t *testing.T) {
	for _, test := range []struct {
		ptnml            Pentanomial
		value, low, high bool
	}{
		{Pentanomial{}, false, false, false},
		{Pentanomial{0, 0, 0, 1, 0}, true, false, false},
		{Pentanomial{1, 0, 0, 0, 0}, false, false, false},
		{Pentanomial{0, 0, 0, 0, 10}, false, true, false},
		{Pentanomial{10, 0, 0, 0, 0}, false, false, true},
		{Pentanomial{0, 0, 30, 0, 0}, true, true, true},
		{Pentanomial{1, 0, 0, 0, 1}, true, false, false},
	} {
		e := NewElo(test.ptnml)
		if (e.Value != nil) != test.value || (e.Low != nil) != test.low || (e.High != nil) != test.high {
			t.Errorf("%v: found %+v", test.ptnml, e)
		}
	}
	if e := NewElo(Pentanomial{0, 0, 0, 0, 10}); *e.Low < 50 || *e.Low > 400 || e.Superior < 0.95 {
		t.Errorf("ten pairs won: at least %v Elo, superior with %v", *e.Low, e.Superior)
	}
	if e := NewElo(Pentanomial{0, 0, 30, 0, 0}); e.Superior != 0.5 || *e.Value != 0 || *e.Low > 0 || *e.High < 0 {
		t.Errorf("thirty ties: %+v", e)
	}
}

func TestParseSPRT(t *testing.T) {
	for _, test := range []struct{ text, wrong string }{
		{"elo0=0,elo1=5", ""},
		{"elo1=-1.5, elo0=-3 ,model=logistic,alpha=0.01,beta=0.1", ""},
		{"elo0=0", "expected elo0=N and elo1=N"},
		{"", `found "", expected`},
		{"elo0=5,elo1=5", "expected elo0 to be less"},
		{"elo0=0,elo1=x", `elo1: found "x", expected a number`},
		{"elo0=0,elo1=NaN", "expected a number"},
		{"elo0=0,elo1=5,elo1=6", "found elo1 twice"},
		{"elo0=0,elo1=5,alpha=0.5", "expected both between 0 and 0.5"},
		{"elo0=0,elo1=5,model=bayesian", "expected normalized or logistic"},
		{"elo0=0,elo1=5,gamma=1", `found "gamma=1"`},
	} {
		s, err := ParseSPRT(test.text)
		if test.wrong == "" && err != nil || test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)) {
			t.Errorf("%q: %+v, error %v, expected %q", test.text, s, err, test.wrong)
		}
	}
}

// draw draws the result of a pair.
func (o outcomes) draw(rng *rand.Rand) int {
	x, i := rng.Float64(), 0
	for ; i < len(o)-1 && x >= o[i]; i++ {
		x -= o[i]
	}
	return i
}

// TestErrorRates: where a hypothesis holds, the other one is accepted no more often
// than it may be, plus 1.5 points for chance in so many tests. With -v it tells the
// mean lengths, and those that Wald computed for a test of two distributions.
func TestErrorRates(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	tests := 500
	if testlevel.Current() == testlevel.Release {
		tests = 2000
	}
	usual := outcomes{0.06, 0.2, 0.48, 0.2, 0.06}
	for _, model := range []Model{Normalized, Logistic} {
		s := SPRT{Elo0: 0, Elo1: 60, Alpha: 0.05, Beta: 0.05, Model: model}
		lower, upper := s.Bounds()
		truth := func(elo float64) outcomes {
			if model == Logistic {
				return usual.withMean(1 / (1 + math.Pow(10, -elo/400)))
			}
			return usual.withAdvantage(elo * math.Ln10 / 800 * math.Sqrt2)
		}
		run := func(elo float64) (accepted, pairs float64) {
			rng, from := rand.New(rand.NewPCG(7, uint64(elo))), truth(elo)
			for range tests {
				var p Pentanomial
				for s.Decide(s.LLR(p)) == NotDecided {
					p[from.draw(rng)]++
				}
				pairs += float64(p.Pairs()) / float64(tests)
				if s.Decide(s.LLR(p)) == AcceptH1 {
					accepted += 1 / float64(tests)
				}
			}
			return accepted, pairs
		}
		wald := func(elo, accepts float64) float64 {
			step, from, h0, h1 := 0.0, truth(elo), truth(s.Elo0), truth(s.Elo1)
			for i, p := range from {
				step += p * math.Log(h1[i]/h0[i])
			}
			return (accepts*upper + (1-accepts)*lower) / step
		}
		wrong0, length0 := run(s.Elo0)
		right1, length1 := run(s.Elo1)
		middle, length := run((s.Elo0 + s.Elo1) / 2)
		t.Logf("%s: H1 accepted at elo0 in %.1f %%, at elo1 in %.1f %%, between in %.1f %%; mean pairs %.0f (Wald: %.0f), %.0f (%.0f) and %.0f",
			model, 100*wrong0, 100*right1, 100*middle, length0, wald(s.Elo0, s.Alpha), length1, wald(s.Elo1, 1-s.Beta), length)
		if wrong0 > s.Alpha+0.015 || 1-right1 > s.Beta+0.015 {
			t.Errorf("%s: H1 was accepted in %.1f %% of tests where H0 holds, and H0 in %.1f %% where H1 does", model, 100*wrong0, 100*(1-right1))
		}
	}
}

// TestCoverage: the interval of a difference holds the true one in 95 % of samples, less
// a point and a half for chance; of few pairs too.
func TestCoverage(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	usual := outcomes{0.06, 0.2, 0.48, 0.2, 0.06}
	for _, pairs := range []int{10, 30, 200} {
		for _, elo := range []float64{0, 70, -150} {
			rng, from, held := rand.New(rand.NewPCG(1, uint64(pairs))), usual.withMean(1/(1+math.Pow(10, -elo/400))), 0
			const samples = 400
			for range samples {
				var p Pentanomial
				for range pairs {
					p[from.draw(rng)]++
				}
				if e := NewElo(p); (e.Low == nil || *e.Low <= elo) && (e.High == nil || *e.High >= elo) {
					held++
				}
			}
			t.Logf("%d pairs at %v Elo: %.1f %%", pairs, elo, 100*float64(held)/samples)
			if held < samples*930/1000 {
				t.Errorf("%d pairs at %v Elo: held in %d of %d samples", pairs, elo, held, samples)
			}
		}
	}
}
