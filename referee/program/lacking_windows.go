package program

import "math"

// fileSizeLimit is none.
func fileSizeLimit(bool) uint64 { return math.MaxUint64 }

// freeSpace is not looked for.
func freeSpace(string) (bytes uint64, ok bool) { return 0, false }
