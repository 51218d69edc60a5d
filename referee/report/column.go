package report

import (
	"strconv"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Column is one column of the standings.
type Column struct {
	Name string
	cell func(r standings.Row) string
}

// RankOf returns a bot's rank, which none of the house has.
func RankOf(r standings.Row) string {
	if r.House {
		return "-"
	}
	return strconv.Itoa(r.Rank)
}

// optional is a column of something that rows may lack.
func optional[T any](name string, of func(standings.Row) *T, cell func(*T) string) Column {
	return Column{name, func(r standings.Row) string {
		if it := of(r); it != nil {
			return cell(it)
		}
		return ""
	}}
}

// exactRating returns the columns of an estimate, and of its interval, for programs.
func exactRating(name, low, high string, rating func(standings.Row) *strength.Rating) []Column {
	return []Column{
		optional(name, rating, func(r *strength.Rating) string { return exact(r.Value) }),
		optional(low, rating, func(r *strength.Rating) string { return exactEnd(r.Low) }),
		optional(high, rating, func(r *strength.Rating) string { return exactEnd(r.High) }),
	}
}
