package report

import (
	"strconv"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Column is one column of the standings.
type Column struct {
	Name string
	left bool
	cell func(r standings.Row) string
}

// RankOf returns a bot's rank, which none of the house has.
func RankOf(r standings.Row) string {
	if r.House {
		return "-"
	}
	return strconv.Itoa(r.Rank)
}

// exactRating returns the columns of an estimate for programs.
func exactRating(name string, rating func(standings.Row) *strength.Rating) []Column {
	value := func(f func(*strength.Rating) *float64) func(standings.Row) string {
		return func(r standings.Row) string {
			if rating(r) == nil || f(rating(r)) == nil {
				return ""
			}
			return exact(*f(rating(r)))
		}
	}
	return []Column{
		{name, false, value(func(r *strength.Rating) *float64 { return &r.Value })},
		{"low", false, value(func(r *strength.Rating) *float64 { return r.Low })},
		{"high", false, value(func(r *strength.Rating) *float64 { return r.High })},
	}
}
