package sandbox

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
