package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"umpire/referee/fleet/status"
)

// FleetCrew describes in a few words who plays, for a line of progress.
func FleetCrew(f *status.Fleet) string {
	n, busy := 0, 0
	for _, w := range f.Workers {
		if busy += w.Busy; w.There() {
			n++
		}
	}
	switch {
	case f.Draining:
		return fmt.Sprintf("%s to finish", Plural(busy, "match"))
	case n == 0:
		return "no workers"
	}
	return Plural(n, "worker")
}

// FleetProgress describes in a line how far the run has come.
func FleetProgress(f *status.Fleet) string {
	line := fmt.Sprint(f.Done)
	if f.Total > 0 {
		line += fmt.Sprintf("/%d", f.Total)
	}
	line += " matches, " + FleetCrew(f) + enclosed(status.Pace(f.Rate), ", ", "")
	if left := (time.Duration(f.LeftUS) * time.Microsecond).Round(time.Second); left > 0 {
		line += ", " + left.String() + " left"
	}
	return line
}

// PrintFleet prints the workers for people.
func PrintFleet(p *Printer, f *status.Fleet) {
	p.Printf("run %s: %s\n", f.Run, FleetProgress(f))
	if f.Draining {
		p.Printf("it has been interrupted: matches in progress finish, and no more begin\n")
	}
	if len(f.Workers) == 0 {
		return
	}
	p.Printf("\n")
	t := Table{
		Header: []string{"worker", "state", "slots", "matches", "rate", "last word", "isolation", "umpire", "CPU"},
		Right:  []bool{false, false, true, true, true, true},
		Spare:  []int{0, 0, 1, 0, 0, 0, 0, 2, 3},
	}
	scaled := slices.ContainsFunc(f.Workers, func(w status.Worker) bool { return w.Scale != 0 })
	if scaled {
		t.Header, t.Spare = append(t.Header, "budgets"), append(t.Spare, 0)
	}
	for _, w := range f.Workers {
		cells := []any{w.Name, w.State, fmt.Sprintf("%d/%d", w.Busy, w.Slots), w.Matches, cmp.Or(status.Pace(w.Rate), "-"), w.LastWord(), w.Isolation, w.Umpire, w.CPU}
		if scaled {
			cells = append(cells, scaleText(w.Scale))
		}
		t.Add(cells...)
	}
	t.Shade = func(row, column int) Colour {
		if column == 1 {
			return workerColour(f.Workers[row].State)
		}
		return ""
	}
	p.Table(t)
	printReasons(p, f)
}

// scaleText says by what a worker's budgets are multiplied.
func scaleText(scale float64) string {
	if scale == 0 {
		return "-"
	}
	return fmt.Sprintf("× %v", scale)
}

func workerColour(state string) Colour {
	switch state {
	case status.Plays, status.Waits:
		return Green
	case status.Refused, status.Silent:
		return Red
	}
	return Yellow
}

// printReasons prints why workers do not play, and what was done about it.
func printReasons(p *Printer, f *status.Fleet) {
	if slices.ContainsFunc(f.Workers, func(w status.Worker) bool { return w.Why != "" }) {
		p.Printf("\n")
	}
	for _, w := range f.Workers {
		if w.Why != "" {
			p.Printf("%s, %s: %s\n", w.Name, w.State, w.Why)
		}
	}
	var list []string
	for _, c := range []struct {
		n    int64
		what string
	}{
		{f.Returned, "given back"}, {f.Seconds, "given to a second worker"}, {f.Failed, "finished by no worker"},
	} {
		if c.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(list) > 0 {
		p.Printf("\njobs: %s\n", strings.Join(list, ", "))
	}
	if f.Duplicates > 0 {
		p.Printf("second results, refused: %d\n", f.Duplicates)
	}
}
