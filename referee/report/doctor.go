package report

// Machine prints which limits and isolation a machine can enforce.
type Machine struct {
	Auto   string // the level of isolation that auto is
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
	p.Printf("%s\n", p.Style(Bold, "isolation: --isolation auto is "+v.Auto+" here"))
	for _, l := range v.Levels {
		p.Printf("  %s %s%s\n", mark(p, l.OK), l.Name, enclosed(l.Reason, ": ", ""))
	}
	p.Printf("\n%s\n", p.Style(Bold, "checks"))
	for _, c := range v.Checks {
		p.Printf("  %s %s: %s\n      %s\n", mark(p, c.OK), c.Name, c.Found, c.Means)
		if !c.OK && c.Get != "" {
			p.Printf("      to get it: %s\n", c.Get)
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
