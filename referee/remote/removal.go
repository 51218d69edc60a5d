package remote

import "fmt"

// holds reports whether the player of a seat has the key still that it had when the match
// was opened: a name that was removed and added again has another. Of a person without a
// key there is only the ticket.
func (h *Hub) holds(s *seat) bool {
	if s.key == nil {
		return s.kind == Human
	}
	sum, has := h.config.Keys.Sum(s.owner())
	return has && sum == *s.key
}

// Remove takes a player of a name in Keys, whose key is accepted no longer, out of all
// matches: its tickets end, and the match is void or, where it owes a reply, it fails.
func (h *Hub) Remove(name string) {
	h.takeOut(func(s *seat) bool { return s.owner() == name && !h.holds(s) })
}

// CheckKeys removes those whose keys are accepted no longer, since another program has
// changed the file of the keys. It is called now and then. A file that is being written may
// lack keys for a moment: a key must be missing twice.
func (h *Hub) CheckKeys() {
	h.takeOut(func(s *seat) bool {
		before := s.lost
		s.lost = !h.holds(s)
		return before && s.lost
	})
}

// takeOut removes the players of seats.
func (h *Hub) takeOut(wanted func(*seat) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.tables {
		for _, s := range t.seats {
			if s == nil || t.ended() || s.gone == removed || !wanted(s) {
				continue
			}
			if h.config.Void != nil { // before it fails, which could end the match
				h.config.Void(t.id, s.removal())
			}
			delete(h.tickets, hash(s.ticket))
			h.player(s.owner()).release(s)
			s.leave(removed)
			s.changed.Wake()
			h.player(s.owner()).asks.Wake()
		}
	}
}

// removal is why a match is void from which the player of a seat was removed.
func (s *seat) removal() error { return fmt.Errorf("%s %s", s.guest, removed) }
