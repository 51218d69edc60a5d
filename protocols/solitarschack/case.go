package solitarschack

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
)

// Case holds the three layers: bronze, silver and gold. It is not changed once
// made.
type Case [board.Layers][board.Area]board.Piece

// String is the case's 18 rows: the bronze, the silver and the gold layer.
func (c *Case) String() string {
	var rows []string
	for layer := range c {
		rows = append(rows, boardRows(&c[layer])...)
	}
	return strings.Join(rows, "\n")
}

// Limits are 2 s and 256 MiB, whatever the case.
func (c *Case) Limits(int) protocols.Limits { return limits }

// Start begins a match of one seat.
func (c *Case) Start(seats int) protocols.Match {
	protocols.CheckSeats("solitarschack", seats, 1, 1)
	return newMatch(c)
}

// boardRows is a layer as six lines.
func boardRows(pieces *[board.Area]board.Piece) []string {
	rows := make([]string, board.Side)
	for i := range rows {
		var fields [board.Side]string
		for j := range fields {
			fields[j] = pieces[i*board.Side+j].String()
		}
		rows[i] = strings.Join(fields[:], " ")
	}
	return rows
}

// parse reads a case. Types of different groups may meet in it.
func parse(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	c := new(Case)
	for layer := range c {
		for row := range board.Side {
			parseRow(r, board.Colour(layer), row+1, c[layer][row*board.Side:][:board.Side])
		}
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	return c, nil
}

// parseRow reads the next line into row.
func parseRow(r *protocols.CaseReader, layer board.Colour, number int, row []board.Piece) {
	expected := fmt.Sprintf("row %d of the %v layer, six types of %s",
		number, layer, strings.Join(board.Names(), ", "))
	line := r.Text(expected)
	if r.Err() != nil {
		return
	}
	fields := protocols.Fields(line)
	if len(fields) != board.Side {
		r.Fail(fmt.Sprintf("%d values in %s", len(fields), protocols.Quote(line)), expected)
		return
	}
	for i, f := range fields {
		p, ok := board.ParsePiece(f)
		if !ok || p == board.Blank {
			r.Fail(protocols.Quote(f), expected)
			return
		}
		row[i] = p
	}
}
