package report

import (
	"cmp"
	"fmt"

	"umpire/referee/record"
)

// Judged prints the result of verifying a record, unless it is simply valid.
func Judged(p *Printer, line record.Line, j record.Verification) {
	at := SafeLine(fmt.Sprintf("%s:%d: record %s", line.File, line.Number, cmp.Or(j.Name, j.ID)))
	switch {
	case !j.Valid:
		p.Printf("%s is not valid: %s\n", at, j.Why)
	case j.Error != "":
		p.Printf("%s has no result: %s\n", at, j.Error)
	case j.Unchecked != "":
		p.Printf("%s can be judged only in part: %s\n", at, j.Unchecked)
	}
}

// Verified counts records by the result of verifying them.
type Verified struct{ Valid, Invalid, Failed, Partly, NotJudged int }

// Add counts a record.
func (v *Verified) Add(j record.Verification) {
	switch {
	case !j.Valid:
		v.Invalid++
	case j.Error != "":
		v.Failed++
	default:
		v.Valid++
		if j.Judge == record.JudgeNotRun && j.Unchecked == "" {
			v.NotJudged++
		}
		if j.Unchecked != "" {
			v.Partly++
		}
	}
}

func (v Verified) String() string {
	text := fmt.Sprintf("%s: %d valid, %d not", Plural(v.Valid+v.Invalid+v.Failed, "record"), v.Valid, v.Invalid)
	if v.Failed > 0 {
		text += fmt.Sprintf(", %d without a result", v.Failed)
	}
	if v.Partly > 0 {
		text += fmt.Sprintf("; %d of the valid can be judged only in part", v.Partly)
	}
	if v.NotJudged > 0 {
		text += fmt.Sprintf("; of %d the judge was not run: --game DIR runs it", v.NotJudged)
	}
	return text
}

// FolderVerification is the result of verifying a run folder, beyond its records.
type FolderVerification struct {
	Folder  string `json:"folder"`
	Valid   bool   `json:"valid"`
	Why     string `json:"why,omitempty"`
	Old     bool   `json:"old,omitempty"`   // an earlier version began the run: not all is known of its cases and bots
	Missing int    `json:"missing"`         // matches of the schedule that were not played; in rounds, of Round
	Round   int    `json:"round,omitempty"` // from 1; 0: no match is missing, or there are no rounds
	Lines   int    `json:"lines"`           // of the results
	Covered int    `json:"covered"`         // lines, from the first, of which the run has kept a digest
}

func (f FolderVerification) String() string {
	text := f.Folder + ": "
	switch {
	case !f.Valid:
		text += "not valid: " + f.Why
	case f.Missing > 0 && f.Round > 0:
		text += fmt.Sprintf("unfinished: round %d lacks %s", f.Round, Plural(f.Missing, "match"))
	case f.Missing > 0:
		text += fmt.Sprintf("unfinished: the schedule lacks %s", Plural(f.Missing, "match"))
	case f.Old:
		text += "begun by an earlier version of umpire: not all of its bots, cases and schedule could be checked"
	default:
		text += "as its schedule says"
	}
	switch {
	case !f.Valid:
	case f.Covered < f.Lines:
		text += fmt.Sprintf("; the run's digest covers %d of %s", f.Covered, Plural(f.Lines, "line"))
	default:
		text += "; the run's digest covers all lines"
	}
	return text
}
