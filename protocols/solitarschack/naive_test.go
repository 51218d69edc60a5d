package solitarschack

// A second implementation of the rules, written from the statement and sharing
// nothing with the package: types are their names, squares are row and column,
// and the score is found from the whole sequence.

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
	"umpire/referee/testlevel"
)

func naiveReaches(piece string, r, c, toRow, toColumn int) bool {
	if r == toRow && c == toColumn {
		return false
	}
	distance := func(a, b int) int {
		if a < b {
			return b - a
		}
		return a - b
	}
	dr, dc := distance(r, toRow), distance(c, toColumn)
	rowAtBorder, columnAtBorder := toRow == 1 || toRow == 6, toColumn == 1 || toColumn == 6
	asTorn := c == toColumn && rowAtBorder || r == toRow && columnAtBorder
	asLopare := dr == dc && (rowAtBorder || columnAtBorder)
	switch piece {
	case "torn":
		return asTorn
	case "lopare":
		return asLopare
	case "dam":
		return asTorn || asLopare
	case "springare":
		return dr == 1 && dc == 2 || dr == 2 && dc == 1
	}
	k := int(piece[0] - '0')
	return dr == k && dc == 0 || dr == 0 && dc == k || dr == k && dc == k
}

// naiveBonus is runs, digits, pieces and alternating of a sequence.
func naiveBonus(sequence []string) (runs, digits, pieces, alternating int) {
	for i := 0; i < len(sequence); {
		j := i
		for j < len(sequence) && sequence[j] == sequence[i] {
			j++
		}
		if j-i >= 2 {
			runs += 2 * (j - i)
		}
		i = j
	}
	type set struct {
		start int
		kind  byte
	}
	var sets []set
	for i := 0; i+4 <= len(sequence); {
		part := sequence[i : i+4]
		sorted := slices.Clone(part)
		sort.Strings(sorted)
		switch strings.Join(sorted, " ") {
		case "1 2 3 4":
			sets = append(sets, set{i, 'd'})
			if order := strings.Join(part, ""); order == "1234" || order == "4321" {
				digits += 12
			} else {
				digits += 8
			}
			i += 4
		case "dam lopare springare torn":
			sets = append(sets, set{i, 'p'})
			pieces += 8
			i += 4
		default:
			i++
		}
	}
	for i := 0; i < len(sets); {
		j := i + 1
		for j < len(sets) && sets[j].start == sets[j-1].start+4 && sets[j].kind != sets[j-1].kind {
			j++
		}
		if k := j - i; k >= 2 {
			alternating += 8 * k
		}
		i = j
	}
	return
}

// naiveMatch holds the pieces left on each square, the visible one first.
type naiveMatch struct {
	rest     [6][6][]string
	sequence []string
	r, c     int
}

func newNaiveMatch(text string) *naiveMatch {
	m := new(naiveMatch)
	for i, line := range strings.Split(text, "\n") {
		for j, piece := range strings.Split(line, " ") {
			m.rest[i%6][j] = append(m.rest[i%6][j], piece)
		}
	}
	return m
}

func (m *naiveMatch) allows(r, c int) bool {
	if len(m.rest[r-1][c-1]) == 0 {
		return false
	}
	n := len(m.sequence)
	return n == 0 || naiveReaches(m.sequence[n-1], m.r, m.c, r, c)
}

// reply returns the line sent back.
func (m *naiveMatch) reply(r, c int) string {
	square := &m.rest[r-1][c-1]
	m.sequence = append(m.sequence, (*square)[0])
	*square = (*square)[1:]
	m.r, m.c = r, c
	if len(*square) == 0 {
		return "blank"
	}
	return (*square)[0]
}

func (m *naiveMatch) score() int {
	score := 0
	for _, row := range m.rest {
		for _, square := range row {
			score += 3 - len(square)
		}
	}
	runs, digits, pieces, alternating := naiveBonus(m.sequence)
	return score + runs + digits + pieces + alternating
}

// Both implementations agree on at least 100,000 positions of random matches:
// on whether each square is allowed, on the replies, and on the score.
func TestAgreesWithNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for positions, seed := 0, uint64(1); positions < testlevel.Times(20_000, 20_000, 100_000); seed++ {
		for _, group := range groupNames() {
			c, err := generate(group, seed)
			if err != nil {
				t.Fatal(err)
			}
			positions += playBoth(t, rng, c)
		}
	}
}

