package record

import "slices"

// calledDigits is how much of a digest tells a bot from others of its name.
const calledDigits = 8

// Opponent ends what a contestant is called where it took part as the house.
const Opponent = " (opponent)"

// BotNames says what bots are called among all those at hand: by their names in the
// records or, where several programs of a game have one name, NAME#DIGEST, with the
// beginning of the digest. One that is a contestant as well is called so with Opponent
// where it took part as the house. Whatever shows bots to a user asks it.
type BotNames struct {
	digests     map[[2]string][]string // by game and name; two are enough
	contestants map[[3]string]bool     // by game, name and digest
}

// Add adds a bot of a game; "" serves where all are of one.
func (n *BotNames) Add(game, name, digest string, house bool) {
	if n.digests == nil {
		n.digests, n.contestants = make(map[[2]string][]string), make(map[[3]string]bool)
	}
	if !house {
		n.contestants[[3]string{game, name, digest}] = true
	}
	if key := [2]string{game, name}; len(n.digests[key]) < 2 && !slices.Contains(n.digests[key], digest) {
		n.digests[key] = append(n.digests[key], digest)
	}
}

// Of returns what a bot is called, which need not have been added.
func (n *BotNames) Of(game, name, digest string, house bool) string {
	called := name
	if slices.ContainsFunc(n.digests[[2]string{game, name}], func(other string) bool { return other != digest }) {
		called += "#" + digest[:min(calledDigits, len(digest))]
	}
	if house && n.contestants[[3]string{game, name, digest}] {
		called += Opponent
	}
	return called
}
