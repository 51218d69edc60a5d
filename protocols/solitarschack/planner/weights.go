package planner

import (
	"bytes"
	"embed"
	"encoding/binary"
	"fmt"

	rules "umpire/protocols/solitarschack/board"
)

// Unit is one point in the planner's fixed-point numbers. Integers make the
// same plans on every machine.
const Unit = 1 << 12

// A match is divided into phases by the number of removals; each has its own
// weights.
const (
	PhaseLength = 9
	Phases      = rules.Layers*rules.Area/PhaseLength + 1
)

// Phase holds the weight of every feature in a phase, in units.
type Phase [FeatureCount]int32

// Weights holds the weight of every feature, phase by phase.
type Weights [Phases]Phase

func (w *Weights) at(moves int16) *Phase { return &w[moves/PhaseLength] }

func (p *Phase) sum(features []Feature) int32 {
	var sum int32
	for _, f := range features {
		sum += p[f.Index] * int32(f.Count)
	}
	return sum
}

// files holds the fitted weights: for every set of types one file,
// little-endian, as written by bots/solitarschack/train.
//
//go:embed weights/*.bin
var files embed.FS

// groups are the groups that have weights, the smallest first: the boards of the others
// need no plan.
var groups = rules.Groups[2:]

// Types returns the types that the boards of a group are made of, nil for a
// group that has no weights.
func Types(name string) []rules.Piece {
	for _, g := range groups {
		if g.Name == name {
			return g.Types
		}
	}
	return nil
}

// Group is the smallest group that has all types seen. Blank is ignored.
func Group(seen [rules.Types + 1]bool) string {
	for _, g := range groups {
		rest := seen
		rest[rules.Blank] = false
		for _, p := range g.Types {
			rest[p] = false
		}
		if rest == [rules.Types + 1]bool{} {
			return g.Name
		}
	}
	panic("planner: a type that no group has")
}

// For makes a planner for a group that has weights.
func For(group string) *Planner {
	w, err := Load(group)
	if err != nil {
		panic(err) // they are part of the program
	}
	return New(Types(group), w)
}

// Load reads the fitted weights of a group.
func Load(group string) (*Weights, error) {
	data, err := files.ReadFile("weights/" + group + ".bin")
	if err != nil {
		return nil, fmt.Errorf("load weights: %w", err)
	}
	w := new(Weights)
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, w); err != nil {
		return nil, fmt.Errorf("load weights of group %s: %w", group, err)
	}
	return w, nil
}

// Encode returns the weights in the form of a file.
func (w *Weights) Encode() []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, w) // a fixed-size value into memory: can't fail
	return b.Bytes()
}
