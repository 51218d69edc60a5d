package protocoltest

import (
	"math/rand/v2"
	"testing"

	"umpire/protocols"
)

// maxBefore is the last step at which a fuzzed reply is given; later would be
// slow.
const maxBefore = 24

// Fuzz is the body of a fuzz target for g's Parse: every text must give a
// proper error or a proper case. It adds the seed corpus.
func (s Suite) Fuzz(f *testing.F, g protocols.Game) {
	rng := rand.New(rand.NewPCG(3, 4))
	cases, err := s.cases(g)
	if err != nil {
		f.Fatal(err)
	}
	for i, c := range cases {
		f.Add(c.String())
		if i == 0 {
			for _, b := range brokenTexts(c.String(), rng) {
				f.Add(b.text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := s.checkAnyText(g, text); err != nil {
			t.Error(err)
		}
	})
}

// FuzzReply is the body of a fuzz target for the Reply of g's matches: the
// seed chooses group, case, seats and everything drawn; after some steps of
// drawn replies the fuzzed one is given, and the match must go on properly. It
// adds the seed corpus.
func (s Suite) FuzzReply(f *testing.F, g protocols.Game) {
	for i, text := range junkReplies {
		f.Add(uint64(i), uint8(i%5), text)
	}
	f.Fuzz(func(t *testing.T, seed uint64, before uint8, text string) {
		if err := guard(func() error { return s.playSpecial(g, seed, text, 1+int(before)%maxBefore) }); err != nil {
			t.Error(err)
		}
	})
}
