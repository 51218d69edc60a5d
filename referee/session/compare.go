package session

import (
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/standings"
)

// Comparison asks which of two bots is the stronger one, by recorded matches.
type Comparison struct {
	Selection
	Runs []string // results files or run folders: one that has both bots, or one of each
	// Bots are the two of one run, the one that is compared second; nil if it has two: then
	// they are in the order of its tournament. Of two runs it is the bot that both have; nil
	// if that is clear.
	Bots []string
	// Ordered demands to know which of two bots is compared. Otherwise it is the one ahead
	// where nothing says so.
	Ordered bool
}

// Run compares the bots.
func (c Comparison) Run() (*report.Strength, error) {
	if len(c.Runs) == 2 {
		return c.acrossRuns()
	}
	v, run, err := c.tally(c.Runs[0])
	if err != nil {
		return nil, err
	}
	rows, err := c.two(v, run)
	if err != nil {
		return nil, err
	}
	for _, pair := range v.Of.Pairs {
		if pair.Opponent == rows[1].Bot && pair.Bot == rows[0].Bot {
			pair = pair.Back()
		}
		if pair.Bot == rows[1].Bot && pair.Opponent == rows[0].Bot {
			s := report.NewStrength(v.Game.Name, pair)
			if v.Until != nil && pair.Ptnml.Pairs() > 0 {
				s = report.NewAnytimeStrength(v.Game.Name, pair, len(v.Until.Order))
			}
			if v.SPRT.Of(s.Bot, s.To) {
				s.SPRT = v.SPRT
			}
			return s, nil
		}
	}
	return c.byCase(v.Game, [2]string{c.Runs[0], c.Runs[0]}, rows)
}

// tally adds up the records of a run, of one game, and returns its tournament; nil if it is
// of none.
func (c Comparison) tally(run string) (v report.Standings, of *recordedRun, err error) {
	t := &Tallies{Selection: c.Selection}
	if err := t.Read(ResultsIn(run)); err != nil {
		return v, nil, Mistaken(err)
	}
	if err := t.Check(); err != nil {
		return v, nil, err
	}
	v, _ = t.View(t.Games[0])
	return v, t.Games[0].run, nil
}

// two returns the rows of the bots that are compared, of a tournament if run is not nil.
func (c Comparison) two(v report.Standings, run *recordedRun) (rows [2]*standings.Row, err error) {
	if c.Bots == nil {
		ranked := v.Of.Ranked()
		switch {
		case len(ranked) != 2:
			return rows, mistakef("found %s in %s, expected two, or `umpire compare RUN A B`: %s", report.Plural(len(ranked), "bot"), c.Runs[0], strings.Join(names(ranked), ", "))
		case run != nil && run.Bots[0].Name == ranked[0].Name && run.Bots[0].Digest == ranked[0].Digest:
			return [2]*standings.Row{&ranked[0], &ranked[1]}, nil
		case run == nil && c.Ordered:
			return rows, mistakef("found nothing in %s that says which bot is compared with which, expected `umpire compare %s OLD NEW`, one being %s, the other %s",
				c.Runs[0], c.Runs[0], ranked[0].Bot, ranked[1].Bot)
		}
		return [2]*standings.Row{&ranked[1], &ranked[0]}, nil
	}
	for i, word := range c.Bots {
		if rows[i], err = Contestant(v.Of, word); err != nil {
			return rows, err
		}
	}
	if rows[0] == rows[1] {
		return rows, mistakef("found %s twice, expected two bots", rows[0].Bot)
	}
	return rows, nil
}

func names(rows []standings.Row) (list []string) {
	for _, r := range rows {
		list = append(list, r.Bot)
	}
	return list
}

// acrossRuns compares a bot of one run with that of another.
func (c Comparison) acrossRuns() (*report.Strength, error) {
	var views [2]report.Standings
	for i, run := range c.Runs {
		var err error
		if views[i], _, err = c.tally(run); err != nil {
			return nil, err
		}
	}
	if a, b := views[0].Game.Name, views[1].Game.Name; a != b {
		return nil, mistakef("found runs of %s and %s, expected one game", a, b)
	}
	rows, err := c.oneEach(views)
	if err != nil {
		return nil, err
	}
	return c.byCase(views[0].Game, [2]string{c.Runs[0], c.Runs[1]}, rows)
}

// oneEach returns the bot of each of two runs.
func (c Comparison) oneEach(views [2]report.Standings) (rows [2]*standings.Row, err error) {
	for i := range views {
		ranked := views[i].Of.Ranked()
		switch {
		case c.Bots != nil:
			rows[i], err = Contestant(views[i].Of, c.Bots[0])
		case len(ranked) == 1:
			rows[i] = &ranked[0]
		default:
			rows[i], err = changed(ranked, views[1-i].Of.Ranked())
		}
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// changed returns the one bot of a run that is another program in the other run.
func changed(ranked, other []standings.Row) (found *standings.Row, err error) {
	for i, r := range ranked {
		if !slices.ContainsFunc(other, func(o standings.Row) bool { return o.Name == r.Name && o.Digest != r.Digest }) {
			continue
		}
		if found != nil {
			found = nil
			break
		}
		found = &ranked[i]
	}
	if found == nil {
		return nil, mistakef("found no single bot that differs between the runs, expected --bot NAME: one of %s", strings.Join(names(ranked), ", "))
	}
	return found, nil
}

// byCase compares bots where each played the same case in the same seat against the
// same others.
func (c Comparison) byCase(g protocols.Game, runs [2]string, rows [2]*standings.Row) (*report.Strength, error) {
	if slices.Contains(runs[:], "-") {
		return nil, mistakef("the results are read twice, expected a file in place of standard input")
	}
	var samples [2]*standings.Sample
	for i, row := range rows {
		samples[i] = standings.NewSample(row.Key())
		file := ResultsIn(runs[i])
		err := c.Files.Summaries(file, func(b *record.Summary) error {
			keeps, err := c.Keeps(file, b)
			if keeps {
				samples[i].Add(b)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	paired, cases := standings.CompareSamples(samples[1], samples[0], g.Rank)
	if paired == nil {
		return nil, mistakef("%s and %s have not met, and have played no case, or no deal that the same --seed drew, in the same seat under the same limits against the same bots, so there is nothing to compare",
			rows[0].Bot, rows[1].Bot)
	}
	paired.Bot, paired.To = rows[1].Bot, rows[0].Bot
	if paired.Bot == paired.To && runs[0] != runs[1] {
		paired.Bot, paired.To = paired.Bot+" of "+runs[1], paired.To+" of "+runs[0]
	}
	return report.NewStrengthByCase(g.Name, paired, cases), nil
}

// Contestant returns the row of the one bot with a rank that a user's word names.
func Contestant(of *standings.Standings, word string) (*standings.Row, error) {
	switch found := of.Find(word); {
	case len(found) > 1 && !found[1].House: // those of the house come last
		return nil, mistakef("%q may be %s or %s", word, found[0].Bot, found[1].Bot)
	case len(found) == 0:
		return nil, mistakef("unknown bot %q; the bots are %s", word, strings.Join(names(of.Rows), ", "))
	case found[0].House:
		return nil, mistakef("%s has no rank: it was the opponent of a test or scoring", found[0].Bot)
	default:
		return found[0], nil
	}
}
