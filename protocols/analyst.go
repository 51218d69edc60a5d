package protocols

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// Analyst is a Match that can say what each reply is worth, exactly or as an
// estimate. Its Game says in Analysis how to read that.
type Analyst interface {
	// Values returns the value of each reply that an awaited seat may give; none
	// for any other seat. Each is legal; of a Chooser they are the Choices, in
	// their order. Exact means that the values are those of perfect play, where
	// they are estimates otherwise. Repeated calls return the same, and none
	// changes the match. An estimate uses only what the seat can know, and takes a
	// bounded number of operations, not of seconds, so it is the same on every
	// machine. It is called after Next.
	Values(seat int) (values []Value, exact bool)
}

// Value is the value of one reply.
type Value struct {
	Reply string // the line, without its end
	// Value is the seat's score at the end of the match, if all seats play their
	// best after the reply, less that of the best other seat; the score itself if
	// the seat is alone. A game that can't predict scores estimates the position
	// instead, in the unit of its Analysis.
	Value float64
	// Result is the expected result of the match to the seat after the reply, from 0, a
	// loss, over ½, a tie, to 1, a win: what Value says of it, and no less where Value
	// is greater. It is 0 where the seat is alone, and where values are an Opinion.
	Result float64
	Line   []string // replies expected to follow, of whatever seat owes one; may be empty
}

// ExpectedResult is the Result of a lead that the rest of the match changes by about
// spread, in the same unit: the logistic curve of one over the other. A lead that nothing
// changes any more, with spread 0, has won.
func ExpectedResult(lead, spread float64) float64 {
	if spread == 0 {
		return float64(1+cmp.Compare(lead, 0)) / 2
	}
	return 1 / (1 + math.Exp(-lead/spread))
}

// Analysis holds the facts about the values of a game whose matches are
// Analysts.
type Analysis struct {
	Unit   string // unit of the values, in the plural: "beads"
	Method string // how values are found, for people: what is exact and what an estimate
	Scores bool   // Unit is that of scores, so a value compares with how a match ended

	// Results says, for people, how values give expected results, and how that was
	// found; "" where the seat is alone, and with an Opinion.
	Results string

	// Opinion is the built-in bot, without '@', whose opinion the values are, where
	// they say little of how a match will end. Replies then have no class; they
	// are the bot's choice or differ from it.
	Opinion string
}

// Tidy returns a reply as Choices and Values write it: one space between its
// fields, and numbers without leading zeros.
func Tidy(reply string) string {
	if isTidy(reply) {
		return reply
	}
	fields := Fields(reply)
	for i, field := range fields {
		if n, ok := Number(field); ok {
			fields[i] = strconv.Itoa(n)
		}
	}
	return strings.Join(fields, " ")
}

// isTidy reports whether a reply is surely tidy: most are.
func isTidy(reply string) bool {
	start := true // of a field
	for i := range len(reply) {
		c := reply[i]
		if c == '\t' || c == '\r' || start && (c == ' ' || c == '0' && i+1 < len(reply)) {
			return false
		}
		start = c == ' '
	}
	return !start
}

// Margin returns a seat's score, numbered from 1, less that of the best other
// seat; its score if it is alone.
func Margin(result []Outcome, seat int) Score {
	best, others := Score{}, false
	for i, o := range result {
		if i+1 != seat && (!others || o.Score.Compare(best) > 0) {
			best, others = o.Score, true
		}
	}
	return result[seat-1].Score.Minus(best)
}
