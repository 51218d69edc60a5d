package tournament

import "umpire/referee/standings"

// Knockout returns what a run is played with, if it is a knockout.
func (p *Past) Knockout() (k standings.Knockout, ok bool) {
	for _, b := range p.Info.Bots {
		k.Bots = append(k.Bots, standings.Bot{Name: b.Name, Digest: b.Digest})
	}
	plays := len(p.Info.Cases)
	if n := p.Config.CasesPerPair; n != nil {
		plays = *n
	}
	k.Matches = 2 * plays
	return k, p.Info.Format == Knockout && len(k.Bots) > 1 && k.Matches > 0
}
