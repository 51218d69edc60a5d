package dispatch

import (
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// sums lists matches that nobody need play.
func sums(n int) []arena.Fixture {
	list := make([]arena.Fixture, n)
	for i := range list {
		list[i] = arena.Fixture{
			Game: protocoltest.Sum().Name, Case: record.Case{Name: "x", Text: "1\n1"}, Repetition: i + 1,
			Limits: record.NewLimits(protocols.Limits{}, ""), Seats: []arena.Seat{{Bot: "six", Digest: "6"}},
		}
	}
	return list
}

// limited lists matches of one seat with a budget.
func limited(n int, budget time.Duration) []arena.Fixture {
	list := sums(n)
	for i := range list {
		list[i].Limits = record.NewLimits(protocols.Limits{Time: budget}, "")
	}
	return list
}
