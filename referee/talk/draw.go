package talk

import (
	"umpire/protocols"
	"umpire/referee/picture"
)

var _ interface {
	protocols.Drawer
	protocols.Phaser
	protocols.SeatView
} = (*Match)(nil)

// clean is a picture that may be shown, or why there is none.
type clean struct {
	svg string
	err error
}

// SVG implements protocols.Drawer: "" if there is no picture that may be shown.
func (m *Match) SVG(seat int) string {
	svg, _ := m.drawn(seat)
	return svg
}

// drawn returns the picture for a seat, or else the one for everybody; the error says why
// the one that the judge has drawn is not shown.
func (m *Match) drawn(seat int) (string, error) {
	everybody := &m.now.shown[0]
	if seat > 0 {
		all := m.now.shown[seat].svg
		if len(all) == 0 {
			all = everybody.svg
		}
		if len(all) == 0 {
			return "", nil
		}
		return picture.Clean(all[len(all)-1], m.Choices(seat))
	}
	if len(everybody.svg) == 0 {
		return "", nil
	}
	if everybody.clean == nil {
		svg, err := picture.Clean(everybody.svg[len(everybody.svg)-1], nil)
		everybody.clean = &clean{svg, err}
	}
	return everybody.clean.svg, everybody.clean.err
}

// Phases implements protocols.Phaser. One that may not be shown is left out.
func (m *Match) Phases() (list []string) {
	all := m.now.shown[0].svg
	if !m.fresh || len(all) < 2 {
		return nil
	}
	for _, svg := range all[:len(all)-1] {
		if svg, err := picture.Clean(svg, nil); err == nil {
			list = append(list, svg)
		}
	}
	return list
}
