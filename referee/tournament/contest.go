package tournament

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/contestant"
	"umpire/referee/record"
)

// Contest is a tournament as it is played: its plan with bots and cases, and
// what has been played of it.
type Contest struct {
	Plan   Plan
	Runner Runner
	Bots   []contestant.Bot // as the plan numbers them
	Cases  []cases.Case     // as its plays number them
	Tally  *Tally           // of the matches of the schedule

	// Store keeps a record, and returns it as a line of a results file.
	Store func(record.Record) ([]byte, error)
	// Round, if not nil, is called before each round with its number, from 1,
	// how many matches it has, and how many of these were played before.
	Round func(n, matches, before int)
	// Done, if not nil, is called when a match has ended and is stored.
	Done func()

	// Rounds are the results of completed Swiss and knockout rounds.
	Rounds [][]Encounter

	before map[uint64]*record.Brief // played earlier and not yet counted
	scan   record.Scanner
	brief  record.Brief
}

// NewContest makes a contest; what it stores and tells is set afterwards.
func NewContest(p Plan, r Runner, bots []contestant.Bot, list []cases.Case) *Contest {
	c := &Contest{Plan: p, Runner: r, Bots: bots, Cases: list, Tally: NewTally(p.Rank)}
	for _, b := range bots {
		c.Tally.Expect(b.Name, b.Digest)
	}
	return c
}

// Played takes over a match that was played earlier. Those that umpire failed
// to play are played again, as if they had never been.
func (c *Contest) Played(b *record.Brief) error {
	if earlier := c.before[b.Key]; b.Failed || b.Key == 0 || earlier != nil && !record.Supersedes(earlier.Failed, b.Failed) {
		return nil
	}
	if c.before == nil {
		c.before = make(map[uint64]*record.Brief)
	}
	kept := *b
	kept.Seats = slices.Clone(b.Seats)
	c.before[b.Key] = &kept
	return nil
}

// Foreign is the number of matches played earlier that are not of this
// tournament, once it has been played.
func (c *Contest) Foreign() int { return len(c.before) }

// Run plays what has not been played. The error is that of Store or ctx, or
// that a round can't go on without a match that umpire failed to play.
func (c *Contest) Run(ctx context.Context) error {
	for {
		round, ok := c.Plan.Next(c.Rounds)
		if !ok {
			return nil
		}
		encounters, err := c.round(ctx, round)
		if err != nil {
			return err
		}
		c.Rounds = append(c.Rounds, encounters)
	}
}

// round plays one round, and gives the results of its encounters.
func (c *Contest) round(ctx context.Context, round Round) ([]Encounter, error) {
	encounters := make([]Encounter, len(round.Pairs))
	var meets []int // the encounter of each successive bunch of matches
	for i, pair := range round.Pairs {
		encounters[i].Pair = pair
		if pair.B != Bye {
			meets = append(meets, i)
		}
	}
	bunch := 2 * len(c.Plan.Plays)
	count := func(n int, b *record.Brief) {
		c.Tally.Add(b)
		if len(meets) > 0 && !b.Failed {
			encounters[meets[n/bunch]].add(b, n%2)
		}
	}
	missing, before := c.missing(round, count)
	if c.Round != nil {
		c.Round(len(c.Rounds)+1, round.Len, before)
	}
	failed := c.Tally.Failed
	err := c.Runner.Run(ctx, c.fixtures(round, missing), func(n int, r record.Record) error {
		if missing != nil {
			n = missing[n]
		}
		b, err := c.store(r)
		if err != nil {
			return err
		}
		count(n, b)
		if c.Done != nil {
			c.Done()
		}
		return nil
	})
	if n := c.Tally.Failed - failed; err == nil && n > 0 && len(meets) > 0 {
		err = fmt.Errorf("round %d: umpire could not play %d of its %d matches, on which the next round depends", len(c.Rounds)+1, n, round.Len)
	}
	return encounters, err
}

// store keeps a record and reads what counts of it.
func (c *Contest) store(r record.Record) (*record.Brief, error) {
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
func (c *Contest) missing(round Round, count func(n int, b *record.Brief)) (missing []int, before int) {
	if len(c.before) == 0 {
		return nil, 0
	}
	missing = []int{}
	n := 0
	for p := range round.Matches {
		f := c.fixture(p)
		key := record.Key(c.Runner.ID(f), names(f.Bots)...)
		if b := c.before[key]; b != nil {
			count(n, b)
			before++
			delete(c.before, key)
		} else {
			missing = append(missing, n)
		}
		n++
	}
	return missing, before
}

func names(bots []contestant.Bot) []string {
	list := make([]string, len(bots))
	for i, b := range bots {
		list[i] = b.Name
	}
	return list
}

// fixtures are a round's matches, those missing alone if that is not nil.
func (c *Contest) fixtures(round Round, missing []int) iter.Seq[Fixture] {
	return func(yield func(Fixture) bool) {
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

func (c *Contest) fixture(p Pairing) Fixture {
	f := Fixture{Case: c.Cases[p.Case], Repetition: p.Repetition}
	for _, n := range p.Bots {
		f.Bots = append(f.Bots, c.Bots[n])
	}
	return f
}

// add counts a match of the encounter; first is the seat, from 0, of A.
func (e *Encounter) add(b *record.Brief, first int) {
	for i, at := range []int{first, 1 - first} {
		e.Wins[i] += halves(b, at, 1-at)
		e.Scores[i] += b.Seats[at].Score
		if b.Seats[at].Verdict != "ok" {
			e.Fails[i]++
		}
	}
}

// Order is what the standings are ordered by before the game's own rule, by the
// bot's name: in a Swiss tournament and a knockout, what came of the rounds.
func (c *Contest) Order() map[string][]int {
	var order [][]int
	switch c.Plan.Format {
	case Swiss:
		order = SwissOrder(len(c.Bots), c.Plan.Rank, c.Rounds)
	case Knockout:
		order = KnockoutOrder(len(c.Bots), c.Plan.Rank, c.Rounds)
	default:
		return nil
	}
	lead := make(map[string][]int)
	for i, b := range c.Bots {
		lead[b.Name] = order[i]
	}
	return lead
}

// Oversubscribed tells whether wall budgets are too small for so many jobs: a
// bot shares its CPU then, and its clock runs on while others have it. Thinkers
// are the contestants of a match that may think at the same time.
func Oversubscribed(l protocols.Limits, jobs, thinkers, cpus int) bool {
	if l.CPU || cpus == 0 || jobs*thinkers <= cpus {
		return false
	}
	// Contestants on the same CPU wait for each other for up to some 60 ms a
	// reply; with this much they can afford that.
	const perMove, whole = 500, 5000 // milliseconds
	return l.PerMove > 0 && l.PerMove.Milliseconds()*int64(cpus) < perMove*int64(jobs*thinkers) ||
		l.Time > 0 && l.Time.Milliseconds()*int64(cpus) < whole*int64(jobs*thinkers)
}
