package ioiwari

import (
	"fmt"
	"strconv"

	"umpire/protocols"
	"umpire/protocols/svg"
)

// Choices are the pits that are not empty.
func (m *match) Choices(seat int) []protocols.Choice {
	if m.over || seat != m.turn+1 {
		return nil
	}
	var out []protocols.Choice
	for i, beads := range m.board {
		if beads > 0 {
			out = append(out, protocols.Choice{Reply: digit[i : i+1], Label: pitLabel(i, int(beads))})
		}
	}
	return out
}

func pitLabel(i, beads int) string {
	if beads == 1 {
		return fmt.Sprintf("pit %d, 1 bead", i+1)
	}
	return fmt.Sprintf("pit %d, %d beads", i+1, beads)
}

// sown is the effect of the last move on a pit.
type sown struct {
	added    int // beads sown into it
	taken    int // beads taken out of the pit to the mover's bank
	lost     bool
	emptied  bool // the move began at this pit
	captured bool
}

// sowing replays the last move, up to so many pits that it visits, and returns its
// effect on every pit, how many pits it visited, and the board and the banks then.
func (m *match) sowing(most int) (at [Pits]sown, visits int, b Board, banks [2]int) {
	banks = m.banks
	if m.last.pit == 0 {
		return at, 0, m.board, banks
	}
	b = m.before
	seat, i := m.last.seat, m.last.pit-1
	banks[seat] -= m.last.own
	banks[1-seat] -= m.last.other
	hand := b[i]
	b[i] = 0
	at[i].emptied = true
	for ; hand > 0 && visits < most; visits++ {
		i = (i + 1) % Pits
		beads, last := int(b[i]), hand == 1
		var v visit
		b[i], hand, v = sowInto(b[i], hand)
		banks[seat] += v.own
		banks[1-seat] += v.other
		switch {
		case v.other > 0:
			at[i].lost = true
		case last:
			at[i].captured = true
			at[i].taken += beads
		case v.own > 0:
			at[i].taken++
		default:
			at[i].added++
		}
	}
	return at, visits, b, banks
}

// Positions in the picture.
const (
	svgHeight = 404
	pitRadius = 34
)

// Points around the middle, clockwise from the top: the pits; the texts beside
// them, inside and outside; and, two for each pit, the path of a move.
var (
	pitAt   = [Pits]svg.Point{{160, 97}, {239, 135}, {258, 220}, {204, 289}, {116, 289}, {62, 220}, {81, 135}}
	nearAt  = [Pits]svg.Point{{160, 145}, {201, 165}, {212, 210}, {183, 246}, {137, 246}, {108, 210}, {119, 165}}
	labelAt = [Pits]svg.Point{{160, 56}, {272, 99}, {293, 266}, {223, 331}, {97, 331}, {27, 266}, {48, 99}}
	wayAt   = [2 * Pits]svg.Point{
		{160, 164}, {175, 167}, {187, 177}, {193, 190}, {193, 206}, {187, 219}, {175, 229}, {160, 232}, {145, 229}, {133, 219}, {127, 206}, {127, 190}, {133, 177}, {145, 167},
	}
)

// SVG draws the pits in their circle with the beads in them: beads just sown
// are ringed, and beside each pit is the last move's effect on it.
func (m *match) SVG(seat int) string {
	changes, visits, _, _ := m.sowing(allPits)
	return m.draw(seat, m.board, m.banks, changes, visits)
}

// allPits is more than a move ever visits.
const allPits = 100

// Phases draw the last move bead by bead.
func (m *match) Phases() (list []string) {
	_, all, _, _ := m.sowing(allPits)
	if m.failed != "" {
		all = 0
	}
	for visits := range all {
		changes, _, board, banks := m.sowing(visits)
		list = append(list, m.draw(0, board, banks, changes, visits))
	}
	return list
}

