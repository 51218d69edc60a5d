package record

import "strings"

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
