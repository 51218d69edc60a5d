package record

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// namedRecord is a record of one match of bots with one digest.
func namedRecord(id, first, second string) Record {
	return Record{ID: id, Seats: []Seat{{Bot: first}, {Bot: second}}}
}

// TestNames: a match is called by its id unless another has it, and by so many
// digits of its seats that no other is called so.
func TestNames(t *testing.T) {
	digits := func(bot string) string {
		return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "1:a,%d:%s,", len(bot), bot)))
	}
	seen := make(map[string]string) // by the first four digits
	var twins []string
	for i := 0; twins == nil; i++ {
		bot := fmt.Sprint("b", i)
		if other, ok := seen[digits(bot)[:4]]; ok {
			twins = []string{other, bot}
		}
		seen[digits(bot)[:4]] = bot
	}
	most := 4
	for digits(twins[0])[:most] == digits(twins[1])[:most] {
		most++
	}
	records := []Record{
		namedRecord("12", "a", twins[0]), namedRecord("12", "a", twins[1]), namedRecord("12", "a", "other"),
		namedRecord("12", "a", twins[0]), namedRecord("34", "a", twins[0]), {}, {Seats: []Seat{{Bot: "a"}}},
		namedRecord("56", "a", "a"), namedRecord("56", "a", "a"), namedRecord("56", "a", "a"),
	}
	records[7].Seats[1].House, records[8].Seats[0].House = true, true
	house := func(seats string) string {
		return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "1:a,1:a,%s", seats)))[:4]
	}
	want := []string{
		"12~" + digits(twins[0])[:most], "12~" + digits(twins[1])[:most], "12~" + digits("other")[:4], "12~" + digits(twins[0])[:most], "34", "", "",
		"56~" + house("7:house=2,"), "56~" + house("7:house=1,"), "56~" + house(""),
	}
	NameAll(records)
	for i := range records {
		if got := records[i].Called(); got != want[i] {
			t.Errorf("record %d is called %q, expected %q", i, got, want[i])
		}
	}
	for name, meant := range map[string]bool{"": true, "1": true, "12": true, "12~": true, "1~" + digits("other")[:2]: true, "12~x": false, "~": true, "13": false, "12~" + digits("x"): false} {
		if got := records[2].IsCalled(name); got != meant {
			t.Errorf("%q means 12 is %v, expected %v", name, got, meant)
		}
	}
}

// TestNamesOfLines: the names are those of all records, also where other programs
// have written some.
func TestNamesOfLines(t *testing.T) {
	for _, foreign := range []string{"", `{"seats":[{"bot":"x"}],"id":"1","game":"toy","case":{"text":""},"events":[]}`} {
		list := []Record{namedRecord("1", "a", "b"), namedRecord("2", "a", "b"), namedRecord("2", "b", "a")}
		var lines []Line
		for _, r := range list {
			r.V = Version
			lines = append(lines, encode(t, r))
		}
		if foreign != "" {
			lines = append(lines, Line{Bytes: []byte(foreign)})
		}
		var names Names
		names.AddShared(func(yield func(Line, error) bool) {
			for _, line := range lines {
				if !yield(line, nil) {
					return
				}
			}
		})
		for i, shared := range []bool{foreign != "", true, true} {
			if got := names.Of(&list[i]); (got != "") != shared {
				t.Errorf("with %q, match %d is called %q", foreign, i, got)
			}
		}
	}
}
