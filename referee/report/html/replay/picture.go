package replay

import (
	"fmt"
	"strings"

	"umpire/protocols/svg"
)

// NotDrawn is why there is no picture.
type NotDrawn struct{ Why string }

func (e *NotDrawn) Error() string { return e.Why }

// Picture returns the position after a step of a match, counted as on its page, as an SVG
// that stands alone. The error is a *NotDrawn, or says what is wrong with the record.
func (m Match) Picture(step int) (string, error) {
	in := newAlbum()
	v, err := m.viewIn(in, bounds{positions: 1 << 30, pictures: 1 << 30})
	if err != nil {
		return "", err
	}
	if last := len(v.Data.Steps) - 1; step > last {
		return "", &NotDrawn{fmt.Sprintf("found step %d, expected 0 to %d", step, last)}
	}
	head, parts := pictureAfter(v.Data.Steps[:step+1])
	if head == 0 {
		return "", &NotDrawn{fmt.Sprintf("%s has no picture of step %d; --from %[2]d prints it", v.Game, step)}
	}
	var b strings.Builder
	b.WriteString(in.texts[head-1] + "<style>" + svg.Style + "</style>")
	for _, part := range parts {
		b.WriteString(in.texts[part])
	}
	return b.String() + "</svg>\n", nil
}
