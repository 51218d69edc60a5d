package record

import "slices"

// calledDigits is how much of a digest tells a bot from others of its name.
const calledDigits = 8

// BotNames says what bots are called among all those at hand: by their names in the
// records or, where several programs of a game have one name, NAME#DIGEST, with the
// beginning of the digest. Whatever shows bots to a user asks it.
type BotNames struct {
	digests map[[2]string][]string // by game and name; two are enough
}

// Add adds a bot of a game; "" serves where all are of one.
func (n *BotNames) Add(game, name, digest string) {
	if n.digests == nil {
		n.digests = make(map[[2]string][]string)
	}
	if key := [2]string{game, name}; len(n.digests[key]) < 2 && !slices.Contains(n.digests[key], digest) {
		n.digests[key] = append(n.digests[key], digest)
	}
}

// Of returns what a bot is called, which need not have been added.
func (n *BotNames) Of(game, name, digest string) string {
	others := func(other string) bool { return other != digest }
	if !slices.ContainsFunc(n.digests[[2]string{game, name}], others) {
		return name
	}
	return name + "#" + digest[:min(calledDigits, len(digest))]
}
