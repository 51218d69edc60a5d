package tournament

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"umpire/referee"
	"umpire/referee/strength"
	"umpire/referee/userfile"
)

// LooksFile has, in a run folder, a Look a line.
const LooksFile = "decisions.jsonl"

// Look is what a round robin that ends by what its matches show has decided after some of
// them: which of the bots play next, or that it ends.
type Look struct {
	// Bots is a digest of the names and digests of the bots: with others a run decides
	// anew.
	Bots   string `json:"bots"`
	Until  string `json:"until"`
	Played int    `json:"played"` // mirrored pairs so far
	// Seconds is how long matches had been played when it was decided, over all starts
	// of umpire; what it had played after its last decision does not count.
	Seconds float64 `json:"seconds"`
	// Next lists who plays: two bots, by their places in run.json, from 0, and how many
	// mirrored pairs.
	Next [][3]int          `json:"next,omitempty"`
	End  strength.Decision `json:"end,omitempty"`
}

// Adaptive is a round robin in which further mirrored pairs go where the order is least
// certain. What is played next depends on the results so far and, if time ends it, on the
// time that has passed, and is recorded: a run that is resumed, or read, follows what is
// recorded for its bots, so that what has been played always counts.
type Adaptive struct {
	Until strength.Until

	decision strength.Decision
	pairs    int           // mirrored pairs that were to be played so far
	bots     string        // Look.Bots
	looks    []Look        // that are recorded, and were not followed yet
	spent    time.Duration // before this start of umpire
	given    map[strength.Pair]int
	pass     int // pairs of one repetition of all cases
	distinct int // of them, those on different cases
	state    string
}

// probes is how many pairs repeat a case before two bots that have played all of them in
// the same way again have no more to show.
const probes = 3

// newAdaptive begins the round robin of a plan; nil if it is another tournament.
func newAdaptive(p Plan, bots []referee.Identity) *Adaptive {
	if p.Until == nil {
		return nil
	}
	a := &Adaptive{Until: *p.Until, given: make(map[strength.Pair]int)}
	cases := make(map[int]bool)
	for _, play := range p.Plays {
		if cases[play.Case] {
			continue
		}
		cases[play.Case] = true
		if a.pass++; play.Repetition == 1 {
			a.distinct++
		}
	}
	hash := sha256.New()
	for _, b := range bots {
		fmt.Fprintf(hash, "%q %q\n", b.Name, b.Digest)
	}
	a.bots = hex.EncodeToString(hash.Sum(nil)[:16])
	return a
}

// Record has the run follow the looks of a run folder, as far as they are of its bots.
func (c *Run) Record(looks []Look) {
	if c.Adaptive == nil {
		return
	}
	for _, l := range looks {
		if l.Bots == c.Adaptive.bots {
			c.Adaptive.looks = append(c.Adaptive.looks, l)
		}
	}
}

// shuffled returns the plays with the cases of each repetition in an order drawn by seed,
// so that the first ones are a sample of all.
func shuffled(plays []CaseRepetition, cases int, seed uint64) []CaseRepetition {
	rng := rand.New(rand.NewPCG(seed, 0x756e74696c))
	for part := range slices.Chunk(plays, cases) {
		rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
	}
	return plays
}

// Order returns how certain the order of a round robin is that goes on where it is least
// certain. It may be called at any time.
func (c *Run) Order() strength.Order {
	c.counting.Lock()
	defer c.counting.Unlock()
	if c.order == nil {
		o := strength.NewOrder(c.Plan.paired(), c.Tally.PairsOf)
		c.order = &o
	}
	return *c.order
}

// Ended returns why such a round robin has ended, NotDecided while it goes on, and how many
// mirrored pairs were to be played. It may be called at any time.
func (c *Run) Ended() (d strength.Decision, pairs int) {
	c.counting.Lock()
	defer c.counting.Unlock()
	return c.Adaptive.decision, c.Adaptive.pairs
}

// next decides what is played next, as recorded if it is; ok is false if the run ends.
func (c *Run) next() (r Round, ok bool, err error) {
	a := c.Adaptive
	if a == nil {
		r, ok = c.Plan.Next(c.Rounds)
		return r, ok, nil
	}
	look, recorded, err := c.recordedLook()
	if err != nil {
		return r, false, err
	}
	if recorded {
		a.spent = time.Duration(look.Seconds * float64(time.Second))
	} else if look = c.look(); c.Decided != nil {
		if err := c.Decided(look); err != nil {
			return r, false, fmt.Errorf("write %s: %w", LooksFile, err)
		}
	}
	c.counting.Lock()
	defer c.counting.Unlock()
	a.decision = look.End
	return a.round(c.Plan, look.Next), look.End == strength.NotDecided, nil
}

// recordedLook returns the next look of the run folder. That the run ended counts if
// nothing followed, and the goal is the same.
func (c *Run) recordedLook() (look Look, ok bool, err error) {
	a := c.Adaptive
	for len(a.looks) > 0 {
		look, a.looks = a.looks[0], a.looks[1:]
		switch {
		case look.End == strength.NotDecided:
			return look, true, a.check(c.Plan, look)
		case len(a.looks) == 0 && look.Until == a.Until.String():
			return look, true, nil
		}
	}
	return look, false, nil
}

