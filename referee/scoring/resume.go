package scoring

// Wanted is a submission with all matches that it is to be scored on, as
// records of matches not yet played.
type Wanted struct {
	Name, Digest string
	Matches      []Entry
}

// Resume puts the wanted submissions first among the results, each with those
// of its matches that have been played, under its own name or, unless own is set,
// any other. Missing lists, for each, the indexes of the other matches. Planned holds the results as if all
// had been played, for Check.
func (r *Results) Resume(wanted []Wanted, own bool) (missing [][]int, planned Results) {
	given, all := make([]*Submission, len(wanted)), make([]*Submission, len(wanted))
	missing = make([][]int, len(wanted))
	for i, w := range wanted {
		r.names.Add("", w.Name, w.Digest, false)
		given[i], all[i] = NewSubmission(w.Name, w.Digest), NewSubmission(w.Name, w.Digest)
		for n, e := range w.Matches {
			all[i].Add(e)
			have, ok := r.Find(w.Name, w.Digest, e.Record.Case.Text, e.Record.ID, e.Seat)
			if ok && (!own || have.Record.Seats[have.Seat-1].Bot == w.Name) {
				given[i].Add(have)
			} else {
				missing[i] = append(missing[i], n)
			}
		}
	}
	planned.Submissions, planned.names = r.Submissions, r.names
	planned.Order(all...)
	r.Order(given...)
	return missing, planned
}
