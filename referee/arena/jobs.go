package arena

import (
	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// Load is what one match asks of a machine.
type Load struct {
	Seats    int  // contestants
	Thinkers int  // contestants that may think at the same time, at least 1
	Ponders  bool // some think during their opponents' turn
}

// LoadOf is the load of a game's matches with so many seats.
func LoadOf(g protocols.Game, p referee.Pondering, seats int) Load {
	l := Load{Seats: seats, Thinkers: 1}
	if g.Simultaneous || p == referee.PonderAllow {
		l.Thinkers = seats
	}
	l.Ponders = p == referee.PonderAllow && l.Thinkers > 1
	return l
}

// Jobs is how many matches may run at once on so many processors without taking
// each other's.
func (l Load) Jobs(cpus int) int { return max(1, cpus/l.Thinkers) }

// Most is how many matches may run at once in a machine's room for programs; 0
// if there is none for a single one.
func (l Load) Most(room sandbox.Room) int { return room.Programs / l.Seats }

// Affinity is where matches run.
type Affinity struct {
	CPUs   []int // to pin matches to, as of a Local; none: no pinning
	Spread int   // how many of them a match has
	// Contended reports that bots which think during their opponent's turn may
	// take its processor.
	Contended bool
	// Short reports that they would, against the user's will: matches may not be
	// played like this.
	Short bool
}

// Affinity decides where jobs matches at once run; pin asks for processors of
// their own.
func (l Load) Affinity(jobs int, cpus []int, pin bool) Affinity {
	switch enough := jobs*l.Thinkers <= len(cpus); {
	case !pin:
		return Affinity{Contended: l.Ponders && !enough}
	case l.Ponders && !enough && len(cpus) > 0:
		return Affinity{Contended: true, Short: true}
	case enough && (l.Ponders || l.Thinkers == 1):
		return Affinity{CPUs: cpus, Spread: l.Thinkers}
	}
	return Affinity{}
}

// Oversubscribed reports whether wall budgets are too small for so many jobs: a
// bot shares its CPU then, and its clock runs on while others have it.
func (l Load) Oversubscribed(limits protocols.Limits, jobs, cpus int) bool {
	if limits.CPU || cpus == 0 || jobs*l.Thinkers <= cpus {
		return false
	}
	// Contestants on the same CPU wait for each other for up to some 60 ms a
	// reply; with this much they can afford that.
	const perMove, whole = 500, 5000 // milliseconds
	return limits.PerMove > 0 && limits.PerMove.Milliseconds()*int64(cpus) < perMove*int64(jobs*l.Thinkers) ||
		limits.Time > 0 && limits.Time.Milliseconds()*int64(cpus) < whole*int64(jobs*l.Thinkers)
}