// check returns what is wrong with a recorded look.
func (a *Adaptive) check(p Plan, look Look) error {
	if len(look.Next) == 0 {
		return fmt.Errorf("%s: found a decision after %d pairs that says neither who plays next nor that the run ends", LooksFile, look.Played)
	}
	for _, n := range look.Next {
		if pair := (strength.Pair{A: n[0], B: n[1]}); n[0] < 0 || n[0] >= n[1] || n[1] >= p.Bots || n[2] < 1 || n[2] > len(p.Plays)-a.given[pair] {
			return fmt.Errorf("%s: found %v after %d pairs, expected two of %d bots, and at most %d pairs of theirs", LooksFile, n, look.Played, p.Bots, len(p.Plays))
		}
	}
	return nil
}

// look decides what is played next. Bots that have not met play first.
func (c *Run) look() Look {
	a, bots := c.Adaptive, c.Plan.paired()
	look := Look{Bots: a.bots, Until: a.Until.String(), Played: a.pairs}
	spent := a.spent
	if c.Elapsed != nil {
		spent += c.Elapsed()
	}
	look.Seconds = float64(spent.Milliseconds()) / 1000
	for i, first := range bots {
		for _, second := range bots[i+1:] {
			if a.given[strength.Pair{A: first, B: second}] == 0 {
				look.Next = append(look.Next, [3]int{first, second, 1})
			}
		}
	}
	switch {
	case len(look.Next) > 0:
		return look
	case len(bots) < 2:
		look.End = strength.Undecided
		return look
	}
	o := c.Order()
	open := 0
	for _, n := range o.Next {
		if n.Open(a.Until) {
			open++
		}
	}
	a.state = fmt.Sprintf("%d of %d neighbours still open", open, len(o.Next))
	batch := strength.Batch(len(bots), a.pairs)
	switch {
	case a.Until.Time > 0:
		left := a.Until.Time.Seconds() - look.Seconds
		if look.Seconds > 0 {
			batch = min(batch, int(left*float64(a.pairs)/look.Seconds))
		}
		if left <= 0 || batch < 1 {
			look.End = strength.TimeUp
			return look
		}
	case open == 0:
		look.End = strength.Decided
		return look
	}
	for _, s := range o.Allocate(a.Until, batch, c.room) {
		look.Next = append(look.Next, [3]int{min(s.A, s.B), max(s.A, s.B), s.N})
	}
	if len(look.Next) == 0 {
		look.End = strength.Undecided
	}
	return look
}

// room is how many further pairs two bots can play: none if they have played the same
// again.
func (c *Run) room(pair strength.Pair) int {
	a, p := c.Adaptive, inOrder(pair)
	n := a.given[p]
	c.counting.Lock()
	defer c.counting.Unlock()
	probed := a.pass + min(a.pass, probes)
	if c.Tally.Draws {
		probed = a.pass + alikeDeals
	}
	switch {
	case n < a.pass:
		return min(a.pass, len(c.Plan.Plays)) - n
	case n < probed:
		return min(probed, len(c.Plan.Plays)) - n
	}
	if c.Tally.PairsOf(p.A, p.B).Pairs() <= a.distinct {
		return 0
	}
	return len(c.Plan.Plays) - n
}

// round has bots play as a look says, each two of them the cases that come next.
func (a *Adaptive) round(p Plan, next [][3]int) Round {
	var matches []ScheduledMatch
	for k := 0; ; k++ {
		before := len(matches)
		for _, n := range next {
			if k < n[2] {
				play := p.Plays[a.given[strength.Pair{A: n[0], B: n[1]}]+k]
				matches = append(matches, ScheduledMatch{play, []int{n[0], n[1]}}, ScheduledMatch{play, []int{n[1], n[0]}})
			}
		}
		if len(matches) == before {
			break
		}
	}
	for _, n := range next {
		a.given[strength.Pair{A: n[0], B: n[1]}] += n[2]
		a.pairs += n[2]
	}
	return Round{Matches: slices.Values(matches), Len: len(matches)}
}

// Total returns how many matches the run takes; of one that goes on where the order is
// least certain, those that were decided on so far.
func (c *Run) Total() int {
	if c.Adaptive != nil {
		return 2 * c.Adaptive.pairs
	}
	return c.Plan.Total()
}

// State says how far the run is from the end that its matches decide; "" if they don't.
func (c *Run) State() string {
	switch {
	case c.Sequential != nil:
		return c.Sequential.String()
	case c.Adaptive != nil:
		return c.Adaptive.state
	}
	return ""
}

// ReadLooks reads the looks of a run folder; none if it has no file of them. A last line
// that was cut off is left out.
func ReadLooks(dir string) (looks []Look, err error) {
	name := filepath.Join(dir, LooksFile)
	text, err := readBounded(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	line := 0
	for part := range bytes.Lines(text) {
		if line++; !bytes.HasSuffix(part, []byte("\n")) {
			break
		}
		var l Look
		if err := json.Unmarshal(part, &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		looks = append(looks, l)
	}
	return looks, nil
}

// AddLook adds a look to those of a run folder, in place of a last line that was cut off.
func AddLook(dir string, l Look) error {
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, LooksFile)
	text, err := readBounded(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	return userfile.Replace(name, slices.Concat(whole, line, []byte("\n")), 0o644)
}
