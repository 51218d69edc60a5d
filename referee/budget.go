package referee

import "time"

// sharesBudget reports whether it is the budget for all replies of a seat that
// bounds its next one.
func (d *driver) sharesBudget(s *seat) bool {
	return d.limits.Time > 0 && (d.limits.PerMove == 0 || d.limits.Time-s.charged <= d.limits.PerMove)
}

// wallAllowance bounds the wall time of a reply whose CPU time is limited: a
// program that sleeps uses none. Time without a CPU does not count.
func (d *driver) wallAllowance(s *seat) time.Duration {
	bound := time.Duration(-1)
	if d.limits.Time > 0 {
		bound = max(0, WallBound(d.limits.Time)-s.walled)
	}
	if d.limits.PerMove > 0 && (bound < 0 || WallBound(d.limits.PerMove) < bound) {
		bound = WallBound(d.limits.PerMove)
	}
	if s.replies == 0 && bound >= 0 && d.limits.Startup > 0 {
		bound += WallBound(d.limits.Startup)
	}
	return bound
}

// walled returns how much of the wall-time bound a reply uses up.
func (d *driver) walled(s *seat, reply Reply) time.Duration {
	took := reply.Wall - reply.Excused - reply.Wait
	if s.replies == 1 && d.limits.Startup > 0 {
		took -= WallBound(d.limits.Startup)
	}
	return max(0, took)
}

// WallBound is how much wall time a budget of CPU time allows.
func WallBound(cpu time.Duration) time.Duration { return 2*cpu + time.Second }

// allowance returns how long the seat's next reply may take, including what it
// has pondered; negative: no limit.
func (d *driver) allowance(s *seat) time.Duration {
	limit := time.Duration(-1)
	if d.limits.Time > 0 {
		limit = max(0, d.limits.Time-s.charged)
	}
	if d.limits.PerMove > 0 && (limit < 0 || d.limits.PerMove < limit) {
		limit = d.limits.PerMove
	}
	if s.replies == 0 && limit >= 0 {
		limit += d.limits.Startup
	}
	return limit
}

// charge returns what a reply costs of the budget, and settles what the seat
// has pondered before it: before its first reply, pondering is part of its
// start.
func (d *driver) charge(s *seat, reply Reply) time.Duration {
	cost := reply.Wall - reply.Excused - reply.Free
	if d.limits.CPU {
		cost = reply.CPU
	}
	cost += s.pondered
	s.pondered = 0
	if s.replies == 0 {
		cost = max(0, cost-d.limits.Startup)
	}
	return cost
}