// draw draws a position of the last move, which has visited so many pits.
func (m *match) draw(seat int, board Board, banks [2]int, changes [Pits]sown, visits int) string {
	p := svg.New(seat, svgHeight, "Ioiwari", m.described())
	scores := make([]svg.Score, len(banks))
	for i, beads := range banks {
		scores[i] = svg.Score{
			Fill: "f" + digit[i:i+1], Name: "seat " + digit[i:i+1], Value: beads,
			Next: !m.over && i == m.turn, Failed: m.failed != "" && i == m.turn,
		}
	}
	if m.last.pit > 0 && banks == m.banks {
		scores[m.last.seat].Gain = m.last.own
		scores[1-m.last.seat].Gain = m.last.other
	}
	p.Scores(scores...)
	for i, beads := range board {
		m.drawPit(p, seat, i, int(beads), changes[i])
	}
	for i, change := range changes {
		p.Part("change"+digit[i:i+1], nearAt[i][0], nearAt[i][1])
		p.Text("gain", 0, 0, change.String())
		p.End()
	}
	p.Part("way", 0, 0)
	if m.last.pit > 0 && visits > 0 {
		p.Arrow("arrow", way(m.last.pit-1, visits)...)
	}
	p.End()
	p.Caption(358, 3, m.caption())
	return p.String()
}

// described describes the picture in words.
func (m *match) described() string {
	return fmt.Sprintf("%s Beads in the pits, clockwise from pit 1: %s. In the banks: seat 1 %d, seat 2 %d.",
		m.caption(), protocols.Join(m.board[:]), m.banks[0], m.banks[1])
}

// String is a short form of the effect.
func (s sown) String() string {
	text := ""
	if s.added > 0 {
		text = "+" + strconv.Itoa(s.added)
	}
	if s.taken > 0 {
		text += "−" + strconv.Itoa(s.taken)
	}
	if s.lost {
		text += " lost"
	}
	return text
}

// drawPit draws a pit, counted from 0, with its label and its beads.
func (m *match) drawPit(p *svg.Picture, seat, i, beads int, change sown) {
	reply := ""
	if !m.over && seat == m.turn+1 && beads > 0 {
		reply = digit[i : i+1]
	}
	p.Button("pit"+digit[i:i+1], pitAt[i][0], pitAt[i][1], reply, pitLabel(i, beads))
	p.Circle("cell", 0, 0, pitRadius)
	switch {
	case change.captured:
		p.Circle("ring", 0, 0, pitRadius)
	case change.emptied:
		p.Circle("gone", 0, 0, pitRadius-5)
	}
	if reply != "" {
		p.Circle("can", 0, 0, pitRadius)
	}
	for j, at := range beadsAt[beads] {
		p.Circle("f2", at[0], at[1]-6, 6)
		if j >= beads-change.added {
			p.Circle("edge", at[0], at[1]-6, 6)
		}
	}
	p.Text("small b", 0, 21, strconv.Itoa(beads))
	p.End()
	p.Part("label"+digit[i:i+1], labelAt[i][0], labelAt[i][1])
	p.Text("small mute", 0, 0, "pit "+digit[i:i+1])
	p.End()
}

// beadsAt has, for every number of beads, their places in a pit.
var beadsAt = [PitMax + 1][]svg.Point{
	{},
	{{0, 0}},
	{{-8, 0}, {8, 0}},
	{{-8, 6}, {8, 6}, {0, -8}},
	{{-8, 8}, {8, 8}, {-8, -8}, {8, -8}},
	{{-9, 9}, {9, 9}, {-9, -9}, {9, -9}, {0, 0}},
}

// way leads clockwise from a pit past that many others.
func way(pit, visits int) []svg.Point {
	points := []svg.Point{wayAt[2*pit]}
	for i := 1; i <= 2*visits; i++ {
		points = append(points, wayAt[(2*pit+i)%len(wayAt)])
	}
	return points
}

// DrawReply draws the way of a reply inside that of the last move, and rings its pit.
func (m *match) DrawReply(seat int, reply, class string) string {
	after := *m
	if m.over || seat != m.turn+1 || after.Reply(seat, reply) != nil {
		return ""
	}
	_, visits, _, _ := after.sowing(allPits)
	pit := after.last.pit - 1
	return svg.Shapes(func(p *svg.Picture) {
		p.Circle(class, pitAt[pit][0], pitAt[pit][1], pitRadius+3)
		points := way(pit, visits)
		for i, at := range points {
			points[i] = svg.Point{centre[0] + (at[0]-centre[0])*3/5, centre[1] + (at[1]-centre[1])*3/5}
		}
		p.Arrow(class, points...)
	})
}

// centre is the middle of the circle of pits.
var centre = svg.Point{160, 198}
