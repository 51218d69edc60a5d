package replay

import (
	"html"
	"html/template"
	"slices"
	"strings"

	"umpire/protocols"
)

// step is a position, and how it came about. The first is the start.
type step struct {
	Seat   int               `json:"s,omitempty"` // whose move it was; 0: nobody's
	Move   string            `json:"m,omitempty"`
	Kind   string            `json:"k,omitempty"` // of a failure
	Why    string            `json:"w,omitempty"`
	Auto   bool              `json:"a,omitempty"` // played for the seat, which was not asked
	WallUS int64             `json:"u,omitempty"`
	CostUS int64             `json:"c,omitempty"` // of the seat's budget; of a person, who has none, all the time
	Scores []protocols.Score `json:"r,omitempty"` // where they changed
	Lines  []line            `json:"l,omitempty"`
	Worth  *stepWorth        `json:"x,omitempty"`
	Phases []picture         `json:"f,omitempty"` // that led to the picture
	State  int               `json:"v,omitempty"` // the text of what a viewer is told, counted from 1
	picture
	timed bool
}

// stepWorth is the worth of a step's reply, for the script.
type stepWorth struct {
	Class string `json:"c,omitempty"`
	Text  int    `json:"t,omitempty"` // the text of what the reply was worth, counted from 1
	Best  int    `json:"b,omitempty"` // likewise, the best reply, if another was played
	Hint  int    `json:"a,omitempty"` // likewise, its drawing
	At    *int   `json:"y,omitempty"` // where the graph is; absent: where it was
}

// line is one that was exchanged.
type line struct {
	Seats []int  `json:"s"`
	From  bool   `json:"f,omitempty"` // from the seat, not to it
	Text  string `json:"t"`
}

// pictureAfter is the picture that the steps end with: the text of its root, counted from
// 1, and those of its parts.
func pictureAfter(steps []step) (head int, parts []int) {
	for _, s := range steps {
		for _, p := range append(slices.Clip(s.Phases), s.picture) {
			if p.All != nil {
				head, parts = p.Head, slices.Clone(p.All)
			}
			for i := 0; i+1 < len(p.Changed); i += 2 {
				parts[p.Changed[i]] = p.Changed[i+1]
			}
		}
	}
	return head, parts
}

// joined puts a picture together from the start tag of its root and the texts of its parts.
func joined(head string, parts []int, texts []string) string {
	var b strings.Builder
	b.WriteString(head)
	for _, part := range parts {
		b.WriteString(texts[part])
	}
	return b.String() + "</svg>"
}

// last is the picture that the steps end with, for a page without a script.
func last(steps []step, texts []string) template.HTML {
	head, parts := pictureAfter(steps)
	if head == 0 {
		return template.HTML("<pre>" + html.EscapeString(texts[parts[0]]) + "</pre>")
	}
	return template.HTML(joined(withoutNamespace(texts[head-1]), parts, texts)) // of games and of cleaned pictures
}
