package collect

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
)

// Conditions are properties that matches have in common.
type Conditions struct {
	From, To string // when the first and the last match started, in RFC 3339; "" if that is not known

	values map[string]map[string]bool
}

// add notes the properties of a match.
func (c *Conditions) add(r *record.Record) {
	c.note("umpire", r.Umpire)
	c.note("isolation", r.Isolation)
	c.note("clock", r.Limits.Clock)
	if r.Limits.TimeUS > 0 {
		c.note("time for all replies", report.TimeText(r.Limits.TimeUS))
	}
	if r.Limits.MemoryBytes > 0 {
		c.note("memory", fmt.Sprintf("%.4g MiB", float64(r.Limits.MemoryBytes)/(1<<20)))
	}
	started := page.SafeLine(r.Started)
	if started != "" && (c.From == "" || started < c.From) {
		c.From = started
	}
	c.To = max(c.To, started)
}

// note notes a property of the matches, of a few values.
func (c *Conditions) note(name, value string) {
	if c.values[name] == nil {
		c.values[name] = make(map[string]bool)
	}
	switch {
	case value == "":
	case len(c.values[name]) < 8:
		c.values[name][page.SafeLine(value)] = true
	case !c.values[name][page.SafeLine(value)]:
		c.values[name]["…"] = true
	}
}

// All yields the properties in order, each with its values.
func (c *Conditions) All() iter.Seq2[string, string] {
	return func(yield func(name, values string) bool) {
		for _, name := range slices.Sorted(maps.Keys(c.values)) {
			if len(c.values[name]) > 0 && !yield(name, strings.Join(slices.Sorted(maps.Keys(c.values[name])), ", ")) {
				return
			}
		}
	}
}
