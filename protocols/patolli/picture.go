package patolli

import (
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
)

// shown is the number of lines that a picture shows of a case, in addition to
// the first one that was answered wrongly.
const shown = LinesPerTest

// columns is the width of a terminal.
const columns = 80

// grid is the path, rows from the top; 0 is no location.
func grid() [10][10]int {
	return [10][10]int{
		{0, 0, 0, 0, 1, 52, 0, 0, 0, 0},
		{0, 0, 0, 0, 2, 51, 0, 0, 0, 0},
		{7, 6, 5, 4, 3, 50, 49, 48, 47, 46},
		{8, 9, 10, 11, 12, 41, 42, 43, 44, 45},
		{17, 16, 15, 14, 13, 40, 39, 38, 37, 36},
		{18, 19, 20, 21, 22, 31, 32, 33, 34, 35},
		{0, 0, 0, 0, 23, 30, 0, 0, 0, 0},
		{0, 0, 0, 0, 24, 29, 0, 0, 0, 0},
		{0, 0, 0, 0, 25, 28, 0, 0, 0, 0},
		{0, 0, 0, 0, 26, 27, 0, 0, 0, 0},
	}
}

// String shows the first lines' grids at the start and, once there is an
// answer, at the end, with the effect of every roll.
func (m *match) String() string {
	parts := []string{m.headline()}
	found := slices.Collect(protocols.TextLines(m.Output))
	for i := range m.c.lines {
		if i < shown || i+1 == m.wrongLine() {
			parts = append(parts, m.line(i, found))
		}
	}
	if hidden := len(m.c.lines) + 1 - len(parts); hidden > 0 {
		parts = append(parts, fmt.Sprintf("And %d more lines.", hidden))
	}
	return strings.Join(parts, "\n\n")
}

// headline describes the result of the answer.
func (m *match) headline() string {
	switch {
	case !m.Answered:
		return "The start. The player's markers are in [ ], the opponent's in ( )."
	case m.Failed != "":
		return fmt.Sprintf("Seat 1 failed (%s): score 0.", m.Failed)
	case m.wrongLine() > 0:
		ruling := m.Result()[0]
		return fmt.Sprintf("Seat 1 answered %v of %d lines right; %s.", ruling.Score, len(m.c.lines), ruling.Wrong)
	}
	return fmt.Sprintf("Seat 1 answered all %d lines right.", len(m.c.lines))
}

// line shows a line of input, counted from 0.
func (m *match) line(i int, found []string) string {
	const wide = 40 // a grid; two of them fit a terminal
	l := &m.c.lines[i]
	lines := []string{fmt.Sprintf("Line %d: %s", i+1, svg.Cut(l.text, columns))}
	left := append([]string{"  start"}, l.Start.draw()...)
	if !m.Answered {
		return strings.Join(append(lines, left...), "\n")
	}
	end := l.Play()
	answer := "nothing"
	if i < len(found) {
		answer = protocols.Quote(found[i])
	}
	right := append([]string{"  end"}, end.draw()...)
	lines = append(append(lines, l.account()...), svg.Cut("  result: "+end.String()+"; answered "+answer, columns))
	for row := range left {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-*s%s", wide, left[row], right[row]), " "))
	}
	return strings.Join(lines, "\n")
}

// account describes every roll, with the number of the rule that decided it.
func (l *Line) account() (lines []string) {
	line, p := "  rolls (and rules):", l.Start
	for i := 0; i < len(l.Rolls); i++ {
		text := " then void"
		if p.Over() {
			i = len(l.Rolls)
		} else {
			move := p.Roll(int(l.Rolls[i]))
			text = fmt.Sprintf(" %d: %s (%d),", l.Rolls[i], move, move.Rule)
		}
		if len(line)+len(text) > columns {
			lines, line = append(lines, line), "   "
		}
		line += text
	}
	return append(lines, strings.TrimSuffix(line, ","))
}

// String names the locations a marker moved from and to.
func (m Move) String() string {
	switch m.To {
	case m.From:
		return fmt.Sprintf("%d stays", m.From)
	case Last:
		return fmt.Sprintf("%d leaves", m.From)
	}
	return fmt.Sprintf("%d to %d", m.From, m.To)
}

// draw returns the rows of the grid, the player's markers in square brackets,
// the opponent's in round ones.
func (p *Position) draw() []string {
	var rows []string
	for _, locations := range grid() {
		row := ""
		for _, location := range locations {
			row += p.cell(location)
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return rows
}

// cell draws a location, four columns wide.
func (p *Position) cell(location int) string {
	switch {
	case location == 0:
		return "    "
	case p.player.has(location):
		return fmt.Sprintf("%4s", fmt.Sprintf("[%d]", location))
	case p.opponent.has(location):
		return fmt.Sprintf("%4s", fmt.Sprintf("(%d)", location))
	}
	return fmt.Sprintf("%3d ", location)
}