func playBoth(t *testing.T, rng *rand.Rand, c protocols.Case) (positions int) {
	t.Helper()
	m, naive := newMatch(c.(*Case)), newNaiveMatch(c.String())
	for ; ; positions++ {
		m.Next()
		if score(m) != naive.score() {
			t.Fatalf("naive scores %d, the package %d, of %v", naive.score(), score(m), naive.sequence)
		}
		var allowed, forbidden []board.Square
		for s := range board.Square(board.Area) {
			if naive.allows(s.Row(), s.Column()) {
				allowed = append(allowed, s)
			} else {
				forbidden = append(forbidden, s)
			}
			if m.Reachable().Has(s) != naive.allows(s.Row(), s.Column()) {
				t.Fatalf("%v: naive allows it: %v, the package does not agree; at\n%v", s, !m.Reachable().Has(s), m)
			}
		}
		if n := len(forbidden); n > 0 {
			if s := forbidden[rng.IntN(n)]; m.Reply(1, s.String()) == nil {
				t.Fatalf("%v is accepted, it is a foul; at\n%v", s, m)
			}
		}
		if len(allowed) == 0 {
			return positions
		}
		s := allowed[rng.IntN(len(allowed))]
		if foul := m.Reply(1, s.String()); foul != nil {
			t.Fatalf("%v: %v; at\n%v", s, foul, m)
		}
		if want, got := naive.reply(s.Row(), s.Column()), m.Next().Send[0].Text; got != want {
			t.Fatalf("%v: naive sends %s, the package %s", s, want, got)
		}
	}
}

// Random sequences have far more sets and chains than random matches: three
// draws out of four add a whole set.
func TestScoringAgreesWithNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sequences, chains := testlevel.Times(30_000, 30_000, 100_000), 0
	for range sequences {
		sequence := randomSequence(rng, rng.IntN(40))
		var tally board.Tally
		for _, name := range sequence {
			p, _ := board.ParsePiece(name)
			tally.Add(p)
		}
		runs, digits, pieces, alternating := naiveBonus(sequence)
		if want := (board.Bonus{Runs: runs, Digits: digits, Pieces: pieces, Alternating: alternating}); tally.Bonus != want {
			t.Fatalf("%v: %+v, naive says %+v", sequence, tally.Bonus, want)
		}
		if alternating > 16 {
			chains++
		}
	}
	if chains < sequences/100 {
		t.Errorf("only %d sequences had a chain of three sets", chains)
	}
}

func randomSequence(rng *rand.Rand, n int) []string {
	var out []string
	for len(out) < n {
		switch rng.IntN(4) {
		case 0:
			out = append(out, board.Names()[rng.IntN(board.Types)])
		case 1:
			out = append(out, "1", "2", "3", "4")
		default:
			set := []string{"1", "2", "3", "4"}
			if rng.IntN(2) == 0 {
				set = []string{"torn", "lopare", "dam", "springare"}
			}
			rng.Shuffle(4, func(i, j int) { set[i], set[j] = set[j], set[i] })
			out = append(out, set...)
		}
	}
	return out
}

// A canonical tally goes on counting like the tally it was made from, and is
// its own canonical tally.
func TestCanonicalTally(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	seen := map[board.Tally]bool{}
	for range 20_000 {
		var tally board.Tally
		for _, name := range randomSequence(rng, rng.IntN(20)) {
			p, _ := board.ParsePiece(name)
			tally.Add(p)
		}
		canonical := tally.Canonical()
		if canonical != canonical.Canonical() {
			t.Fatalf("%+v is not canonical", canonical)
		}
		seen[canonical] = true
		for _, name := range randomSequence(rng, 12) {
			p, _ := board.ParsePiece(name)
			before, short := tally.Score(), canonical.Score()
			tally.Add(p)
			canonical.Add(p)
			if tally.Score()-before != canonical.Score()-short || tally.Last() != canonical.Last() {
				t.Fatalf("%v gives %d after all, %d after the canonical tally", p, tally.Score()-before, canonical.Score()-short)
			}
		}
	}
	if len(seen) > 300 {
		t.Errorf("there are %d canonical tallies, expected a few hundred", len(seen))
	}
}
