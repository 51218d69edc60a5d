package scoring

import (
	"cmp"
	"slices"

	"umpire/referee/cases"
	"umpire/referee/record"
)

// Results holds the matches of submissions, collected from records.
type Results struct {
	Submissions []*Submission // in the order in which they first appear

	index map[[2]string]*Submission // by name and digest; rebuilt if incomplete
	names record.BotNames           // of all who have played or are wanted
}

// Called returns what a contestant is called among the others.
func (r *Results) Called(name, digest string) string { return r.names.Of("", name, digest, false) }

// Submission is a contestant's program with the matches it played. It is
// identified by name and digest together: a program may be submitted under two
// names, and a new version under the old name.
type Submission struct {
	Name, Digest string

	matches map[string][]Entry // by the case's canonical text
	at      map[entryKey]int   // index of a match in its list
}

// entryKey names a seat's part in a match.
type entryKey struct {
	text, id string
	seat     int
}

// NewSubmission returns a submission that has played nothing yet.
func NewSubmission(name, digest string) *Submission {
	return &Submission{Name: name, Digest: digest, matches: make(map[string][]Entry), at: make(map[entryKey]int)}
}

// Submission returns the submission with a name and digest, which it adds if
// necessary.
func (r *Results) Submission(name, digest string) *Submission {
	if r.index == nil || len(r.index) != len(r.Submissions) {
		r.index = make(map[[2]string]*Submission)
		for _, s := range r.Submissions {
			r.index[[2]string{s.Name, s.Digest}] = s
		}
	}
	key := [2]string{name, digest}
	s := r.index[key]
	if s == nil {
		s = NewSubmission(name, digest)
		r.Submissions, r.index[key] = append(r.Submissions, s), s
	}
	return s
}

// Find finds the match with an id that a program with the digest has played in
// a seat on the case with the text: under the name or, if there is none, under
// another.
func (r *Results) Find(name, digest, text, id string, seat int) (found Entry, ok bool) {
	for _, s := range r.Submissions {
		e, has := s.find(text, id, seat)
		if !has || s.Digest != digest {
			continue
		}
		if s.Name == name {
			return e, true
		}
		if !ok {
			found, ok = e, true
		}
	}
	return found, ok
}

// Order puts submissions first, replacing those with the same names and
// digests, and sorts the others by name.
func (r *Results) Order(first ...*Submission) {
	rest := slices.DeleteFunc(slices.Clone(r.Submissions), func(old *Submission) bool {
		return slices.ContainsFunc(first, func(s *Submission) bool { return s.Name == old.Name && s.Digest == old.Digest })
	})
	slices.SortFunc(rest, func(a, b *Submission) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Digest, b.Digest))
	})
	r.Submissions, r.index = append(slices.Clone(first), rest...), nil
}

// Only returns the results of the submissions to keep, called as among all.
func (r *Results) Only(keep func(*Submission) bool) Results {
	out := Results{names: r.names}
	for _, s := range r.Submissions {
		if keep(s) {
			out.Submissions = append(out.Submissions, s)
		}
	}
	return out
}

// Add adds a record: every seat not taken by the house becomes an entry of the
// submission that sat there. The case's text must be canonical.
func (r *Results) Add(rec *record.Record) {
	for i, s := range rec.Seats {
		if rec.Error == "" {
			r.names.Add("", s.Bot, s.Digest, s.House)
		}
		if !s.House {
			r.Submission(s.Bot, s.Digest).Add(Entry{rec, i + 1})
		}
	}
}

// TakeNotJudged removes the submissions that could not be judged, for want of their
// language say, and returns why, by name.
func (r *Results) TakeNotJudged() map[string]string {
	taken := make(map[string]string)
	r.Submissions = slices.DeleteFunc(slices.Clone(r.Submissions), func(s *Submission) bool {
		for _, entries := range s.matches {
			for _, e := range entries {
				if why, ok := e.Record.NotJudged(e.seat().Bot); ok {
					taken[s.Name] = why
					return true
				}
			}
		}
		return false
	})
	r.index = nil
	return taken
}

// TakeFailed removes the submissions that have matches without a result on cases of a set, and
// returns those matches of each. None of their other results counts.
func (r *Results) TakeFailed(set cases.Set) (failed [][]Entry) {
	r.Submissions = slices.DeleteFunc(slices.Clone(r.Submissions), func(s *Submission) bool {
		list := s.failed(set)
		if list != nil {
			failed = append(failed, list)
		}
		return list != nil
	})
	r.index = nil
	return failed
}

// failed returns the matches without a result on cases of a set.
func (s *Submission) failed(set cases.Set) (list []Entry) {
	for _, c := range set.Cases {
		for _, e := range s.on(c) {
			if e.Record.Error != "" {
				list = append(list, e)
			}
		}
	}
	return list
}

// Add adds one match. Of records with the same id, record.Supersedes says which
// counts.
func (s *Submission) Add(e Entry) {
	text := e.Record.Case.Text
	have := s.matches[text]
	key := entryKey{text, e.Record.ID, e.Seat}
	if i, ok := s.at[key]; ok {
		if record.Supersedes(have[i].Record.Error != "", e.Record.Error != "") {
			have[i] = e
		}
		return
	}
	if e.Record.ID != "" {
		s.at[key] = len(have)
	}
	s.matches[text] = append(have, e)
}

// find finds a match that was played, not one that umpire failed to play.
func (s *Submission) find(text, id string, seat int) (Entry, bool) {
	i, ok := s.at[entryKey{text, id, seat}]
	if !ok || s.matches[text][i].Record.Error != "" {
		return Entry{}, false
	}
	return s.matches[text][i], true
}

// on returns the submission's matches on a case, in an order that does not
// depend on when each of them ended: those under the case's name or, if there
// are none, those on an equal case.
func (s *Submission) on(c cases.Case) []Entry {
	all := s.matches[c.String()]
	named := slices.DeleteFunc(slices.Clone(all), func(e Entry) bool { return e.Record.Case.Name != c.Name })
	if len(named) == 0 {
		named = slices.Clone(all)
	}
	slices.SortFunc(named, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Record.ID, b.Record.ID))
	})
	return named
}
