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

// unlimited is the room of what nothing limits.
var unlimited = Room{math.MaxInt32, "nothing"}

// MemoryLeft returns how much memory the group around contestants, or the machine, has left,
// in bytes; math.MaxInt64 where that is unknown.
func MemoryLeft() int64 {
	used, most := MemoryInUse()
	if most == 0 {
		return math.MaxInt64
	}
	return max(0, most-used)
}

// RoomForMemory returns how many programs with a memory limit, in bytes, fit in the memory
// that the group around umpire, or the machine, has left; 0 is no limit.
func RoomForMemory(limit int64) Room {
	left := MemoryLeft()
	if limit <= 0 || left == math.MaxInt64 {
		return unlimited
	}
	bound := fmt.Sprintf("%s of memory are left, and each may take %s", referee.Size(left&^(1<<20-1)), referee.Size(limit))
	return Room{int(min(left/limit, math.MaxInt32)), bound}
}
