package record

import (
	"slices"
	"strings"
)

// NotJudgedError is the error of a match in which a bot took a seat that the
// machine could not judge, for want of its language say.
type NotJudgedError struct{ Bot, Why string }

func (e *NotJudgedError) Error() string { return notJudged(e.Bot) + e.Why }

func notJudged(bot string) string { return "not judged: " + bot + ": " }

// NotJudged returns why a bot of the match could not be judged; ok is false if that
// is not what the record's error says.
func (r *Record) NotJudged(bot string) (why string, ok bool) {
	return strings.CutPrefix(r.Error, notJudged(bot))
}

// Umpire is at fault in each match without a result in which nobody else is.
const Umpire = "umpire"

// Fault names who is at fault in a match with an Error: Umpire, the judge of its game, or the
// bot that has changed meanwhile.
func (r *Record) Fault() string {
	why := strings.TrimPrefix(r.Error, "start ") // it may be found to have changed as it starts
	changed := slices.IndexFunc(r.Seats, func(s Seat) bool { return strings.HasPrefix(why, "bot "+s.Bot+": it has changed since") })
	switch {
	case strings.HasPrefix(r.Error, JudgeErrorPrefix):
		return "the judge of " + r.Game
	case changed >= 0:
		return "bot " + r.Seats[changed].Bot
	}
	return Umpire
}

// NoResult says why a match with an Error has no result.
func (r *Record) NoResult() string {
	if r.Fault() == Umpire {
		return "umpire could not play this match: " + r.Error
	}
	return "this match has no result: " + r.Error
}
