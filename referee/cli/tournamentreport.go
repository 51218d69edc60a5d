package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

// describeRun adds to a run what its folder says of it, if it is a tournament's,
// and returns what follows the rounds of a Swiss tournament, nil for others.
func describeRun(run *html.Run, dir string) *swissRounds {
	_, info, err := tournament.Before(dir)
	if err != nil {
		return nil // another command's results, or a file
	}
	if text, err := os.ReadFile(filepath.Join(dir, tournament.ConfigFile)); err == nil {
		run.Config = string(text)
	}
	run.Facts = append(run.Facts,
		html.Fact{Name: "format", Value: string(info.Format)}, html.Fact{Name: "seed", Value: fmt.Sprint(info.Seed)},
		html.Fact{Name: "cases", Value: fmt.Sprint(len(info.Cases))})
	for _, one := range info.Runs {
		m := one.Machine
		run.Facts = append(run.Facts, html.Fact{Name: "played on", Value: strings.Join([]string{
			one.Started, m.System, m.CPU, fmt.Sprintf("%d CPUs", m.CPUs), fmt.Sprintf("%d jobs", one.Jobs), "isolation " + one.Isolation, "umpire " + one.Umpire,
		}, ", ")})
	}
	run.Commands = append(run.Commands,
		html.Command{What: "The whole tournament again", Line: info.Repeat},
		html.Command{What: "Play what is missing", Line: info.Resume})
	if info.Format != tournament.Swiss {
		return nil
	}
	w := &swissRounds{index: make(map[standings.Bot]int), meetings: make(map[standings.Pair]*standings.Meeting), seen: make(map[uint64]bool)}
	for i, b := range info.Bots {
		w.index[standings.Bot{Name: b.Name, Digest: b.Digest}] = i
		w.names = append(w.names, b.Name)
	}
	return w
}

// swissRounds tells the rounds of a Swiss tournament from its records: rounds
// are played one after the other, and each has as many encounters.
type swissRounds struct {
	names    []string // of the bots, in their order
	index    map[standings.Bot]int
	meetings map[standings.Pair]*standings.Meeting
	order    []standings.Pair // as they began
	seen     map[uint64]bool
}

func (w *swissRounds) add(b *record.Summary) {
	if b.Failed || len(b.Seats) != 2 || w.seen[b.Key] {
		return
	}
	w.seen[b.Key] = true
	x, isX := w.index[standings.Bot{Name: b.Seats[0].Bot, Digest: b.Seats[0].Digest}]
	y, isY := w.index[standings.Bot{Name: b.Seats[1].Bot, Digest: b.Seats[1].Digest}]
	if !isX || !isY {
		return
	}
	pair := standings.Pair{A: min(x, y), B: max(x, y)}
	if w.meetings[pair] == nil {
		w.meetings[pair] = &standings.Meeting{Pair: pair}
		w.order = append(w.order, pair)
	}
	first := 0
	if x > y {
		first = 1
	}
	w.meetings[pair].Add(b, first)
}

// show sets the rounds of a site and the order that follows from them. Where
// some pairs have met again, or the last round is going on, it sets none.
func (w *swissRounds) show(site *html.Site) {
	size := len(w.names) / 2
	if size == 0 || len(w.order)%size != 0 {
		return
	}
	var done [][]standings.Meeting
	matches := w.meetings[w.order[0]].Played
	for pairs := range slices.Chunk(w.order, size) {
		var round []standings.Meeting
		free := make(map[int]bool)
		for i := range w.names {
			free[i] = true
		}
		for _, p := range pairs {
			e := *w.meetings[p]
			if e.Played != matches || !free[p.A] || !free[p.B] {
				return
			}
			free[p.A], free[p.B] = false, false
			round = append(round, e)
		}
		for i := range w.names {
			if free[i] {
				round = append(round, standings.Meeting{Pair: standings.Pair{A: i, B: standings.Bye}})
			}
		}
		done = append(done, round)
	}
	name := func(bot int) string { return w.names[bot] }
	for _, round := range done {
		var list []report.Encounter
		for _, e := range round {
			list = append(list, report.NewEncounter(e, name, matches, site.Game.Rank))
		}
		site.Rounds = append(site.Rounds, list)
	}
	site.Lead, site.LeadColumns = make(map[string][]int), report.SwissLead()
	for i, order := range tournament.SwissOrder(len(w.names), site.Game.Rank, done) {
		site.Lead[w.names[i]] = order
	}
}
