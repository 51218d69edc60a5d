package remote

import (
	"fmt"
	"strconv"
)

// Problem is why a request can't be answered. No problem rules: it says
// nothing about the seat's play.
type Problem struct {
	Code    string // one of the codes below
	Message string // one sentence: what was found and what was expected
}

// Codes of problems.
const (
	CodeArgument   = "argument"   // a value out of its range
	CodeWait       = "wait"       // a time to wait out of its range
	CodeText       = "text"       // a reply that is not one line
	CodeKey        = "key"        // no player has the key
	CodeTicket     = "ticket"     // no seat has the ticket, or its match is long over
	CodeEarly      = "early"      // a turn beyond the next one
	CodeAnswered   = "answered"   // another reply for a turn that has one
	CodeSuperseded = "superseded" // a later request waits in this one's place
	CodeRate       = "rate"       // too much is asked for by one player
	CodeStopping   = "stopping"   // umpire is about to end
)

func (p *Problem) Error() string { return p.Code + ": " + p.Message }

func problem(code, format string, args ...any) *Problem {
	return &Problem{code, fmt.Sprintf(format, args...)}
}

// Quote quotes untrusted text for a message.
func Quote(text string) string {
	const most = 60
	if len(text) > most {
		return strconv.QuoteToASCII(text[:most]) + "…"
	}
	return strconv.QuoteToASCII(text)
}
