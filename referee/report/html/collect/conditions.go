package collect

import (
	"umpire/referee/record"
	"umpire/referee/report/html/page"
)

// Conditions are properties that matches have in common.
type Conditions struct {
	From, To string                     // when the first and the last match started, in RFC 3339; "" if that is not known
	Values   map[string]map[string]bool // that matches had, by the name of the property
}

// add notes the properties of a match.
func (c *Conditions) add(r *record.Record) {
	c.note("umpire", r.Umpire)
	c.note("isolation", r.Isolation)
	for name, value := range r.Limits.Words(r.Package) {
		c.note(name, value)
	}
	started := page.SafeLine(r.Started)
	if started != "" && (c.From == "" || started < c.From) {
		c.From = started
	}
	c.To = max(c.To, started)
}

// note notes a property of the matches, of a few values.
func (c *Conditions) note(name, value string) {
	if value == "" {
		return
	}
	if c.Values[name] == nil {
		c.Values[name] = make(map[string]bool)
	}
	if value = page.SafeLine(value); len(c.Values[name]) >= 8 && !c.Values[name][value] {
		value = "…"
	}
	c.Values[name][value] = true
}
