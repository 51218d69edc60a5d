package report

import (
	"fmt"

	"umpire/referee/record"
)

// Judged prints the result of verifying a record, unless it is simply valid.
func Judged(p *Printer, line record.Line, j record.Verification) {
	at := SafeLine(fmt.Sprintf("%s:%d: record %s", line.File, line.Number, j.ID))
	switch {
	case !j.Valid:
		p.Printf("%s is not valid: %s\n", at, j.Why)
	case j.Error != "":
		p.Printf("%s: umpire could not play this match: %s\n", at, j.Error)
	case j.Unchecked != "":
		p.Printf("%s can be judged only in part: %s\n", at, j.Unchecked)
	}
}

// Verified counts records by the result of verifying them.
type Verified struct{ Valid, Invalid, Failed, Partly int }

// Add counts a record.
func (v *Verified) Add(j record.Verification) {
	switch {
	case !j.Valid:
		v.Invalid++
	case j.Error != "":
		v.Failed++
	default:
		v.Valid++
		if j.Unchecked != "" {
			v.Partly++
		}
	}
}

func (v Verified) String() string {
	text := fmt.Sprintf("%s: %d valid, %d not", Plural(v.Valid+v.Invalid+v.Failed, "record"), v.Valid, v.Invalid)
	if v.Failed > 0 {
		text += fmt.Sprintf(", %d that umpire could not play", v.Failed)
	}
	if v.Partly > 0 {
		text += fmt.Sprintf("; %d of the valid can be judged only in part", v.Partly)
	}
	return text
}
