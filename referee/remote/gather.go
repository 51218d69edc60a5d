package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"umpire/protocols"
)

const (
	// often is how often Gather adds up for how long players have been absent.
	often = time.Second
	// mostJoins bounds how long a match waits for its players, in times of Config.Join,
	// also while these play others.
	mostJoins = 10
)

// Gather implements arena.Table: it waits until every seat has asked for its
// first turn. The error says which player has not come in time.
func (t *Table) Gather(ctx context.Context) error {
	h := t.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	opened, absent := time.Now(), make([]time.Duration, len(t.seats))
	for {
		if err := ctx.Err(); err != nil { // also if the players have come since
			return err
		}
		if begins, err := t.begin(opened, absent); begins || err != nil {
			return err
		}
		since := time.Now()
		_, err := h.sleep(ctx, t.changed.Next(), nil, time.After(t.patience(opened, absent)))
		switch {
		case err == errStopping:
			return problem(CodeStopping, "umpire was stopped before the match began")
		case err != nil:
			return err
		}
		t.count(absent, time.Since(since))
	}
}

// patience returns for how long to wait for a change: until often, or until the
// next player is too late.
func (t *Table) patience(opened time.Time, absent []time.Duration) time.Duration {
	join := t.hub.config.Join
	if join == 0 {
		return often
	}
	pause := min(often, mostJoins*join-time.Since(opened))
	for i, s := range t.seats {
		if s != nil && absent[i] < join {
			pause = min(pause, join-absent[i])
		}
	}
	return max(time.Millisecond, pause)
}

// begin begins the match if all players are there. One that was removed is waited for
// no longer, nor is one that forfeits the match.
func (t *Table) begin(opened time.Time, absent []time.Duration) (begins bool, err error) {
	begins = true
	var late []*seat
	join := t.hub.config.Join
	for i, s := range t.seats {
		switch {
		case s == nil:
		case s.gone == removed && t.hub.config.Void != nil:
			return false, s.removal()
		case s.gone == removed || s.gone != "" && t.hub.config.Forfeit:
		case s.gone != "":
			return false, fmt.Errorf("%s left seat %d before the match began", s.guest, s.number)
		case s.asked:
		case join > 0 && t.hub.config.Forfeit && (absent[i] >= join || time.Since(opened) >= mostJoins*join):
			late = append(late, s)
		case join > 0 && absent[i] >= join:
			return false, fmt.Errorf("%s did not take seat %d within %g s", s.guest, s.number, join.Seconds())
		case join > 0 && time.Since(opened) >= mostJoins*join:
			return false, fmt.Errorf("%s did not take seat %d within %g s, in which it played other matches", s.guest, s.number, (mostJoins * join).Seconds())
		default:
			begins = false
		}
	}
	if begins {
		t.state = Running
		for _, s := range late {
			s.leave(fmt.Sprintf("%s within %g s", protocols.Absent, join.Seconds()))
		}
		for _, s := range t.seats {
			if s != nil {
				s.absent = s.gone != ""
			}
		}
	}
	return begins, nil
}

// count adds the time that has passed to that of the absent players, except those
// that other matches keep from this one. A session that has this seat has no other.
func (t *Table) count(absent []time.Duration, passed time.Duration) {
	busy := t.hub.busyPlayers()
	for i, s := range t.seats {
		if s != nil && !s.asked && (s.session != nil || !busy[s.owner()]) {
			absent[i] += passed
		}
	}
}

// busyPlayers returns the owners whom matches keep from others: those who sit in one,
// having asked for its first turn, that runs or waits for a player that is busy itself.
// Where players order no matches they are busy in any that waits. Two matches can't wait
// for each other for that, since of the seats that are free each player takes the one
// that has waited longest.
func (h *Hub) busyPlayers() map[string]bool {
	if h.busy != nil && time.Since(h.busyAt) < often/2 {
		return h.busy
	}
	h.busy, h.busyAt = make(map[string]bool), time.Now()
	for _, t := range slices.SortedFunc(maps.Values(h.tables), func(a, b *Table) int { return a.number - b.number }) {
		held := t.state == Running || h.config.Void == nil
		for _, s := range t.seats {
			held = held || t.state == Waiting && s != nil && !s.asked && h.busy[s.owner()]
		}
		for _, s := range t.seats {
			if held && s != nil && s.asked && s.gone == "" {
				h.busy[s.owner()] = true
			}
		}
	}
	return h.busy
}
