package html

import (
	"slices"

	"umpire/referee/report/html/page"
)

// Run describes how the matches of a results file were played.
type Run struct {
	Name     string // of the folder or file
	Facts    []Fact
	Config   string // the resolved configuration; "" if none is known
	Commands []Command
}

// Fact is a property of a run.
type Fact struct{ Name, Value string }

// Command is a command line, and what it does.
type Command struct{ What, Line string }

func safeRuns(runs []Run) []Run {
	out := slices.Clone(runs)
	for i := range out {
		r := &out[i]
		r.Name, r.Config = page.PublishedLine(r.Name), page.Published(page.Clip(r.Config, page.MaxText))
		r.Facts, r.Commands = slices.Clone(r.Facts), slices.Clone(r.Commands)
		for n := range r.Facts {
			r.Facts[n].Value = page.PublishedLine(r.Facts[n].Value)
		}
		for n := range r.Commands {
			r.Commands[n].Line = page.PublishedLine(r.Commands[n].Line)
		}
	}
	return out
}
