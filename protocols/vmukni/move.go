package vmukni

import (
	"fmt"
	"strings"
)

// PointsOfRun is the value of a run of three as the first group of a move; a
// run of four is worth twice as much, a run of five three times.
const PointsOfRun = 10

// points is the value of a run as the ordinal-th group of its move, without a
// cap.
func points(length, ordinal int) int { return PointsOfRun * (length - 2) * ordinal }

// maxGroups is the most groups one move can remove: a group takes three of at
// most 25 tiles.
const maxGroups = Size * Size / 3

// Line is the direction of a run of equal tiles.
type Line byte

// The two lines.
const (
	Row Line = iota
	Column
)

// String is "row" or "column".
func (l Line) String() string {
	if l == Row {
		return "row"
	}
	return "column"
}

// MarshalText implements encoding.TextMarshaler: in states, a line is a word.
func (l Line) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Group is one removed run of equal tiles.
type Group struct {
	Line   Line  `json:"line"`
	Row    int8  `json:"row"` // row and column of its first cell (the left one, the top one), 1..5
	Column int8  `json:"column"`
	Length int8  `json:"length"` // 3..5
	Tile   int8  `json:"tile"`   // its picture, 1..7
	Points int16 `json:"points"` // points it gave, multiplied by its ordinal within the move
}

// Move is the effect of one insertion.
type Move struct {
	Way     int `json:"way"`     // 1..15
	Tile    int `json:"tile"`    // the picture that was inserted, 1..7
	Dropped int `json:"dropped"` // the picture that fell off the board, 0 if none did
	Points  int `json:"points"`  // points of all the move's groups together

	groups [maxGroups]Group // a few bytes each: a Move is copied every turn
	count  int
}

// Groups returns the groups that went, in order.
func (m *Move) Groups() []Group { return m.groups[:m.count] }

// add appends the next group that went.
func (m *Move) add(g Group) {
	gain := points(int(g.Length), m.count+1)
	g.Points = int16(gain)
	m.groups[m.count] = g
	m.count++
	m.Points += gain
}

// sentence describes the move in one sentence.
func (m *Move) sentence() string {
	var b strings.Builder
	fmt.Fprintf(&b, "way %d, tile %d %s, ", m.Way, m.Tile, direction(m.Way))
	if m.Dropped != 0 {
		fmt.Fprintf(&b, "%d falls off, ", m.Dropped)
	}
	fmt.Fprintf(&b, "%d points.", m.Points)
	for _, g := range m.Groups() {
		fmt.Fprintf(&b, "\n  %s", g.sentence())
	}
	return b.String()
}

// direction describes where a way leads.
func direction(way int) string {
	switch {
	case way <= Size:
		return fmt.Sprintf("from the left into row %d", way)
	case way <= 2*Size:
		return fmt.Sprintf("from above into column %d", way-Size)
	default:
		return fmt.Sprintf("from the right into row %d", way-2*Size)
	}
}

// sentence describes a group and its points.
func (g Group) sentence() string {
	if g.Line == Row {
		return fmt.Sprintf("row %d, columns %d to %d: %d tiles %d, %d points",
			g.Row, g.Column, g.Column+g.Length-1, g.Length, g.Tile, g.Points)
	}
	return fmt.Sprintf("column %d, rows %d to %d: %d tiles %d, %d points",
		g.Column, g.Row, g.Row+g.Length-1, g.Length, g.Tile, g.Points)
}
