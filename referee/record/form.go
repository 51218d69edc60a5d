package record

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/interaction"
	"umpire/referee/talk"
)

// MaxSeats is the most seats that a record may have.
const MaxSeats = 16

// MaxCPUs is the most CPUs that a record may tell of.
const MaxCPUs = 1024

// MaxName is the most bytes that a name in a record may have: an id, or the
// name of a game, case, group, bot, digest, verdict or version.
const MaxName = 4096

// kind is the kind of value that a member may have.
type kind int

const (
	aText kind = iota // a string of any length
	aName             // a string of at most MaxName bytes
	aChoice
	anInt
	aScore
	aFloat // any finite number
	aBool
	anObject
	aList
	aSpeaker
)

// member is one member of an object of a record. A null counts as a missing
// member.
type member struct {
	name      string
	quoted    string // the name in quotes
	kind      kind
	low, high int64    // range of anInt, or of the number of elements of aList
	choices   []string // the words of aChoice
	of        *form    // form of anObject, or of the elements of aList
	claim     bool     // part of the outcome, which umpire's own records hold
}

// form lists the members of an object of a record. Unknown members are skipped,
// so that later versions and other programs may add theirs.
type form struct {
	members []member
	claims  uint64 // bit i: members[i] is a claim
}

// forms are those of the objects.
type forms struct{ record, caseOf, limits, seat, event, void *form }

// allForms takes the forms from the objects' Go types, so that reading and writing can't
// differ. It does so when it is called first: a bot of umpire's own reads no records.
var allForms = sync.OnceValue(func() *forms {
	r := formOf(reflect.TypeFor[Record]())
	return &forms{r, r.get("case").of, r.get("limits").of, r.get("seats").of, r.get("events").of, r.get("voids").of}
})

// ranges of numbers by the name that a field's tag `range` gives, or else by
// the end of its JSON name. They are far beyond what a match can reach, and
// small enough to be summed over millions of matches.
var ranges = map[string][2]int64{
	"_us":    {0, 1e12}, // 11 days
	"_bytes": {0, 1 << 50},
	"budget": {0, 1e18},
	"place":  {0, MaxSeats},
	"cpus":   {1, MaxCPUs},
	"v":      {0, Version}, // 0: made by hand
	"seats":  {0, MaxSeats},
	"voids":  {0, referee.MaxPlays - 1},
	"game":   {0, talk.MaxSeats},
	"to":     {0, interaction.MaxProcesses},
	"events": {0, 1 << 20}, // a match has at most a million replies, and a failure of each seat
	"":       {0, 1e9},
}

func formOf(t reflect.Type) *form {
	f := &form{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		m := member{name: name, quoted: `"` + name + `"`, claim: field.Tag.Get("claim") != ""}
		if m.claim {
			f.claims |= 1 << len(f.members)
		}
		limits := field.Tag.Get("range")
		for _, end := range []string{"_us", "_bytes"} {
			if limits == "" && strings.HasSuffix(name, end) {
				limits = end
			}
		}
		m.low, m.high = ranges[limits][0], ranges[limits][1]
		m.kind, m.of = kindOf(field.Type)
		switch words := field.Tag.Get("text"); words {
		case "":
		case "name":
			m.kind = aName
		case "verdict":
			m.kind = aChoice
			for _, v := range referee.Verdicts {
				m.choices = append(m.choices, string(v.Verdict))
			}
		default:
			m.kind, m.choices = aChoice, strings.Split(words, ",")
		}
		f.members = append(f.members, m)
	}
	return f
}

func kindOf(t reflect.Type) (kind, *form) {
	switch t {
	case reflect.TypeFor[protocols.Score]():
		return aScore, nil
	case reflect.TypeFor[Speaker]():
		return aSpeaker, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.String:
		return aText, nil
	case reflect.Bool:
		return aBool, nil
	case reflect.Float64:
		return aFloat, nil
	case reflect.Struct:
		return anObject, formOf(t)
	case reflect.Slice:
		return aList, formOf(t.Elem())
	case reflect.Int, reflect.Int64:
		return anInt, nil
	}
	panic(fmt.Sprintf("record: no form for %s", t))
}

func (f *form) get(name string) *member {
	for i := range f.members {
		if f.members[i].name == name {
			return &f.members[i]
		}
	}
	panic("record: no member " + name)
}

// index returns the index of the member with the given name, in quotes, which is
// probably the next one; -1 if the form has no such member.
func (f *form) index(quoted []byte, next int) int {
	if next < len(f.members) && f.members[next].quoted == string(quoted) {
		return next
	}
	return slices.IndexFunc(f.members, func(m member) bool { return m.quoted == string(quoted) })
}

// inOtherCase returns the member whose name differs from the given one only in
// case, which some readers of JSON would accept for it.
func (f *form) inOtherCase(name []byte) (string, bool) {
	for _, m := range f.members {
		if strings.EqualFold(m.name, string(name)) {
			return m.name, true
		}
	}
	return "", false
}
