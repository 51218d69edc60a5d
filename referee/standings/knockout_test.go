package standings

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/strength"
)

// TestTieRule: in a knockout a tie goes to who failed less, then to who was
// named first.
func TestTieRule(t *testing.T) {
	for _, c := range []struct {
		e            Meeting
		rank         protocols.Rank
		result, goes int
	}{
		{Meeting{Pair: strength.Pair{A: 3, B: 1}, Wins: [2]int{4, 0}, Scores: [2]protocols.Score{protocols.Points(1), protocols.Points(9)}}, protocols.ByWins, 2, 3},
		{Meeting{Pair: strength.Pair{A: 3, B: 1}, Wins: [2]int{4, 0}, Scores: [2]protocols.Score{protocols.Points(1), protocols.Points(9)}}, protocols.ByPoints, 0, 1},
		{Meeting{Pair: strength.Pair{A: 3, B: 1}, Wins: [2]int{2, 2}, Scores: [2]protocols.Score{protocols.Points(7), protocols.Points(5)}}, protocols.ByWins, 2, 3},
		{Meeting{Pair: strength.Pair{A: 3, B: 1}, Fails: [2]int{0, 1}}, protocols.ByWins, 1, 3},
		{Meeting{Pair: strength.Pair{A: 3, B: 1}}, protocols.ByWins, 1, 1},
		{Meeting{Pair: strength.Pair{A: 1, B: 3}}, protocols.ByPlaces, 1, 1},
		{Meeting{Pair: strength.Pair{A: 4, B: Bye}}, protocols.ByWins, 2, 4},
	} {
		if got := c.e.Result(c.rank); got != c.result {
			t.Errorf("%v: result %d, expected %d", c.e, got, c.result)
		}
		if got := c.e.Winner(c.rank); got != c.goes {
			t.Errorf("%v: %d goes on, expected %d", c.e, got, c.goes)
		}
	}
}

// shown is a bracket in a line: rounds separated by |, the winner last.
func shown(b Bracket) string {
	name := func(n int) string {
		switch n {
		case Open:
			return "?"
		case Bye:
			return "-"
		}
		return b.Name(n)
	}
	var rounds []string
	for _, round := range b.Rounds {
		var list []string
		for _, e := range round {
			list = append(list, name(e.A)+":"+name(e.B))
		}
		rounds = append(rounds, strings.Join(list, " "))
	}
	return strings.Join(append(rounds, name(b.Winner())), " | ")
}

// TestBracket: a bracket shows what the matches so far decide, and no more.
func TestBracket(t *testing.T) {
	for _, c := range []struct {
		name, bots string
		matches    []string
		want       string
	}{
		{"nothing played", "a b c d", nil, "a:d c:b | ?:? | ?"},
		{"one of two matches", "a b", []string{"a 9, b 1"}, "a:b | ?"},
		{"two bots", "a b", []string{"a 9, b 1", "b 2, a 1"}, "a:b | a"},
		{"byes", "a b c", nil, "a:- c:b | a:? | ?"},
		{"five bots", "a b c d e", []string{"e 2, d 1", "d 1, e 1"}, "a:- e:d c:- b:- | a:e c:b | ?:? | ?"},
		{"a semi-final", "a b c d", []string{"c 2, b 1", "b 1, c 2"}, "a:d c:b | ?:c | ?"},
		{"a tie goes to the better seed", "a b", []string{"a 1, b 1", "b 1, a 1"}, "a:b | a"},
		{"a tie goes to the bot that failed less", "a b", []string{"a 1 time, b 1", "b 1, a 1"}, "a:b | b"},
		{"matches outside the bracket", "a b c d", []string{"a 1, b 2", "b 2, a 1", "x 1, a 9"}, "a:d c:b | ?:? | ?"},
	} {
		k := Knockout{Matches: 2}
		for name := range strings.FieldsSeq(c.bots) {
			k.Bots = append(k.Bots, Bot{Name: name})
		}
		tl := tally(protocols.ByPoints, c.matches...)
		if got := shown(tl.Bracket(k)); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// TestBracketIsOfItsPrograms: the matches of an earlier program with a bot's
// name decide nothing.
func TestBracketIsOfItsPrograms(t *testing.T) {
	tl := NewTally(protocols.ByPoints)
	for i := range 2 {
		b := played(i, "a 1, b 9")
		b.Seats[1].Digest = "old"
		tl.Add(b)
	}
	k := Knockout{Bots: []Bot{{Name: "a"}, {Name: "b", Digest: "new"}}, Matches: 2}
	if got := shown(tl.Bracket(k)); got != "a:b | ?" {
		t.Errorf("found %s, expected no winner", got)
	}
	k.Bots[1].Digest = "old"
	b := tl.Bracket(k)
	if got := shown(b); got != "a:b | b" {
		t.Errorf("found %s, expected b to win", got)
	}
	// Nor do the rounds of one lift the other in the standings.
	k.Bots[1].Digest = "new"
	tl.Add(played(9, "c 5, a 1"))
	s := tl.Standings(tl.Bracket(k).Ordering())
	if got := ranking(s); got != "1 a, 2 b, 3 c" {
		t.Errorf("found %s, expected the bots of the bracket first", got)
	}
}
