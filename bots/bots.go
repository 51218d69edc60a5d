// Package bots defines what a built-in bot is: a contestant that comes with
// umpire and runs as a process of its own (`umpire bot GAME/NAME`). It knows
// nothing of the referee; a bot sees only its standard input and output.
package bots

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"umpire/protocols"
)

// Bot is one built-in bot.
type Bot struct {
	Game  string // id of the game it plays
	Name  string // `@NAME`
	About string // how it plays, one line
	Timed bool   // its replies depend on how fast the machine is; those of others on what it has read alone

	// Play plays one match. It returns nil or io.EOF when the match is over; any
	// other error ends the process with a message.
	Play func(t *Table) error
}

// Table is a bot's place at the table: its seat, its input and its output.
type Table struct {
	Game        string // UMPIRE_GAME
	Seat, Seats int    // UMPIRE_SEAT, UMPIRE_SEATS; 1-based

	in  *bufio.Reader
	out *bufio.Writer
}

// NewTable makes a table from two streams.
func NewTable(game string, seat, seats int, in io.Reader, out io.Writer) *Table {
	return &Table{game, seat, seats, bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)}
}

// Line reads the next line that is not blank, without its end. At the end of
// input it returns io.EOF.
func (t *Table) Line() (string, error) {
	for {
		line, err := t.in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			return line, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// Ints reads the next line as integers, each with or without a sign.
func (t *Table) Ints() ([]int, error) {
	line, err := t.Line()
	if err != nil {
		return nil, err
	}
	fields := protocols.Fields(line)
	out := make([]int, len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, fmt.Errorf("read %s, expected integers", protocols.Quote(line))
		}
		out[i] = n
	}
	return out, nil
}

// Say writes one line and flushes it.
func (t *Table) Say(line string) error {
	t.Print(line)
	return t.out.Flush()
}

// Print writes one line and holds it until Say, Flush or the end of Play.
func (t *Table) Print(line string) {
	t.out.WriteString(line)
	t.out.WriteByte('\n')
}

// Flush sends the lines held by Print.
func (t *Table) Flush() error { return t.out.Flush() }

// Seed turns what a bot has seen into a seed, so that a random bot repeats a
// match given the same input. The hash is FNV-1a.
func Seed(seen ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range seen {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
		h = (h ^ '\n') * 1099511628211
	}
	return h
}

// Run plays b at t and flushes any output left; the end of input ends a match.
func Run(b Bot, t *Table) error {
	err := b.Play(t)
	if err == io.EOF {
		err = nil
	}
	if ferr := t.Flush(); err == nil {
		err = ferr
	}
	return err
}
