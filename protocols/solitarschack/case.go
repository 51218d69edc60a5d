package solitarschack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"umpire/protocols"
)

// board is the three layers: bronze, silver and gold.
type board [Layers][Area]Piece

// String is the case's 18 rows: the bronze, the silver and the gold layer.
func (b *board) String() string {
	var rows []string
	for layer := range b {
		rows = append(rows, boardRows(&b[layer])...)
	}
	return strings.Join(rows, "\n")
}

// Limits are 2 s and 256 MiB, whatever the case.
func (b *board) Limits(int) protocols.Limits { return limits }

// Start begins a match of one seat.
func (b *board) Start(seats int) protocols.Match {
	protocols.CheckSeats("solitarschack", seats, 1, 1)
	return newMatch(b)
}

// boardRows is a layer as six lines.
func boardRows(pieces *[Area]Piece) []string {
	rows := make([]string, Side)
	for i := range rows {
		var fields [Side]string
		for j := range fields {
			fields[j] = pieces[i*Side+j].String()
		}
		rows[i] = strings.Join(fields[:], " ")
	}
	return rows
}

// parse reads a case. Types of different groups may meet in it.
func parse(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	b := new(board)
	for layer := range b {
		for row := range Side {
			parseRow(r, Colour(layer), row+1, b[layer][row*Side:][:Side])
		}
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	return b, nil
}

// parseRow reads the next line into row.
func parseRow(r *protocols.CaseReader, layer Colour, number int, row []Piece) {
	expected := fmt.Sprintf("row %d of the %v layer, six types of %s",
		number, layer, strings.Join(names[One:], ", "))
	line := r.Text(expected)
	if r.Err() != nil {
		return
	}
	fields := protocols.Fields(line)
	if len(fields) != Side {
		r.Fail(fmt.Sprintf("%d values in %s", len(fields), protocols.Quote(line)), expected)
		return
	}
	for i, f := range fields {
		p, ok := ParsePiece(f)
		if !ok || p == Blank {
			r.Fail(protocols.Quote(f), expected)
			return
		}
		row[i] = p
	}
}

// group is a group of the case set and the types its cases are made of.
type group struct {
	name  string
	types []Piece
}

var groups = []group{
	{"1", []Piece{Springare}},
	{"2", []Piece{One}},
	{"3", []Piece{One, Two}},
	{"4", []Piece{Torn, Lopare, Dam}},
	{"5", []Piece{One, Two, Three, Four}},
	{"6", []Piece{One, Two, Three, Four, Torn, Lopare, Dam, Springare}},
}

// groupNames lists the groups, the last one first: it is the default, as it has
// all types. Of the first two there is but one board each.
func groupNames() []string {
	out := []string{groups[len(groups)-1].name}
	for _, g := range groups[:len(groups)-1] {
		out = append(out, g.name)
	}
	return out
}

// generate draws all three layers uniformly from the types of a group.
func generate(name string, seed uint64) (protocols.Case, error) {
	i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
	if i < 0 {
		return nil, &protocols.UnknownGroup{Game: "solitarschack", Group: name, Known: groupNames()}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(i+1)))
	types := groups[i].types
	b := new(board)
	for layer := range b {
		for s := range b[layer] {
			b[layer][s] = types[rng.IntN(len(types))]
		}
	}
	return b, nil
}
