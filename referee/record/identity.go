package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// Identity is the id of the match: the first 8 bytes, in hexadecimal, of the
// SHA-256 of its parts in this order, each written as its length in bytes in
// decimal, a colon, the part, and a comma:
//
//	game
//	the case's canonical text
//	{time_us move_us start_us clock memory_bytes pondering}, separated by single
//	spaces, in braces; pondering is empty where it is allowed
//	the digest of each seat, seat 1 first
//	the repetition, at least 1
//	grace_us=N, unless it is 0
//	package=DIGEST, of a game that is not built in
//	seed=N, unless it is 0
//
// This is version 1, and the ids of all existing records depend on it: it names
// every field, and never changes. A field that later comes to determine a match
// is added as another part at the end, NAME=VALUE, and only where it is not at
// its default, so that the ids of matches without it stay as they are.
func (r Record) Identity() string {
	var text []byte
	part := func(s string) { text = appendPart(text, s) }
	part(r.Game)
	part(r.Case.Text)
	l := r.Limits
	part(fmt.Sprintf("{%d %d %d %s %d %s}", l.TimeUS, l.MoveUS, l.StartUS, l.Clock, l.MemoryBytes, l.Pondering))
	for _, s := range r.Seats {
		part(s.Digest)
	}
	part(strconv.Itoa(max(1, r.Repetition)))
	if l.GraceUS != 0 {
		part(fmt.Sprintf("grace_us=%d", l.GraceUS))
	}
	if r.Package != nil {
		part("package=" + r.Package.Digest)
	}
	if r.Seed != "" {
		part("seed=" + r.Seed)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// appendPart appends a text so that where it ends can't be mistaken.
func appendPart(to []byte, s string) []byte {
	to = strconv.AppendInt(to, int64(len(s)), 10)
	to = append(to, ':')
	to = append(to, s...)
	return append(to, ',')
}
