// Package tournament organizes tournaments: their schedules, formats and
// rounds, the configuration file, and the folder of a run, which can be
// resumed. Playing the matches is left to an arena.Runner.
package tournament

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"sync"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Run is a tournament in progress: its plan with bots and cases, and the
// matches played so far.
type Run struct {
	Plan   Plan
	Runner arena.Runner
	Bots   []referee.Identity // in the plan's numbering
	Cases  []arena.Fixture    // a match on each case, without its seats, in the numbering of the plan's plays

	// Tally adds up the schedule's matches. While Play runs, or AddPlayed, only
	// their callbacks may use it: see Standings.
	Tally *standings.Tally

	// Store stores a record, and returns it as a line of a results file.
	Store func(record.Record) ([]byte, error)
	// Round, if not nil, is called before each round with its number, from 1,
	// its number of matches, and how many of these were played before.
	Round func(n, matches, before int)
	// Done, if not nil, is called when a match has ended and is stored.
	Done func()

	// Sequential is the test that ends the tournament; nil: none. While Play runs, only
	// its callbacks may use it.
	Sequential *Sequential

	// Adaptive is how far a round robin is that goes on where its order is least certain;
	// nil: the run is none.
	Adaptive *Adaptive
	// Decided, if not nil, stores what Adaptive has decided, before it is followed.
	Decided func(Look) error
	// Elapsed, if not nil, is for how long matches of the run have been played since
	// umpire was started.
	Elapsed func() time.Duration

	// Rounds are the results of completed Swiss and knockout rounds.
	Rounds [][]standings.Meeting

	unplayable map[int]unplayable // bots, by their numbers

	earlier map[uint64]*record.Summary // played earlier and not yet counted
	counted map[uint64]bool            // played earlier and counted, of a tournament in rounds
	only    *onlyRound                 // of a tournament that is not played in rounds, when it is resumed
	scan    record.Scanner
	brief   record.Summary

	counting sync.Mutex // guards Tally, Rounds and what follows
	playing  bool
	running  []standings.Meeting // the results so far of the round that is being played
	shown    *standings.Standings
	order    *strength.Order
}

// NewRun makes a run; Runner, Store, Round and Done are set afterwards.
func NewRun(p Plan, bots []referee.Identity, list []arena.Fixture) *Run {
	c := &Run{Plan: p, Bots: bots, Cases: list, Tally: standings.NewTally(p.Rank), Sequential: newSequential(p), Adaptive: newAdaptive(p, bots)}
	c.Expect(c.Tally)
	return c
}

// Expect lists the bots in a tally, even if they have not played.
func (c *Run) Expect(t *standings.Tally) {
	for i := range c.Bots {
		why := c.unplayable[i]
		t.Expect(c.bot(i), why.broken, why.notJudged)
	}
}

// SetUnplayable says, before anything is played, why a bot can't play: it could not
// be compiled or started, or the machine lacked what judging it takes. If both are
// "", it can.
func (c *Run) SetUnplayable(bot int, broken, notJudged string) {
	if broken == "" && notJudged == "" {
		return
	}
	if c.unplayable == nil {
		c.unplayable, c.Plan.Unpaired = make(map[int]unplayable), make([]bool, c.Plan.Bots)
	}
	c.unplayable[bot], c.Plan.Unpaired[bot] = unplayable{broken, notJudged}, true
	c.Expect(c.Tally)
}

// unplayable is why a bot can't play; one of the reasons is "".
type unplayable struct{ broken, notJudged string }

// Standings returns the standings of the matches that count so far. It may be
// called at any time, also while the run is played: then without how sure the ranks are,
// for which matches would have to wait.
func (c *Run) Standings() *standings.Standings {
	c.counting.Lock()
	defer c.counting.Unlock()
	if c.shown == nil {
		o := c.Ordering()
		o.NoCertainty = c.playing
		now := c.Tally.Standings(o)
		c.shown = &now
	}
	return c.shown
}

// setPlaying says whether the run is being played.
func (c *Run) setPlaying(now bool) {
	c.counting.Lock()
	defer c.counting.Unlock()
	c.playing, c.shown, c.order = now, nil, nil
}

// count adds a match to the standings.
func (c *Run) count(b *record.Summary) {
	c.counting.Lock()
	defer c.counting.Unlock()
	c.Tally.Add(b)
	c.shown, c.order = nil, nil
}

// Meetings returns the results so far of the rounds of a Swiss tournament, also of the
// one that is not over. It may be called at any time.
func (c *Run) Meetings() [][]standings.Meeting {
	c.counting.Lock()
	defer c.counting.Unlock()
	list := slices.Clone(c.Rounds)
	if c.running != nil {
		list = append(list, slices.Clone(c.running))
	}
	return list
}

