package protocoltest

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
)

const fourRules = `Connect Four, for two seats in turn, on 7 columns of 6 cells. Both first read "7 6". In your turn
write a column, 0 to 6: a disc falls to its lowest empty cell. In the other seat's turn read its
column. Four discs of a seat in a row, in any direction, win; a full board is a draw. A failure
loses. For example, seat 2 reads (→) and writes (←):

    → 7 6
    → 3
    ← 4
    → 3
    ← 4
    → 3
    ← 4
    → 3
`

// fault is one of the deliberate faults that a Connect Four may have, by its
// number in faults; "" is none.
type fault string

// outside stands for the clocks, chance and globals that a faulty match depends
// on: it changes each time it is read.
var outside int

func chance() int { outside++; return outside }

// connectFour is the game with a fault. It has one case.
func connectFour(f fault) protocols.Game {
	rules := fourRules
	if f == "21" {
		rules = strings.NewReplacer("0 to 6", "1 to 7", "→ 3", "→ 4", "← 4", "← 5").Replace(rules)
	}
	shared := &fourMatch{fault: f, turn: 1, last: -1}
	return protocols.Game{
		Name: "connect-four", Title: "Connect Four", Rules: rules,
		MinSeats: 2, MaxSeats: 2, SubmissionSeats: []int{1, 2}, DefaultOpponent: "random",
		Formula: "P * (win + tie / 2)",
		Rank:    protocols.ByWins,
		Analysis: protocols.Analysis{
			Unit: "wins", Method: "exact within four moves of the end, else an estimate of 0", Scores: true,
			Results: "in the middle between a loss and a win",
		},
		Parse: func(text string) (protocols.Case, error) {
			r := protocols.ReadCase(text)
			r.Ints(2, "the width 7 and the height 6", 6, 7)
			if f != "07f" {
				if err := r.End(); err != nil {
					return nil, err
				}
			}
			return fourCase{f, shared, 6}, r.Err()
		},
		Groups: []string{"start"},
		Generate: func(group string, _ uint64) (protocols.Case, error) {
			if group != "start" {
				return nil, &protocols.UnknownGroup{Game: "connect-four", Group: group, Known: []string{"start"}}
			}
			height := 6
			if f == "20" {
				height = chance()
			}
			return fourCase{f, shared, height}, nil
		},
		All: func() iter.Seq[protocols.Case] {
			return slices.Values([]protocols.Case{fourCase{f, shared, 6}})
		},
	}
}

type fourCase struct {
	fault
	shared *fourMatch
	height int
}

func (c fourCase) String() string { return fmt.Sprintf("7 %d", c.height) }

func (c fourCase) Limits(int) protocols.Limits {
	if c.fault == "19" {
		return protocols.Limits{}
	}
	return protocols.Limits{Time: time.Second}
}

func (c fourCase) Start(seats int) protocols.Match {
	protocols.CheckSeats("connect-four", seats, 2, 2)
	if c.fault == "18" {
		return c.shared
	}
	m := *c.shared
	m.state = map[string]any{}
	return &m
}

// fourMatch is a match.
type fourMatch struct {
	fault
	cells  [7][6]int // seats, 0 is empty
	height [7]int
	discs  int
	turn   int // seat to move
	last   int // column of the last disc, or -1
	winner int
	failed int // seat that has failed
	told   int // discs that the seats have been told of, plus 1
	ended  bool
	state  map[string]any // of fault 10
}

func (m *fourMatch) over() bool { return m.winner > 0 || m.failed > 0 || m.discs == 42 }

func (m *fourMatch) Next() protocols.Step {
	var step protocols.Step
	send := func(seat int, text string) { step.Send = append(step.Send, protocols.Line{Seat: seat, Text: text}) }
	other := m.turn
	if m.fault == "02b" {
		other = 3 - m.turn
	}
	switch {
	case m.told == 0:
		for seat := range m.seats("03c") {
			send(seat, "7 6")
		}
	case m.failed > 0:
		if m.fault == "15" {
			send(m.failed, "lost")
		}
	case m.told <= m.discs:
		send(other, strconv.Itoa(m.last))
	}
	m.told = m.discs + 1
	m.ended = m.over()
	switch {
	case m.fault == "13" && m.failed > 0 && m.discs < 42:
		step.Await = []int{m.failed}
	case m.fault == "05" && m.discs == 42 && m.winner == 0:
		step.Await = []int{m.turn}
	case m.over() && (m.fault != "05d" || m.failed > 0 || m.discs == 42):
	case m.fault == "02":
		step.Await = []int{3 - m.turn}
	default:
		step.Await = []int{m.turn}
	}
	return step
}

