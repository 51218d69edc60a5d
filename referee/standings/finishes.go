package standings

import (
	"encoding/binary"
	"maps"
	"slices"

	"umpire/referee/strength"
)

// finishes counts observations by how they ended: the number of the bots, the bots, and
// their places, match by match, in the order of the bots.
type finishes map[string]int

// add counts an observation.
func (f finishes) add(bots []int, places []byte) {
	var room [64]byte
	key := binary.AppendUvarint(room[:0], uint64(len(bots)))
	for _, n := range bots {
		key = binary.AppendUvarint(key, uint64(n))
	}
	f[string(append(key, places...))]++
}

// list lists the observations, always in the same order, with the bots as they are
// numbered anew.
func (f finishes) list(anew []int) (list []strength.Finish) {
	for _, text := range slices.Sorted(maps.Keys(f)) {
		key := []byte(text)
		number := func() int {
			n, size := binary.Uvarint(key)
			key = key[size:]
			return int(n)
		}
		one := strength.Finish{Bots: make([]int, number()), Times: f[text]}
		for i := range one.Bots {
			one.Bots[i] = anew[number()]
		}
		one.Places = key
		list = append(list, one)
	}
	return list
}
