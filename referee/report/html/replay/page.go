package replay

import (
	_ "embed"
	"fmt"
	"html/template"
	"slices"

	"umpire/protocols/svg"
	"umpire/referee/report/html/page"
)

var (
	//go:embed replay.html
	replayText string
	//go:embed replay.css
	styleText string
	//go:embed replay.js
	scriptText string
	//go:embed board.css
	boardStyle string
	//go:embed board.js
	boardScript string
)

var templates = page.Parse("replay", replayText)

// Style is the style sheet of pages that play a match back.
func Style() string { return BoardStyle() + styleText }

// BoardStyle is the style sheet of pages that show a match while it is played.
func BoardStyle() string { return page.PictureStyle() + boardStyle }

// Script is the script of pages that play a match back.
func Script() string { return boardScript + page.UnpackScript() + scriptText }

// BoardScript defines what these pages and those that show a match while it is played have
// in common.
func BoardScript() string { return boardScript }

// Page returns the page on which a match is played back. The scripts come before its own.
// The error says what is wrong with the record.
func (m Match) Page(scripts ...string) ([]byte, error) {
	shown, err := m.view()
	if err != nil {
		return nil, err
	}
	return templates.Render("replay", struct {
		*view
		page.Head
	}{shown, page.NewHead(Style(), slices.Concat(scripts, []string{Script()})...)})
}

// Fragment is a match that is played back on a page of a server, which offers Style and
// Script under addresses of their own.
type Fragment struct {
	Title string
	Body  template.HTML // the contents of the page's body
}

// Fragment returns the contents of the page that Page returns. It leaves out what
// contestants wrote to standard error, which is not for onlookers.
func (m Match) Fragment() (Fragment, error) {
	shown, err := m.view()
	if err != nil {
		return Fragment{}, err
	}
	shown.NoErrors = true
	body, err := templates.Render("fragment", shown)
	return Fragment{shown.Title, template.HTML(body)}, err // escaped by its own template
}

// NotDrawn is why there is no picture.
type NotDrawn struct{ Why string }

func (e *NotDrawn) Error() string { return e.Why }

// Picture returns the position after a step of a match, counted as on its page, as an SVG
// that stands alone. The error is a *NotDrawn, or says what is wrong with the record.
func (m Match) Picture(step int) (string, error) {
	in := &album{}
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
	return joined(in.texts.Values[head-1]+"<style>"+svg.Style+"</style>", parts, in.texts.Values) + "\n", nil
}