// seats yields both seats, in an order that chance decides if the match has the
// fault.
func (m *fourMatch) seats(f fault) iter.Seq[int] {
	order := []int{1, 2}
	if m.fault == f && chance()%2 == 0 {
		order = []int{2, 1}
	}
	return slices.Values(order)
}

func (m *fourMatch) Reply(_ int, text string) *protocols.Foul {
	column, foul := m.read(text)
	if foul != nil {
		if m.fault == "09" {
			m.turn = 3 - m.turn
		}
		return foul
	}
	if m.height[column] == 6 {
		switch m.fault {
		case "01":
			m.height[column]--
			m.discs--
		case "01b":
			m.turn = 3 - m.turn
			return nil
		default:
			return protocols.Fouled("column %d is full", column)
		}
	}
	m.drop(column)
	if m.fault == "02c" && m.discs == 1 {
		m.turn = 1
	}
	return nil
}

// read reads a column.
func (m *fourMatch) read(text string) (int, *protocols.Foul) {
	switch m.fault {
	case "06":
		_ = text[0]
	case "06b", "06c":
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && (m.fault == "06b" && n < 0 || m.fault == "06c" && n > 1<<31-1 && int32(n) < 0) {
			_ = m.height[int32(n)]
		}
	case "06d":
		if _, foul := protocols.Integer(text, "a column", 0, 6); foul != nil {
			return 0, protocols.Fouled("found %s, expected a column", text)
		}
	case "06e":
		if len(text) >= 1000 {
			select {}
		}
	case "07":
		if strings.TrimSpace(text) != text {
			return 0, protocols.Fouled("there are spaces")
		}
	case "07b":
		if fields := protocols.Fields(text); len(fields) > 0 {
			text = fields[0]
		}
	case "07c":
		text = strings.TrimPrefix(text, "+")
	case "07d":
		if n, ok := protocols.Number(strings.TrimSpace(text)); ok && strconv.Itoa(n) != strings.TrimSpace(text) {
			return 0, protocols.Fouled("there are leading zeros")
		}
	case "07e":
		if text == "" {
			text = "0"
		}
	}
	return protocols.Integer(text, "a column", 0, 6)
}

// drop lets a disc of the seat to move fall.
func (m *fourMatch) drop(column int) {
	m.cells[column][m.height[column]] = m.turn
	m.height[column]++
	m.discs++
	m.last = column
	if m.wins(column, m.height[column]-1) {
		m.winner = m.turn
	}
	m.turn = 3 - m.turn
}

// wins reports whether a disc makes a row.
func (m *fourMatch) wins(column, row int) bool {
	need := 4
	if m.fault == "11c" {
		need = 3
	}
	for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		if m.fault == "11" && step == [2]int{1, -1} {
			continue
		}
		if 1+m.run(column, row, step[0], step[1])+m.run(column, row, -step[0], -step[1]) >= need {
			return true
		}
	}
	return false
}

// run counts the discs of the same seat next to one, in a direction.
func (m *fourMatch) run(column, row, right, up int) (n int) {
	seat := m.cells[column][row]
	for {
		column, row = column+right, row+up
		if m.fault == "11b" {
			column = (column + 7) % 7
		}
		if column < 0 || column > 6 || row < 0 || row > 5 || m.cells[column][row] != seat || n == 6 {
			return n
		}
		n++
	}
}

func (m *fourMatch) Fail(seat int, _ protocols.Failure) { m.failed = seat }

func (m *fourMatch) Result() []protocols.Outcome {
	winner := m.winner
	if m.failed > 0 {
		winner = 3 - m.failed
		if m.fault == "14" {
			winner = m.failed
		}
	}
	draw := m.discs == 42 && winner == 0
	if m.fault == "05c" && m.ended {
		panic("nobody has a turn")
	}
	if m.fault == "05e" && m.ended {
		winner = 1 + chance()%2
	}
	result := []protocols.Outcome{{Place: 1}, {Place: 1}}
	if winner > 0 {
		result[winner-1].Score, result[2-winner].Place = protocols.Points(1), 2
	}
	switch {
	case draw && m.fault == "03b":
		for seat := range m.seats("03b") {
			result[seat-1].Place = 2
			break
		}
	case draw && m.fault == "08":
		result[chance()/3%2].Place = 2
	case draw && m.fault == "04":
		result[0].Score = protocols.Points(1)
	case winner > 0 && m.fault == "04b":
		result[2-winner].Place = 1
	case winner > 0 && m.fault == "04c":
		result[0].Place, result[1].Place = result[1].Place, result[0].Place
	case winner == 2 && m.fault == "04d":
		result[1].Score = protocols.Points(0)
	case winner > 0 && m.fault == "04e":
		result[0].Score, result[1].Score = result[1].Score, result[0].Score
	}
	return result
}

