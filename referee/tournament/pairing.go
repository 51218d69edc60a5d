package tournament

import (
	"slices"

	"umpire/referee/strength"
)

// pairing pairs bots that are lined up, the best first.
type pairing struct {
	line  []int
	score []swiss
	most  int // two that have met more often than this do not meet again
	pairs []strength.Pair
}

// pair has each bot of the line, from the top, meet the next below that it may
// meet such that all find an opponent. It reports whether that is possible.
func (p *pairing) pair() bool {
	p.pairs = make([]strength.Pair, 0, len(p.line)/2)
	rest := p.pairTop(p.critical())
	if len(rest) == 0 {
		return true
	}
	end := newMatching(rest, func(i, j int) bool { return p.mayMeet(rest[i], rest[j]) })
	if !end.perfect() {
		return false
	}
	end.first()
	for i, j := range end.mate {
		if i < j {
			p.pairs = append(p.pairs, strength.Pair{A: rest[i], B: rest[j]})
		}
	}
	return true
}

// critical returns a number of bots from which on all find an opponent: each may
// meet at least half of the others then (Dirac's theorem).
func (p *pairing) critical() int {
	refused := 0
	for _, bot := range p.line {
		refused = max(refused, len(p.score[bot].opponents)/(p.most+1))
	}
	return 2*refused + 2
}

// pairTop pairs the top of the line as long as those below it are at least as
// many as given, and returns the rest.
func (p *pairing) pairTop(atLeast int) []int {
	n := len(p.line)
	next := make([]int, n) // the place in the line after each place, without those paired
	for i := range next {
		next[i] = i + 1
	}
	top, left := 0, n
	for ; left-2 >= atLeast; left -= 2 {
		before := top
		for !p.mayMeet(p.line[top], p.line[next[before]]) {
			before = next[before]
		}
		found := next[before]
		p.pairs = append(p.pairs, strength.Pair{A: p.line[top], B: p.line[found]})
		next[before] = next[found]
		top = next[top]
	}
	rest := make([]int, 0, left)
	for i := top; i < n; i = next[i] {
		rest = append(rest, p.line[i])
	}
	return rest
}

func (p *pairing) mayMeet(a, b int) bool {
	n := 0
	for _, o := range p.score[a].opponents {
		if o == b {
			n++
		}
	}
	return n <= p.most
}

// matching is a matching of a graph, in which every vertex has at most one mate.
// The path by which it grows is found by Edmonds' algorithm.
type matching struct {
	edge [][]bool
	mate []int  // -1: none
	gone []bool // vertices that keep the mates they have

	parent, base []int
	seen, within []bool // within the blossom that is being contracted
	queue        []int
}

const nobody = -1

func newMatching(vertices []int, edge func(i, j int) bool) *matching {
	n := len(vertices)
	m := &matching{
		edge: make([][]bool, n), mate: make([]int, n), gone: make([]bool, n),
		parent: make([]int, n), base: make([]int, n), seen: make([]bool, n), within: make([]bool, n),
	}
	for i := range n {
		m.mate[i], m.edge[i] = nobody, make([]bool, n)
		for j := range n {
			m.edge[i][j] = i != j && edge(i, j)
		}
	}
	return m
}

// perfect gives every vertex a mate, and reports whether that is possible.
func (m *matching) perfect() bool {
	for i := range m.mate {
		for j := i + 1; j < len(m.mate) && m.mate[i] == nobody; j++ {
			if m.edge[i][j] && m.mate[j] == nobody {
				m.mate[i], m.mate[j] = j, i
			}
		}
	}
	for i := range m.mate {
		if m.mate[i] == nobody && !m.grow(i) {
			return false
		}
	}
	return true
}

// first turns a perfect matching into the first one: vertex 0 gets the lowest
// mate that it can have, then the next vertex, and so on.
func (m *matching) first() {
	for i := range m.mate {
		for j := i + 1; j < len(m.mate) && !m.gone[i]; j++ {
			if m.edge[i][j] && !m.gone[j] {
				m.marry(i, j)
			}
		}
	}
}

// marry makes two vertices mates for good if the others all find mates then.
func (m *matching) marry(i, j int) {
	before := slices.Clone(m.mate)
	a, b := m.mate[i], m.mate[j]
	m.mate[i], m.mate[j], m.gone[i], m.gone[j] = j, i, true, true
	if a == j {
		return
	}
	m.mate[a], m.mate[b] = nobody, nobody
	if !m.grow(a) {
		m.mate, m.gone[i], m.gone[j] = before, false, false
	}
}

// grow gives one more pair mates, one of which is root, along a path on which
// mates and others alternate. It reports whether there is one.
func (m *matching) grow(root int) bool {
	v := m.search(root)
	if v == nobody {
		return false
	}
	for v != nobody {
		before := m.parent[v]
		after := m.mate[before]
		m.mate[v], m.mate[before] = before, v
		v = after
	}
	return true
}

// search returns the end of the path that begins at root; nobody if there is
// none.
func (m *matching) search(root int) int {
	for i := range m.parent {
		m.parent[i], m.base[i], m.seen[i] = nobody, i, false
	}
	m.seen[root] = true
	m.queue = append(m.queue[:0], root)
	for len(m.queue) > 0 {
		v := m.queue[0]
		m.queue = m.queue[1:]
		for to, isEdge := range m.edge[v] {
			switch {
			case !isEdge || m.gone[to] || m.base[v] == m.base[to] || m.mate[v] == to:
			case to == root || m.mate[to] != nobody && m.parent[m.mate[to]] != nobody:
				m.contract(root, v, to)
			case m.parent[to] == nobody:
				m.parent[to] = v
				if m.mate[to] == nobody {
					return to
				}
				m.seen[m.mate[to]] = true
				m.queue = append(m.queue, m.mate[to])
			}
		}
	}
	return nobody
}

// contract contracts the blossom that an edge closes.
func (m *matching) contract(root, v, to int) {
	base := m.common(root, v, to)
	clear(m.within)
	m.mark(v, base, to)
	m.mark(to, base, v)
	for i := range m.base {
		if m.within[m.base[i]] {
			m.base[i] = base
			if !m.seen[i] {
				m.seen[i] = true
				m.queue = append(m.queue, i)
			}
		}
	}
}

// common returns the first base that the ways from two vertices to root share.
func (m *matching) common(root, a, b int) int {
	onWay := make(map[int]bool)
	for {
		a = m.base[a]
		onWay[a] = true
		if a == root || m.mate[a] == nobody {
			break
		}
		a = m.parent[m.mate[a]]
	}
	for {
		b = m.base[b]
		if onWay[b] {
			return b
		}
		b = m.parent[m.mate[b]]
	}
}

// mark marks the blossom's vertices from v up to its base.
func (m *matching) mark(v, base, child int) {
	for m.base[v] != base {
		m.within[m.base[v]], m.within[m.base[m.mate[v]]] = true, true
		m.parent[v] = child
		child = m.mate[v]
		v = m.parent[m.mate[v]]
	}
}
