package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"umpire/protocols"
	"umpire/referee/interaction"
)

// maxDepth is how deeply values may be nested in a member that the form does not
// have.
const maxDepth = 32

// formReader reads the JSON text of a record and checks it against the record's
// form, without building values from it. jsontext finds what is no JSON, bytes
// that are not UTF-8, and names that occur twice in an object. After the first
// error it reads nothing more.
type formReader struct {
	decoder  jsontext.Decoder
	text     bytes.Buffer
	line     []byte
	unquoted []byte // the last string that had escapes
	missing  string // the first claim that was not made
	err      error
}

// begin begins to read a line.
func (r *formReader) begin(line []byte) {
	r.text = *bytes.NewBuffer(line)
	r.decoder.Reset(&r.text)
	r.line, r.missing, r.err = line, "", nil
}

// end returns the error of what was read. Nothing may follow it in the line.
func (r *formReader) end() error {
	if r.err != nil {
		return r.err
	}
	switch token, err := r.decoder.ReadToken(); {
	case err == nil:
		return fmt.Errorf("byte %d: found %q, expected the end of the line", r.decoder.InputOffset(), token.String())
	case err != io.EOF:
		r.invalid(err, "the end of the line")
	}
	return r.err
}

// fail records the first error, in the member that a pointer names.
func (r *formReader) fail(in jsontext.Pointer, format string, args ...any) {
	if r.err != nil {
		return
	}
	r.err = fmt.Errorf(format, args...)
	if path := memberPath(in); path != "" {
		r.err = fmt.Errorf("%s: %w", path, r.err)
	}
}

// memberPath writes a pointer such as /seats/0/score as seats[0].score.
func memberPath(p jsontext.Pointer) string {
	var path strings.Builder
	for token := range p.Tokens() {
		switch _, err := strconv.ParseUint(token, 10, 32); {
		case err == nil:
			path.WriteString("[" + token + "]")
		case path.Len() > 0:
			path.WriteByte('.')
			fallthrough
		default:
			path.Write(clip([]byte(token)))
		}
	}
	return path.String()
}

// foundExpected words an error of the decoder like umpire's other messages: what
// was found, and what was expected. Where any value was expected, want says which.
func foundExpected(text, want string) string {
	found, expected, ok := strings.Cut(text, " (expecting ")
	if before, isStart := strings.CutSuffix(found, " at start of value"); isStart {
		found, expected, ok = before, want, true
	}
	if rest, isCharacter := strings.CutPrefix(found, "invalid character "); isCharacter {
		found = "found " + rest
	} else if rest, isOther := strings.CutPrefix(found, "invalid "); isOther {
		found = "found an invalid " + rest
	}
	if !ok {
		return found
	}
	return found + ", expected " + strings.TrimSuffix(expected, ")")
}

// invalid records an error of the decoder; want says what was expected.
func (r *formReader) invalid(err error, want string) {
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		r.fail("", "byte %d: found the end of the line, expected %s", r.decoder.InputOffset()+1, want)
	case !errors.As(err, &syntax):
		r.fail("", "%w", err)
	case errors.Is(err, jsontext.ErrDuplicateName):
		r.fail(syntax.JSONPointer.Parent(), "found %q twice", clip([]byte(syntax.JSONPointer.LastToken())))
	case errors.Is(err, io.ErrUnexpectedEOF):
		r.fail(syntax.JSONPointer, "byte %d: found the end of the line, expected %s", syntax.ByteOffset+1, want)
	case strings.Contains(syntax.Err.Error(), "UTF-8"):
		r.fail(syntax.JSONPointer, "byte %d: found bytes that are not UTF-8", syntax.ByteOffset+1)
	default:
		r.fail(syntax.JSONPointer, "byte %d: %s", syntax.ByteOffset+1, foundExpected(syntax.Err.Error(), want))
	}
}

// value reads the next value as it is written, which must be of a kind: '"' for a
// string, '0' for a number, 't' for true or false. The value is valid until the
// next one is read. It is nil after an error, and for a null, which counts as a
// missing value.
func (r *formReader) value(kind jsontext.Kind, want string) []byte {
	if r.err != nil {
		return nil
	}
	value, err := r.decoder.ReadValue()
	if err != nil {
		r.invalid(err, want)
		return nil
	}
	switch found := value.Kind(); {
	case found == kind || found == 'f' && kind == 't':
		return value
	case found != 'n':
		r.unexpected(value, want)
	}
	return nil
}

// unexpected records that a value, which has been read, is not of the member's
// kind.
func (r *formReader) unexpected(value []byte, want string) {
	r.fail(r.decoder.StackPointer(), "found %s, expected %s", clip(value), want)
}

// open reads the beginning of an object or array. It reports false after an
// error, and for a null.
func (r *formReader) open(kind jsontext.Kind, want string) bool {
	if r.err != nil {
		return false
	}
	if r.decoder.PeekKind() == kind {
		r.token(want)
		return true
	}
	if value, err := r.decoder.ReadValue(); err != nil {
		r.invalid(err, want)
	} else if value.Kind() != 'n' {
		r.unexpected(value, want)
	}
	return false
}

