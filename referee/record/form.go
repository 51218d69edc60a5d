package record

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

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

// forms of the objects, taken from their Go types, so that reading and writing
// can't differ.
var (
	recordForm = formOf(reflect.TypeFor[Record]())
	caseForm   = recordForm.get("case").of
	limitsForm = recordForm.get("limits").of
	seatForm   = recordForm.get("seats").of
	eventForm  = recordForm.get("events").of
	voidForm   = recordForm.get("voids").of
)

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
	"game":   {0, talk.MaxSeats},
	"to":     {0, interaction.MaxProcesses},
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
			m.kind, m.choices = aChoice, verdicts()
		default:
			m.kind, m.choices = aChoice, strings.Split(words, ",")
		}
		f.members = append(f.members, m)
	}
	return f
}

// verdicts lists the verdicts that a seat may have.
func verdicts() []string {
	var list []string
	for _, v := range referee.Verdicts {
		list = append(list, string(v.Verdict))
	}
	return list
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

// check returns an error if a line is not in the form of a record: one JSON
// object in UTF-8, with no member twice, each spelled as documented, of the
// right type and in range. All readers of records use it. missing names the first
// claim that a seat does not make; "" if they make all.
func check(line []byte) (missing string, err error) {
	var r formReader
	r.begin(line)
	r.member(&member{kind: anObject, of: recordForm})
	return r.missing, r.end()
}

// incomplete is the error of a record that umpire has written, and of which a
// claim is missing: a reader that counts would take it for 0, or for a failure.
// What other programs write may leave out everything that follows from the
// events, and where umpire failed there is no outcome.
func incomplete(version int, umpire string, failed bool, missing string) error {
	if version == 0 || umpire == "" || failed || missing == "" {
		return nil
	}
	return fmt.Errorf("%s: found none, expected it in a record of umpire %s", missing, umpire)
}

// member reads the value of a member and checks it.
func (r *formReader) member(m *member) {
	switch m.kind {
	case aText:
		r.string()
	case aName:
		r.name()
	case aChoice:
		r.choice(m)
	case anInt:
		r.int(m.low, m.high)
	case aScore:
		r.score()
	case aFloat:
		r.float()
	case aBool:
		r.bool()
	case aSpeaker:
		r.speaker()
	case anObject:
		r.object(m.of, func(i int) { r.member(&m.of.members[i]) })
	case aList:
		r.list(m, func() { r.object(m.of, func(i int) { r.member(&m.of.members[i]) }) })
	}
}

// name reads a string that is a name.
func (r *formReader) name() []byte {
	text := r.string()
	if len(text) > MaxName {
		r.fail(r.decoder.StackPointer(), "found %d bytes, expected at most %d", len(text), MaxName)
	}
	return text
}

// choice reads one of several words, or an empty string.
func (r *formReader) choice(m *member) []byte {
	text := r.string()
	if len(text) > 0 && !slices.ContainsFunc(m.choices, func(word string) bool { return word == string(text) }) {
		r.fail(r.decoder.StackPointer(), "found %q, expected one of %s", clip(text), strings.Join(m.choices, ", "))
	}
	return text
}

// speaker reads who did something: the judge, or the seat.
func (r *formReader) speaker() {
	if r.decoder.PeekKind() == '"' {
		r.choice(&member{choices: []string{"judge"}})
		return
	}
	r.int(1, interaction.MaxProcesses)
}

// clip shortens a text for a message.
func clip(text []byte) []byte {
	const limit = 40
	if len(text) <= limit {
		return text
	}
	n := limit
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return append(text[:n:n], "…"...)
}