func (m *fourMatch) State() any {
	at := *m
	if m.fault == "05f" && m.ended {
		at = fourMatch{turn: 1, last: -1}
	}
	if m.fault == "10" {
		m.state["discs"] = m.discs
		return m.state
	}
	if m.fault == "08b" && chance()%64 == 0 {
		at.turn = 0
	}
	return map[string]any{"cells": at.cells, "turn": at.turn, "last": at.last}
}

func (m *fourMatch) String() string {
	text := fmt.Sprintf("seat %d to move, %d won, %d failed, last %d", m.turn, m.winner, m.failed, m.last)
	switch m.fault {
	case "03d":
		for seat := range m.seats("03d") {
			text += fmt.Sprintf(", seat %d", seat)
		}
	case "08c":
		text += strings.Repeat(" ", chance()%2)
	case "16d":
		text = "\x1b[1m" + text
	}
	return text + fmt.Sprintf("\n%v", m.cells)
}

func (m *fourMatch) Choices(seat int) (out []protocols.Choice) {
	mover := m.turn
	if m.fault == "02" {
		mover = 3 - m.turn
	}
	if seat != mover || m.over() && m.fault != "05b" {
		return nil
	}
	for column, height := range m.height {
		if height < 6 {
			out = append(out, protocols.Choice{Reply: strconv.Itoa(column), Label: fmt.Sprintf("column %d", column)})
		}
	}
	if m.fault == "03" && chance()%2 == 0 {
		slices.Reverse(out)
	}
	return out
}

func (m *fourMatch) SVG(seat int) string {
	var b strings.Builder
	choices := m.Choices(seat)
	for column := range m.cells {
		reply := ""
		if slices.ContainsFunc(choices, func(c protocols.Choice) bool { return c.Reply == strconv.Itoa(column) }) || m.fault == "16b" {
			reply = fmt.Sprintf(` data-reply="%d"`, column)
		}
		fmt.Fprintf(&b, `<g data-key="column%d"%s><text>%v</text></g>`, column, reply, m.cells[column])
	}
	ring := m.last
	switch m.fault {
	case "16":
		b.WriteString(`<script data-key="script"/>`)
	case "16c":
		ring = chance()
	case "16e":
		ring++
	}
	fmt.Fprintf(&b, `<circle data-key="ring" cx="%d"/>`, ring)
	return sketch(b.String())
}

func (m *fourMatch) Values(seat int) (values []protocols.Value, exact bool) {
	const depth = 3
	exact = true
	for _, choice := range m.Choices(seat) {
		column, _ := strconv.Atoi(choice.Reply)
		value, proven := m.after(column, depth)
		exact = exact && proven
		if m.fault == "17b" {
			value = -value
		}
		values = append(values, protocols.Value{Reply: choice.Reply, Value: float64(value), Result: float64(1+value) / 2})
	}
	switch {
	case m.fault == "17":
		exact = true
	case m.fault == "17c" && len(values) > 0:
		m.last = 0
	case m.fault == "17d" && len(values) > 0:
		values = append(values, protocols.Value{Reply: "7"})
	}
	return values, exact && len(values) > 0
}

// after is the value of a column to the seat to move, and whether it is certain.
func (m *fourMatch) after(column, depth int) (value int, proven bool) {
	at := *m
	at.drop(column)
	switch {
	case at.winner > 0:
		return 1, true
	case at.discs == 42:
		return 0, true
	case depth == 0:
		return 0, false
	}
	value, proven = -1, true
	for next, height := range at.height {
		if height == 6 {
			continue
		}
		v, p := at.after(next, depth-1)
		if v == 1 {
			return -1, true
		}
		value, proven = max(value, v), proven && p
	}
	return -value, proven
}

func replyFour(m protocols.Match, _ int, rng *rand.Rand) string {
	four := m.(*fourMatch)
	for {
		if column := rng.IntN(7); four.height[column] < 6 {
			return strconv.Itoa(column)
		}
	}
}

// fourSuite is the suite of a careful author of Connect Four: a line for each way
// in which a match can end.
var fourSuite = Suite{
	Reply: replyFour,
	Seeds: 2,
	Lines: [][]string{
		fourLine("3434343"),     // upwards; the dialogue of the rules
		fourLine("0011223"),     // along a row
		fourLine("01122323363"), // rising
		fourLine("65544343303"), // falling
		fourLine("662425102244532100465053454503166061113332"), // a draw
	},
}

// fourLine is a match in which both seats say a column a digit.
func fourLine(columns string) []string {
	return append([]string{"7 6"}, strings.Split(columns, "")...)
}