// Bracket returns how far a knockout is; ok is false if the run is none. It may be
// called at any time.
func (c *Run) Bracket() (b standings.Bracket, ok bool) {
	c.counting.Lock()
	defer c.counting.Unlock()
	k, ok := c.knockout()
	if ok {
		b = c.Tally.Bracket(k)
	}
	return b, ok
}

// AddPlayed adds a match that was played earlier. Matches that umpire failed to
// play are played again.
func (c *Run) AddPlayed(b *record.Summary) error {
	if !c.Plan.InRounds() {
		c.addToOnly(b)
		return nil
	}
	key := matchOf(b)
	if earlier := c.earlier[key]; b.Key == 0 || earlier != nil && !record.Supersedes(earlier.Failed, b.Failed) {
		return nil
	}
	if c.earlier == nil {
		c.earlier = make(map[uint64]*record.Summary)
	}
	c.earlier[key] = b.Clone()
	return nil
}

// Recount counts the rounds that were played earlier, as far as they go, and
// plays nothing.
func (c *Run) Recount() error {
	for c.Plan.InRounds() {
		round, ok, err := c.next()
		if !ok || err != nil {
			return err
		}
		t := c.tallyRound(round)
		if missing, _ := c.missing(round, t.add); missing == nil || len(missing) > 0 {
			return nil
		}
		c.endRound(t.meetings)
	}
	return nil
}

// Belongs reports whether a match played earlier is of the tournament. Of one that
// is played in rounds, the matches must have been added and counted before.
func (c *Run) Belongs(b *record.Summary) bool {
	if c.Plan.InRounds() {
		return c.counted[matchOf(b)]
	}
	_, ok := c.schedule().number[matchOf(b)]
	return ok && b.Key != 0
}

// Unrelated returns, once the tournament has been played or recounted, how many
// matches played earlier do not belong to it.
func (c *Run) Unrelated() (n int) {
	if c.only != nil {
		return len(c.only.unrelated)
	}
	for _, b := range c.earlier {
		if !b.Failed {
			n++
		}
	}
	return n
}

// Play plays the matches not yet played. The error is that of Store or ctx, or
// says that the next round depends on a match that umpire failed to play.
func (c *Run) Play(ctx context.Context) error {
	c.setPlaying(true)
	defer c.setPlaying(false)
	for {
		round, ok, err := c.next()
		if !ok || err != nil {
			return err
		}
		encounters, err := c.round(ctx, round)
		if err != nil {
			return err
		}
		c.endRound(encounters)
	}
}

// endRound adds the results of a round.
func (c *Run) endRound(encounters []standings.Meeting) {
	c.counting.Lock()
	defer c.counting.Unlock()
	c.Rounds, c.running, c.shown = append(c.Rounds, encounters), nil, nil
}

// roundTally adds up the matches of a round.
type roundTally struct {
	run      *Run
	meetings []standings.Meeting
	meets    []int // the meeting of each successive bunch of matches
}

func (c *Run) tallyRound(round Round) *roundTally {
	t := &roundTally{run: c, meetings: make([]standings.Meeting, len(round.Pairs))}
	for i, pair := range round.Pairs {
		t.meetings[i].Pair = pair
		if pair.B != standings.Bye {
			t.meets = append(t.meets, i)
		}
	}
	c.counting.Lock()
	defer c.counting.Unlock()
	c.running = t.meetings
	return t
}

// add counts the n-th match of the round.
func (t *roundTally) add(n int, b *record.Summary) {
	t.run.count(b)
	t.run.Sequential.add(n, b)
	t.run.counting.Lock()
	defer t.run.counting.Unlock()
	if len(t.meets) > 0 && !b.Failed {
		t.meetings[t.meets[n/(2*len(t.run.Plan.Plays))]].Add(b, n%2)
	}
}

// round plays one round, and returns the results of its encounters.
func (c *Run) round(ctx context.Context, round Round) ([]standings.Meeting, error) {
	t := c.tallyRound(round)
	missing, before := c.missing(round, t.add)
	if c.Round != nil {
		c.Round(len(c.Rounds)+1, round.Len, before)
	}
	if c.Sequential.decided() || c.Adaptive != nil && missing != nil && len(missing) == 0 {
		return t.meetings, nil
	}
	failed := 0
	err := c.Runner.Run(ctx, c.fixtures(round, missing), func(n int, r record.Record) error {
		if missing != nil {
			n = missing[n]
		}
		b, err := c.store(r)
		if err != nil {
			return err
		}
		if b.Failed {
			failed++
		}
		t.add(n, b)
		if c.Done != nil {
			c.Done()
		}
		if c.Sequential.decided() {
			return errDecided
		}
		return nil
	})
	if errors.Is(err, errDecided) {
		err = nil
	}
	if err == nil && failed > 0 && c.Plan.InRounds() {
		err = fmt.Errorf("round %d: umpire could not play %d of its %d matches, on which the next round depends", len(c.Rounds)+1, failed, round.Len)
	}
	return t.meetings, err
}

