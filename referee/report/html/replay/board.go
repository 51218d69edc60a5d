package replay

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
)

// BoardBefore draws the board before a move, with the move and the best reply over it; ""
// where that can't be done.
func BoardBefore(r record.Record, games []protocols.Game, move analysis.Move) (drawn template.HTML) {
	events := 0
	err := referee.Guard(func() error {
		_, _ = r.Replay(games, referee.Watcher{
			Awaited: func(seats []int, m protocols.Match) {
				if d, ok := m.(protocols.Drawer); ok && events <= move.Event && move.Event < events+len(seats) && slices.Contains(seats, move.Seat) {
					drawn = smallBoard(svg.WithoutStyle(d.SVG(0)), m, move)
				}
			},
			Event: func(referee.Event, *protocols.Foul, protocols.Match) { events++ },
		})
		return nil
	})
	if err != nil {
		return ""
	}
	return drawn
}

// smallBoard is the board of a picture alone, with a move and the best reply over it.
func smallBoard(drawn string, m protocols.Match, move analysis.Move) template.HTML {
	head, parts, ok := splitSVG(drawn)
	if !ok {
		return ""
	}
	if _, board, found := strings.Cut(head, ` data-board="`); found {
		board, _, _ = strings.Cut(board, `"`)
		top, tall, _ := strings.Cut(board, " ")
		before, after, _ := strings.Cut(head, ` viewBox="`)
		_, after, _ = strings.Cut(after, `"`)
		head = fmt.Sprintf(`%s viewBox="0 %s %d %s"%s`, before, top, svg.Width, tall, after)
	}
	var b strings.Builder
	b.WriteString(withoutNamespace(head))
	for _, part := range parts {
		if !strings.Contains(part[:min(len(part), 40)], `data-key="score`) && !strings.Contains(part[:min(len(part), 40)], `data-key="caption`) {
			b.WriteString(part)
		}
	}
	if d, ok := m.(protocols.ReplyDrawer); ok {
		b.WriteString(`<g class="given">` + d.DrawReply(move.Seat, move.Reply, "arrow") + "</g>" + d.DrawReply(move.Seat, move.Best, "best"))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // of games and of cleaned pictures
}
