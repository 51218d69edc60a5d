package dispatch

import (
	"fmt"

	"umpire/referee/arena"
)

// Decisions are what is to be done when the state is no longer locked.
type Decisions struct {
	Notes    []string // lines for people
	Gives    []Give
	Kicks    []string // ids of workers whose connections are to end
	Excluded []string // names of workers whose records do not count
}

// Give is a job for a slot that has asked for one.
type Give struct {
	Reply    string // subject
	ID       string // of the job; "": there is none for the time being
	Fixtures []arena.Fixture
	At       []int // the numbers of their records
}

func (d *Decisions) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}
