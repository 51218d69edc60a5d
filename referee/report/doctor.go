package report

import "cmp"

// Machine prints which limits and isolation a machine can enforce.
type Machine struct {
	Auto   string // the level of isolation that auto is; "" if that is not known
	Levels []MachineLevel
	Checks []MachineCheck
}

// MachineLevel is a level of isolation, and why the machine lacks it.
type MachineLevel struct {
	Name   string
	OK     bool
	Reason string // "" where it has it
}

// MachineCheck is one fact about a machine.
type MachineCheck struct {
	Name  string
	OK    bool
	Found string
	Means string // what it matters for
	Get   string // how to get it; "" if that is not known
}

// Print prints the report for people.
func (v Machine) Print(p *Printer) {
	p.Printf("%s\n", p.Style(Bold, "isolation: --isolation auto is "+cmp.Or(v.Auto, "not known")+" here"))
	for _, l := range v.Levels {
		p.Printf("  %s %s\n", mark(p, l.OK), p.WrapAfter(6, l.Name+enclosed(l.Reason, ": ", "")))
	}
	p.Printf("\n%s\n", p.Style(Bold, "checks"))
	for _, c := range v.Checks {
		p.Printf("  %s %s\n      %s\n", mark(p, c.OK), p.WrapAfter(6, c.Name+": "+c.Found), p.WrapAfter(6, c.Means))
		if !c.OK && c.Get != "" {
			p.Printf("      %s\n", p.WrapAfter(6, "to get it: "+c.Get))
		}
	}
}

// mark shows whether something is there.
func mark(p *Printer, ok bool) Text {
	if ok {
		return p.Style(Green, "ok")
	}
	return p.Style(Yellow, "--")
}
