package sandbox

import (
	"fmt"
	"math"

	"umpire/referee"
)

// Room is how many programs a machine can run concurrently.
type Room struct {
	Programs int
	Bound    string // what there is no more of, in a phrase with its number
}

// lesser is the smaller room.
func (r Room) lesser(other Room) Room {
	if other.Programs < r.Programs {
		return other
	}
	return r
}

// RoomForMemory returns how many programs with a memory limit, in bytes, fit in the memory
// that the group around umpire, or the machine, has left; 0 is no limit.
func RoomForMemory(limit int64) Room {
	used, most := MemoryInUse()
	if limit <= 0 || most == 0 {
		return Room{math.MaxInt32, "nothing"}
	}
	left := max(0, most-used)
	bound := fmt.Sprintf("%s of memory are left, and each may take %s", referee.Size(left&^(1<<20-1)), referee.Size(limit))
	return Room{int(min(left/limit, math.MaxInt32)), bound}
}
