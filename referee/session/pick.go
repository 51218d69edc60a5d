package session

import (
	"errors"
	"iter"
	"os"
	"slices"
	"strings"

	"umpire/referee/record"
	"umpire/referee/standings"
	"umpire/referee/suggest"
)

// Pick chooses records of results files.
type Pick struct {
	Files  []string
	ID     string // the match's name, or a beginning that no other has; "": any
	Filter standings.Filter
}

// Where names the files.
func (p Pick) Where() string { return strings.Join(p.Files, ", ") }

// Found is a record with its place in a file.
type Found struct {
	record.Record
	Line record.Line
}

// Records yields the records that are picked; with an ID, the one of its match that
// counts. A cut-off last line is told and skipped. If what is picked is not there,
// the last error says so. Errors are the user's.
func (f *Files) Records(p Pick) iter.Seq2[Found, error] {
	if p.ID == "" {
		return f.Called(p)
	}
	return func(yield func(Found, error) bool) { yield(f.one(p)) }
}

// Called is Records, but yields all records that the ID may mean.
func (f *Files) Called(p Pick) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		n := 0
		torn := func(err error) { f.Notice("umpire: %v: skipped\n", err) }
		for one, err := range found(f.named(p), torn) {
			switch {
			case err == nil && p.Filter.Active() && !keeps(&p.Filter, &one.Record):
				continue
			case err == nil && !one.IsCalled(p.ID):
				continue
			}
			n++
			if !yield(one, Mistaken(err)) || err != nil {
				return
			}
		}
		if err := p.unknown(); err != nil {
			yield(Found{}, err)
		} else if n == 0 {
			yield(Found{}, p.nothing())
		}
	}
}

// found yields the records on lines. What is cut off is told to torn, and left out.
func found(lines iter.Seq2[record.Line, error], torn func(error)) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		for line, err := range lines {
			one := Found{Line: line}
			if err == nil {
				one.Record, err = line.Record()
			}
			if errors.Is(err, record.ErrTorn) {
				torn(err)
			} else if !yield(one, err) {
				return
			}
		}
	}
}

// named yields lines that know the names of the matches of all files. Of standard
// input, unless it is kept, the names are those of the matches so far. Lines of other
// ids may be left out, unless they are needed to say what there is.
func (f *Files) named(p Pick) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		var names record.Names
		names.AddShared(record.WithID(f.linesAgain(p.Files), p.ID))
		lines := f.Lines(p.Files)
		if !p.Filter.Active() {
			lines = record.WithID(lines, p.ID)
		}
		for line, err := range lines {
			if err == nil && line.File == "-" {
				names.AddLine(line)
			}
			line.Names = &names
			if !yield(line, err) {
				return
			}
		}
	}
}

// linesAgain yields the lines of those files that can be read again.
func (f *Files) linesAgain(files []string) iter.Seq2[record.Line, error] {
	return f.Lines(slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !f.CanReadAgain(name) }))
}

// CanReadAgain reports whether a file can be read several times.
func (f *Files) CanReadAgain(name string) bool {
	if name == "-" {
		return f.kept != nil
	}
	info, err := os.Stat(ResultsIn(name))
	return err == nil && info.Mode().IsRegular()
}

// keeps reports whether a filter keeps a record.
func keeps(filter *standings.Filter, r *record.Record) bool {
	bots := make([]standings.Bot, len(r.Seats))
	for i, s := range r.Seats {
		bots[i] = standings.Bot{Name: s.Bot, Digest: s.Digest, House: s.House}
	}
	return filter.KeepMatch(r.Game, r.Case.Name, bots)
}

// nothing returns the error of a pick that leaves no record.
func (p *Pick) nothing() error {
	switch {
	case p.Filter.Active():
		return mistakef("%s: no match has all that --bot, --without and --case ask for", p.Where())
	case p.ID != "":
		return mistakef("%s: found no record with id %q", p.Where(), p.ID)
	}
	return mistakef("%s: found no record", p.Where())
}

// unknown returns the error of a filter that names what is in none of the records.
func (p *Pick) unknown() error {
	if words, known := p.Filter.UnknownBots(); len(words) > 0 {
		flag := "--bot"
		if slices.Contains(p.Filter.Without, words[0]) {
			flag = "--without"
		}
		return mistakef("%s: no bot %q in %s%s", flag, words[0], p.Where(), suggest.DidYouMean(words[0], known, listed("bot", known)))
	}
	if words, known := p.Filter.UnknownCases(); len(words) > 0 {
		return mistakef("--case: no match on case %q in %s%s", words[0], p.Where(), suggest.DidYouMean(words[0], known, listed("case", known)))
	}
	return nil
}

// LinesOfID yields the lines that hold the records with the ID of a pick; without
// an ID, all lines. Its filter is ignored.
func (f *Files) LinesOfID(p Pick) iter.Seq2[record.Line, error] {
	p.Filter = standings.Filter{}
	if p.ID == "" {
		return f.named(p)
	}
	return func(yield func(record.Line, error) bool) {
		lines, err := p.search(f.named(p))
		if err != nil {
			yield(record.Line{}, err)
			return
		}
		for line := range slices.Values(lines) {
			if !yield(line, nil) {
				return
			}
		}
	}
}

// search finds the lines with the ID of a pick. The error is the user's.
func (p Pick) search(lines iter.Seq2[record.Line, error]) ([]record.Line, error) {
	search := record.Search{Name: p.ID, Where: p.Where()}
	for line, err := range lines {
		if err != nil {
			return nil, err
		}
		search.Add(line)
	}
	found, err := search.Lines()
	if err != nil {
		return nil, mistakef("--id: %w", err)
	}
	return found, nil
}

// One finds the one record that is picked; of several of one match, the one that
// counts.
func (f *Files) One(p Pick) (record.Record, error) {
	if p.ID == "" {
		return f.only(p)
	}
	one, err := f.one(p)
	return one.Record, err
}

// one finds the record that counts of the match with the ID of a pick.
func (f *Files) one(p Pick) (one Found, err error) {
	lines, err := p.search(func(yield func(record.Line, error) bool) {
		for r, err := range f.Called(p) {
			if !yield(r.Line, err) {
				return
			}
		}
	})
	for i, line := range lines {
		r, err := line.Record()
		if err != nil {
			return one, Mistaken(err)
		}
		if i == 0 || record.Supersedes(one.Error != "", r.Error != "") {
			one = Found{r, line}
		}
	}
	return one, err
}

// only returns the record that is picked, if it is the only one.
func (f *Files) only(p Pick) (one record.Record, err error) {
	n := 0
	for r, err := range f.Records(p) {
		if err != nil {
			return one, err
		}
		if n++; n == 1 {
			one = r.Record
		}
	}
	if n > 1 {
		return one, mistakef("%s: found %d records, expected --id ID, such as --id %s", p.Where(), n, one.Called())
	}
	return one, nil
}
