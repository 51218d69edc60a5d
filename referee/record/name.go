package record

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
)

// nameDigits is how many digits a name has after the id, if that is enough.
const nameDigits = 4

// Names gives the matches among the records at hand names of their own. Bots of
// equal content, under several names, play matches of the same id; so does a bot
// that is judged in one seat or the other against itself. A match that shares its
// id is called ID~DIGITS, by the first digits of the SHA-256 of its seats: four, or
// as many as tell it from the others. Any other is called by its id.
type Names struct {
	seats map[uint64][]uint64 // by the hash of an id: the seats of its matches, the first one first

	scanner Scanner
	line    Summary
}

// Add adds the match of a record.
func (n *Names) Add(b *Summary) {
	if b.Key == 0 {
		return
	}
	n.add(b.id, seatsOf(b.seats()))
}

func (n *Names) add(id, seats uint64) {
	if n.seats == nil {
		n.seats = make(map[uint64][]uint64)
	}
	if !slices.Contains(n.seats[id], seats) {
		n.seats[id] = append(n.seats[id], seats)
	}
}

// Of returns the name of a record's match; "" if it is the id.
func (n *Names) Of(r *Record) string {
	others := n.seats[hashID(r.ID)]
	if len(others) < 2 {
		return ""
	}
	seats := seatsOf(r.seats())
	own, digits := hexOf(seats), nameDigits
	for _, other := range others {
		for other != seats && digits < len(own) && strings.HasPrefix(hexOf(other), own[:digits]) {
			digits++
		}
	}
	return r.ID + "~" + own[:digits]
}

// Next adds the match of a record, and returns its name; "" if it is the id, which is
// also that of the first match that has it.
func (n *Names) Next(r *Record) string {
	id, seats := hashID(r.ID), seatsOf(r.seats())
	n.add(id, seats)
	if n.seats[id][0] == seats {
		return ""
	}
	return n.Of(r)
}

// NameAll names the matches of all records there are.
func NameAll(records []Record) {
	var names Names
	for i := range records {
		if records[i].ID != "" {
			names.add(hashID(records[i].ID), seatsOf(records[i].seats()))
		}
	}
	for i := range records {
		records[i].Name = names.Of(&records[i])
	}
}

// isCalled reports whether a name may be meant for a match of an id: it may be the id
// or its beginning, alone or with ~ and the first digits of its seats.
func isCalled(name, id string, seats []string) bool {
	if strings.HasPrefix(id, name) {
		return true
	}
	of, digits, ok := cutName(name)
	return ok && strings.HasPrefix(id, of) && strings.HasPrefix(hexOf(seatsOf(seats)), digits)
}

// IsCalled reports whether a name or its beginning may be meant for the match.
func (r *Record) IsCalled(name string) bool { return isCalled(name, r.ID, r.seats()) }

// FullName is a name of the match with all digits, which it has whatever other
// records are at hand.
func (r *Record) FullName() string { return r.ID + "~" + hexOf(seatsOf(r.seats())) }

// cutName parts a name that has digits of the seats.
func cutName(name string) (id, digits string, ok bool) {
	at := strings.LastIndexByte(name, '~')
	if at < 0 {
		return name, "", false
	}
	return name[:at], name[at+1:], true
}

// seatParts says who sat where, which tells the matches of an id apart: the names of the
// seats, seat 1 first, and then, unless the house took none, house= and the numbers of its
// seats, separated by commas.
func seatParts(seats int, seat func(int) (bot string, house bool)) []string {
	parts, house := make([]string, seats, seats+1), ""
	for i := range parts {
		bot, isHouse := seat(i)
		if parts[i] = bot; isHouse {
			house += "," + strconv.Itoa(i+1)
		}
	}
	if house != "" {
		parts = append(parts, "house="+house[1:])
	}
	return parts
}

// seatsOf is the beginning of the SHA-256 of seatParts, each written as its length in
// bytes in decimal, a colon, the part, and a comma.
func seatsOf(parts []string) uint64 {
	var text []byte
	for _, part := range parts {
		text = appendPart(text, part)
	}
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:])
}

func hexOf(seats uint64) string { return fmt.Sprintf("%016x", seats) }

// hashID is valid only within this process.
func hashID(id string) uint64 { return maphash.String(keys, id) }