// token reads the next piece: what begins or ends an object or array, or any other
// value.
func (r *formReader) token(want string) {
	if _, err := r.decoder.ReadToken(); err != nil {
		r.invalid(err, want)
	}
}

// object reads an object and calls each for every member of the form; each must
// read the value. A name that differs from a member's only in case is an error.
func (r *formReader) object(f *form, each func(i int)) {
	claimed := uint64(0)
	defer func() { r.claims(f, claimed) }()
	if !r.open('{', "an object") {
		return
	}
	for next := 0; r.err == nil && r.decoder.PeekKind() == '"'; {
		name := r.value('"', "a name")
		i := f.index(name, next)
		if i < 0 {
			name = r.unquote(name)
			i = f.index(append(append([]byte{'"'}, name...), '"'), 0)
		}
		if i >= 0 {
			next = i + 1
			start := r.decoder.InputOffset()
			each(i)
			if f.members[i].claim && r.says(start) {
				claimed |= 1 << i
			}
			continue
		}
		if known, ok := f.inOtherCase(name); ok {
			r.fail(r.decoder.StackPointer().Parent(), "found %q, expected it spelled %q", clip(name), known)
			return
		}
		r.skip()
	}
	if r.err == nil {
		r.token("a member or the end of the object")
	}
}

// says reports whether the value that was read from an offset on says anything: a
// null and an empty text do not.
func (r *formReader) says(start int64) bool {
	value := bytes.TrimLeft(r.line[start:r.decoder.InputOffset()], ": \t\r\n")
	return string(value) != "null" && string(value) != `""`
}

// claims notes the first claim that the object just read does not make, of those
// in its form.
func (r *formReader) claims(f *form, claimed uint64) {
	if missing := f.claims &^ claimed; missing != 0 && r.err == nil && r.missing == "" {
		r.missing = memberPath(r.decoder.StackPointer()) + "." + f.members[bits.TrailingZeros64(missing)].name
	}
}

// list reads an array and calls each for every element, which each must read.
func (r *formReader) list(m *member, each func()) {
	if !r.open('[', "an array") {
		return
	}
	for n := int64(0); r.err == nil; n++ {
		switch kind := r.decoder.PeekKind(); {
		case kind == ']' || kind == jsontext.KindInvalid:
			r.token("an element or the end of the array")
			return
		case n == m.high:
			r.fail(r.decoder.StackPointer().Parent(), "found more than %d", m.high)
			return
		}
		each()
	}
}

// string reads a string.
func (r *formReader) string() []byte { return r.unquote(r.value('"', "a string")) }

// unquote returns the text of a string, or nil for nil.
func (r *formReader) unquote(quoted []byte) []byte {
	switch {
	case quoted == nil:
		return nil
	case bytes.IndexByte(quoted, '\\') < 0:
		return quoted[1 : len(quoted)-1]
	}
	r.unquoted, _ = jsontext.AppendUnquote(r.unquoted[:0], quoted) // the decoder has found it to be valid
	return r.unquoted
}

// int reads a number without fraction and exponent.
func (r *formReader) int(low, high int64) int64 {
	text := r.value('0', "a whole number")
	if text == nil {
		return 0
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		r.unexpected(text, "a whole number")
		return 0
	case err != nil || n < low || n > high:
		r.unexpected(text, fmt.Sprintf("%d to %d", low, high))
		return 0
	}
	return n
}

// score reads a score.
func (r *formReader) score() protocols.Score {
	text := r.value('0', "a number")
	if text == nil {
		return protocols.Score{}
	}
	score, err := protocols.ParseScore(string(text))
	if err != nil {
		r.unexpected(text, protocols.ScoreRange)
	}
	return score
}

// float reads any finite number.
func (r *formReader) float() {
	text := r.value('0', "a number")
	if _, err := strconv.ParseFloat(string(text), 64); err != nil && text != nil {
		r.unexpected(text, "a finite number")
	}
}

func (r *formReader) bool() bool { return string(r.value('t', "true or false")) == "true" }

// skip reads any value.
func (r *formReader) skip() {
	start := r.decoder.StackDepth()
	for r.err == nil {
		r.token("a value")
		switch depth := r.decoder.StackDepth(); {
		case depth == start:
			return
		case depth > start+maxDepth:
			r.fail(r.decoder.StackPointer(), "found values nested deeper than %d", maxDepth)
		}
	}
}

// check returns an error if a line is not in the form of a record: one JSON
// object in UTF-8, with no member twice, each spelled as documented, of the
// right type and in range. All readers of records use it. missing names the first
// claim that a seat does not make; "" if they make all.
func check(line []byte) (missing string, err error) {
	var r formReader
	r.begin(line)
	r.member(&member{kind: anObject, of: allForms().record})
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
	if len(text) > 0 && !slices.Contains(m.choices, string(text)) {
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
