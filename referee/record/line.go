package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Line is one line of a results file.
type Line struct {
	File   string
	Number int // from 1
	Bytes  []byte
	Whole  bool  // it ends with a newline
	Cut    bool  // compressed data is cut off in it: it stands for all that followed, too
	Offset int64 // of the line's first byte from the start of what is read

	Names *Names // of the matches at hand; nil: each is called by its id
}

// ErrTorn is wrapped by the error of a line that is torn: the end of a file that
// was being written when everything stopped.
var ErrTorn = errors.New("the line is cut off")

// torn reports whether the line has no newline, and no more than the beginning of an
// object in it or zeros at its end, as a power cut leaves them.
func (l Line) torn() bool {
	if l.Whole || len(l.Bytes) == 0 || l.Bytes[len(l.Bytes)-1] == 0 {
		return !l.Whole
	}
	err := jsonv2.Unmarshal(l.Bytes, new(jsontext.Value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return l.Bytes[0] == '{' && errors.Is(err, io.ErrUnexpectedEOF)
}

func (l Line) error(err error) error {
	if l.torn() {
		err = fmt.Errorf("%w (%w)", ErrTorn, err)
	}
	return fmt.Errorf("%s:%d: not a match record: %w", l.File, l.Number, err)
}

// Record reads the line.
func (l Line) Record() (r Record, err error) {
	if err = l.Decode(&r); err == nil {
		l.name(&r)
	}
	return r, err
}

// name gives a record the name by which it is called among others.
func (l Line) name(r *Record) {
	if l.Names != nil {
		r.Name = l.Names.Of(r)
	}
}

// Decode reads the line into a value that has some or all of a record's fields.
// It refuses a line that is not in the form of a record, even in members for
// which into has no field.
func (l Line) Decode(into any) error {
	_, err := l.decode(into)
	return err
}

// DecodeCounted is Decode for readers that count records, into a value that r is
// part of. It also refuses a record that umpire has written if a seat's verdict,
// score, place or number of replies is missing.
func (l Line) DecodeCounted(into any, r *Record) error {
	missing, err := l.decode(into)
	if err == nil {
		if err = incomplete(r.V, r.Umpire, r.Error != "", missing); err != nil {
			err = l.error(err)
		}
	}
	return err
}

// decode is Decode; missing is that of check.
func (l Line) decode(into any) (missing string, err error) {
	missing, err = check(l.Bytes)
	if err == nil {
		err = jsonv2.Unmarshal(l.Bytes, into)
	}
	if err != nil {
		return "", l.error(err)
	}
	return missing, nil
}

// inForm reports whether the line is in the form of a record.
func (l Line) inForm() bool {
	_, err := check(l.Bytes)
	return err == nil
}

// Record is Scan and Line.Record in one, which checks the form of the line once.
func (s *Scanner) Record(line Line, b *Summary) (r Record, err error) {
	if err = s.Scan(line.Bytes, b); err == nil {
		err = jsonv2.Unmarshal(line.Bytes, &r, jsontext.AllowDuplicateNames(true)) // there are none
	}
	if err != nil {
		return r, line.error(err)
	}
	line.name(&r)
	return r, nil
}

// lineHead is the beginning of every line that umpire writes. The id follows it.
const lineHead = `{"v":1,"id":"`

// headID returns the id of a line that begins as umpire writes it, without
// reading the rest; ok is false for any other line.
func headID(line []byte) (id []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(lineHead))
	if !ok {
		return nil, false
	}
	id, _, ok = bytes.Cut(rest[:min(len(rest), MaxName+1)], []byte{'"'})
	return id, ok && bytes.IndexByte(id, '\\') < 0
}
