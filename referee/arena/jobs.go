package arena

import (
	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// Load is the demand of one match on a machine.
type Load struct {
	Seats    int  // contestants
	Thinkers int  // contestants that may think at the same time, at least 1
	Ponders  bool // some think during their opponents' turn
}

// LoadOf returns the load of a game's matches with the given number of seats.
func LoadOf(g protocols.Game, p referee.Pondering, seats int) Load {
	l := Load{Seats: seats, Thinkers: 1}
	if g.Simultaneous || p == referee.PonderAllow {
		l.Thinkers = seats
	}
	l.Ponders = p == referee.PonderAllow && l.Thinkers > 1
	return l
}

// Jobs returns how many matches may run concurrently on cpus processors without
// competing for them.
func (l Load) Jobs(cpus int) int { return max(1, cpus/l.Thinkers) }

// Most returns how many matches may run concurrently in a machine's room for
// programs; 0 if there is not room for one.
func (l Load) Most(room sandbox.Room) int { return room.Programs / l.Seats }

// Affinity is the assignment of matches to processors.
type Affinity struct {
	CPUs   []int // processors to pin matches to, as in Local; empty: no pinning
	Spread int   // how many of CPUs each match gets
	// Contended reports that bots which think during their opponent's turn may
	// take its processor. Where the user asked for processors of their own,
	// matches must not be played like this.
	Contended bool
}

// Affinity decides where matches run, jobs of them concurrently; pin asks for
// separate processors.
func (l Load) Affinity(jobs int, cpus []int, pin bool) Affinity {
	switch enough := jobs*l.Thinkers <= len(cpus); {
	case l.Ponders && !enough:
		return Affinity{Contended: !pin || len(cpus) > 0}
	case pin && enough && (l.Ponders || l.Thinkers == 1):
		return Affinity{CPUs: cpus, Spread: l.Thinkers}
	}
	return Affinity{}
}

// Oversubscribed reports whether wall budgets are too small for so many jobs: a
// bot then shares its CPU, and its clock keeps running while others use it.
func (l Load) Oversubscribed(limits protocols.Limits, jobs, cpus int) bool {
	if limits.CPU || cpus == 0 || jobs*l.Thinkers <= cpus {
		return false
	}
	// Contestants on the same CPU wait for each other for up to some 60 ms per
	// reply; budgets of at least this much can afford that.
	const perMove, whole = 500, 5000 // milliseconds
	return limits.PerMove > 0 && limits.PerMove.Milliseconds()*int64(cpus) < perMove*int64(jobs*l.Thinkers) ||
		limits.Time > 0 && limits.Time.Milliseconds()*int64(cpus) < whole*int64(jobs*l.Thinkers)
}
