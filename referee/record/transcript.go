package record

import (
	"strings"

	"umpire/protocols"
	"umpire/referee"
)

// Transcript is the conversation with one contestant, in order.
type Transcript struct {
	Lines []Said
	// Said, if not nil, is called for each line as it is added.
	Said func(Said)
}

// Said is one line of a transcript.
type Said struct {
	Sent bool   // sent to the contestant; false: sent by it
	Text string // without its newline; a failure's kind in parentheses
}

// Sent adds text that was sent to the contestant.
func (t *Transcript) Sent(text string) { t.add(true, text) }

// Reply adds what the contestant did: its reply, or how it failed.
func (t *Transcript) Reply(e referee.Event) {
	if e.Fail != nil {
		t.add(false, "("+string(e.Fail.Kind)+")")
	} else {
		t.add(false, e.Reply)
	}
}

func (t *Transcript) add(sent bool, text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		one := Said{sent, line}
		t.Lines = append(t.Lines, one)
		if t.Said != nil {
			t.Said(one)
		}
	}
}

// Last returns the last n lines, or all if there are fewer.
func (t *Transcript) Last(n int) []Said { return t.Lines[max(0, len(t.Lines)-n):] }

// Transcript returns the conversation with the contestant in a seat. The error
// says what is wrong with the record.
func (r Record) Transcript(games []protocols.Game, seat int) (Transcript, error) {
	var t Transcript
	_, err := r.Replay(games, referee.Watcher{
		Sent: func(to int, text string) {
			if to == seat {
				t.Sent(text)
			}
		},
		Event: func(e referee.Event, _ *protocols.Foul, _ protocols.Match) {
			if e.Seat == seat {
				t.Reply(e)
			}
		},
	})
	return t, err
}