// store stores a record and returns its summary.
func (c *Run) store(r record.Record) (*record.Summary, error) {
	line, err := c.Store(r)
	if err != nil {
		return nil, fmt.Errorf("write results: %w", err)
	}
	if err := c.scan.Scan(line, &c.brief); err != nil {
		return nil, fmt.Errorf("read the record just written: %w", err)
	}
	return &c.brief, nil
}

// missing counts the matches of a round that were played earlier, and lists
// those that were not; nil means that all are missing.
func (c *Run) missing(round Round, count func(n int, b *record.Summary)) (missing []int, before int) {
	if c.only != nil {
		return c.only.missing()
	}
	if len(c.earlier) == 0 {
		return nil, 0
	}
	missing = []int{}
	if c.counted == nil {
		c.counted = make(map[uint64]bool)
	}
	n := 0
	for p := range round.Matches {
		key := c.key(p)
		b := c.earlier[key]
		if b != nil {
			count(n, b)
			c.counted[key] = true
			delete(c.earlier, key)
		}
		if b != nil && !b.Failed {
			before++
		} else {
			missing = append(missing, n)
		}
		n++
	}
	return missing, before
}

// matchKeys hashes matches. The hashes are valid only within this process.
var matchKeys = maphash.MakeSeed()

// caseInGame is the case of a match in one repetition.
type caseInGame struct {
	game, name string
	repetition int
}

// matchKey identifies a match of a tournament by its case and the bots in its seats.
func matchKey(c caseInGame, seats int, bot func(seat int) standings.Bot) uint64 {
	var hash maphash.Hash
	hash.SetSeed(matchKeys)
	maphash.WriteComparable(&hash, c)
	for seat := range seats {
		maphash.WriteComparable(&hash, bot(seat))
	}
	return hash.Sum64()
}

// matchOf identifies a match that was played.
func matchOf(b *record.Summary) uint64 {
	return matchKey(caseInGame{b.Game, b.Case, b.Repetition}, len(b.Seats), func(seat int) standings.Bot {
		return standings.BotOf(b.Seats[seat])
	})
}

// key identifies a match of the schedule.
func (c *Run) key(p ScheduledMatch) uint64 {
	f := &c.Cases[p.Case]
	return matchKey(caseInGame{f.Game, f.Case.Name, p.Repetition}, len(p.Bots), func(seat int) standings.Bot { return c.bot(p.Bots[seat]) })
}

// fixtures yields a round's matches, only the missing ones if missing is not
// nil.
func (c *Run) fixtures(round Round, missing []int) iter.Seq[arena.Fixture] {
	return func(yield func(arena.Fixture) bool) {
		n, next := 0, 0
		for p := range round.Matches {
			wanted := missing == nil || next < len(missing) && missing[next] == n
			n++
			if !wanted {
				continue
			}
			next++
			if !yield(c.fixture(p)) {
				return
			}
		}
	}
}

func (c *Run) fixture(p ScheduledMatch) arena.Fixture {
	f := c.Cases[p.Case]
	f.Repetition, f.Seats = p.Repetition, make([]arena.Seat, len(p.Bots))
	for i, n := range p.Bots {
		b := c.Bots[n]
		f.Seats[i] = arena.Seat{Bot: b.Name, Digest: b.Digest, Kind: b.Kind, Guest: b.Guest}
	}
	return f
}

// knockout returns what the run is played with, if it is a knockout.
func (c *Run) knockout() (k standings.Knockout, ok bool) {
	for _, i := range c.Plan.paired() {
		k.Bots = append(k.Bots, c.bot(i))
	}
	k.Matches = 2 * len(c.Plan.Plays)
	return k, c.Plan.Format == Knockout
}

// Ordering returns how the standings are ordered beyond the game's own rule.
func (c *Run) Ordering() *standings.Ordering {
	if k, ok := c.knockout(); ok {
		o := c.Tally.Bracket(k).Ordering()
		o.Tiebreaks = c.Plan.Tiebreaks
		return o
	}
	if c.Plan.Format != Swiss {
		return &standings.Ordering{Tiebreaks: c.Plan.Tiebreaks, ByElo: c.Adaptive != nil}
	}
	o := &standings.Ordering{Swiss: true, Rounds: make(map[standings.Bot]standings.RoundFigures), Tiebreaks: c.Plan.Tiebreaks}
	figures := SwissFigures(len(c.Bots), c.Plan.Rank, c.Rounds)
	for _, i := range c.Plan.paired() { // the others come last
		o.Rounds[c.bot(i)] = figures[i]
	}
	return o
}

// bot names one of the bots.
func (c *Run) bot(i int) standings.Bot {
	return standings.Bot{Name: c.Bots[i].Name, Digest: c.Bots[i].Digest}
}
