package tournament

import (
	"fmt"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Recorded returns the tournament that a run folder describes. Its matches are
// added with AddPlayed and counted with Recount; it can't be played.
func (p *Past) Recorded(rank protocols.Rank) (*Run, error) {
	if n := valueOf(p.Config.CasesPerPair); len(p.Info.Cases) == 0 || n < 0 || n > MaxMatches {
		return nil, fmt.Errorf("%s: found %d cases, and %d for a pair", InfoFile, len(p.Info.Cases), n)
	}
	texts := p.Info.CaseDigests
	if len(texts) != len(p.Info.Cases) { // an older version did not write them
		texts = p.Info.Cases
	}
	plan, err := p.Config.Plan(len(p.Info.Bots), max(2, p.Info.Seats), texts, rank)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", InfoFile, err)
	}
	plan.Seating = p.Info.Seating
	var bots []referee.Identity
	for _, b := range p.Info.Bots {
		bots = append(bots, referee.Identity{Name: b.Name, Digest: b.Digest})
	}
	var list []arena.Fixture
	for _, name := range p.Info.Cases {
		list = append(list, arena.Fixture{Game: p.Info.Game, Package: p.Info.Package, Case: record.Case{Name: name}})
	}
	run := NewRun(plan, bots, list)
	for i, b := range p.Info.Bots {
		run.SetUnplayable(i, b.Broken, b.NotJudged)
	}
	return run, nil
}

// Plan makes the plan of a tournament of so many bots, with so many seats in a
// match. Cases are repetitions of each other if their texts are equal, for which
// their digests will do. The error says what is wrong with the configuration.
func (c Config) Plan(bots, seats int, texts []string, rank protocols.Rank) (p Plan, err error) {
	c.Complete()
	p = Plan{Format: c.Format, Bots: bots, Seats: seats, Challengers: *c.Challengers, Rank: rank, Rounds: valueOf(c.Rounds)}
	perPair := valueOf(c.CasesPerPair)
	if c.SPRT != "" {
		test, err := strength.ParseSPRT(c.SPRT)
		if err != nil {
			return p, fmt.Errorf("--sprt: %w", err)
		}
		if p.SPRT = &test; perPair == 0 {
			perPair = repetitions(len(texts), testPairs)
		}
	}
	if c.Until != "" {
		goal, err := strength.ParseUntil(c.Until)
		if err != nil {
			return p, fmt.Errorf("--until: %w", err)
		}
		if p.Until = &goal; perPair == 0 {
			perPair = repetitions(len(texts), min(testPairs, MaxMatches/max(1, bots*(bots-1))-len(texts)))
		}
	}
	if p.Plays = Plays(texts, perPair, *c.Seed); p.Until != nil {
		p.Plays = shuffled(p.Plays, len(texts), *c.Seed)
	}
	if c.Tiebreaks != "" {
		if p.Tiebreaks, err = standings.ParseTiebreaks(c.Tiebreaks); err != nil {
			return p, fmt.Errorf("--%w", err)
		}
	}
	return p, p.Check()
}

// repetitions is how many plays the fewest whole repetitions of so many cases have that are
// at least as many as given.
func repetitions(cases, least int) int { return max(1, (least+cases-1)/cases) * cases }

func valueOf(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
