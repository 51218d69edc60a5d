package kattis

import (
	"fmt"
	"slices"
	"time"

	"umpire/referee/external/problem"
)

// timedCases are the cases on which a submission's time counts for the time limit, by what
// is said of its results: where these may not be TLE.
func timedCases(f *folder, s said) (names []string) {
	if s.Limit != "lower" && (s.Limit != "" || len(s.Permitted) == 0 || slices.Contains(s.Permitted, problem.TooSlow)) {
		return nil
	}
	for _, c := range f.problem.Cases {
		if s.On == "" || s.on.Covers(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// findTiming sets how the time limit is inferred where the package says none: in legacy as
// problemtools does, by the accepted submissions, else by the rules of 2025-09.
func findTiming(f *folder, m *manifest, of []problem.Timed) error {
	l := m.values.Limits
	t := &problem.Timing{Of: of, Factor: 2, Unit: time.Second, Nearest: f.isLegacy()}
	key := "limits.time_multipliers"
	switch ac, said := l.Multipliers["ac_to_time_limit"]; {
	case l.Multiplier != nil:
		t.Factor, key = *l.Multiplier, "limits.time_multiplier"
	case said:
		t.Factor = ac
	case f.isLegacy():
		t.Factor = 5
	}
	if !(t.Factor >= 1) || t.Factor > 1000 {
		return m.wrong(key, "%s: found %v, expected 1 to 1000", key, t.Factor)
	}
	if l.Resolution != nil {
		if !(*l.Resolution >= 0.001) || *l.Resolution > 1000 {
			return m.wrong("limits.time_resolution", "time_resolution: found %v, expected seconds from 0.001 to 1000", *l.Resolution)
		}
		t.Unit = time.Duration(*l.Resolution * float64(time.Second))
	}
	if !m.unlimited || len(of) == 0 {
		return nil
	}
	f.problem.Timing, f.problem.LimitFrom = t, fmt.Sprintf("until it is inferred from %d of the package's submissions; --time sets another", len(of))
	return nil
}
