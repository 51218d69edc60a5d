package report

import (
	"fmt"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// Reproduction prints how a bot compares with a recorded seat.
type Reproduction struct {
	*Printer
	Setup  referee.Setup
	Record record.Record
	Seat   int
	Bot    string
	Quiet  bool // print only the result
}

// reproduced is a comparison in JSON.
type reproduced struct {
	ID       string `json:"id"`
	Seat     int    `json:"seat"`
	Bot      string `json:"bot"`
	Replies  int    `json:"replies"` // number of replies compared
	Same     bool   `json:"same"`
	Fixed    *bool  `json:"fixed,omitempty"` // whether the bot no longer does what it did; only if that was asked
	Recorded done   `json:"recorded"`        // the last reply compared
	Now      done   `json:"now"`
	Process  int    `json:"process,omitempty"` // of several, from 1: the one that differs
}

// done is a reply or a failure.
type done struct {
	Reply  string `json:"reply,omitempty"`
	Fail   string `json:"fail,omitempty"`
	Detail string `json:"detail,omitempty"`
}

func newDone(e referee.Event, kind referee.Verdict, foul *protocols.Foul, wrong string) done {
	d := done{Reply: validText(e.Reply), Fail: string(kind), Detail: wrong}
	switch {
	case e.Fail != nil:
		d.Detail = e.Fail.Detail
	case foul != nil:
		d.Detail = foul.Reason
	}
	return d
}

// JSON prints the comparison of replies, with that of the last if there is one, for other
// programs. Fixed is whether the bot no longer does what it did; nil if that was not asked.
func (v Reproduction) JSON(all []referee.Compared, same bool, fixed *bool) error {
	out := reproduced{ID: v.Record.ID, Seat: v.Seat, Bot: v.Bot, Replies: len(all), Same: same, Fixed: fixed}
	if len(all) > 0 {
		last := all[len(all)-1]
		out.Recorded = newDone(last.Recorded, last.RecordedKind, nil, "")
		out.Now = newDone(last.Live, last.LiveKind, last.Foul, last.Wrong)
	}
	return v.Printer.JSON().Encode(out)
}

// Compared prints how the comparison ended: the last reply, the lines exchanged
// before it, or where the output is wrong, and the bot's standard error.
func (v Reproduction) Compared(last referee.Compared, said *record.Transcript, usage referee.Usage) {
	same := last.Same()
	v.head()
	if last.LiveKind != "" || !same {
		v.context(said, last, usage)
	}
	switch {
	case !same:
		v.differs(last)
	case last.LiveKind != "":
		v.Say("reply %d: same failure as recorded: %s\n", last.Number, v.live(last))
	}
	if same {
		v.Printf("%s\n", v.Style(Green, allRecorded(last.Number)))
	}
}

// Fixed prints whether the bot no longer does what it did, wanted being how the
// seat failed; "" if it did not. Shown is the reply that decides, and before it
// the first that differs.
func (v Reproduction) Fixed(first, shown referee.Compared, wanted referee.Verdict, usage referee.Usage, said *record.Transcript, fixed bool) {
	v.head()
	if !fixed {
		v.context(said, shown, usage)
	}
	switch {
	case usage.Failure != nil && shown.LiveKind == "":
		v.Say("after its last reply: %s %s\n", v.Style(Red, usage.Failure.Kind), usage.Failure.Detail)
	case shown.Same() && shown.LiveKind != "":
		v.Say("reply %d: same failure as recorded: %s\n", shown.Number, v.live(shown))
	case !shown.Same():
		v.differs(shown)
	}
	switch {
	case !fixed && wanted == "" && shown.LiveKind == "" && usage.Failure == nil:
		v.Printf("%s\n", v.Style(Red, "not fixed: all replies are as recorded"))
	case !fixed:
		v.Printf("%s\n", v.Style(Red, "not fixed: it fails"))
		if first.Number < shown.Number && !first.Same() {
			v.Say("it replied otherwise from reply %d on, and was sent what belongs to the recorded replies: that may be why\n", first.Number)
		}
	case wanted == "":
		v.Printf("%s\n", v.Style(Green, "fixed: it replies otherwise, and does not fail"))
	default:
		v.Printf("%s\n", v.Style(Green, "fixed: it no longer fails"))
	}
}

// context prints the lines exchanged last, or where the output is wrong, and the
// bot's standard error.
func (v Reproduction) context(said *record.Transcript, last referee.Compared, usage referee.Usage) {
	var now record.Seat
	now.SetUsage(usage)
	if last.LiveKind != "" && last.LiveKind != referee.Wrong {
		now.Early += usage.Unasked
	}
	switch why := explainOutput(v.Setup, v.Seat, last.Live.Reply); {
	case why.batch && last.LiveKind == referee.Wrong:
		v.Printf("%s", why.text(""))
	case !why.batch:
		v.Printf("last lines (→ to the bot, ← from it):\n%s", indent("  ", TranscriptText(said.Last(failureLines))))
	}
	if note := early(now); note != "" {
		v.Say("note: it %s\n", note)
	}
	v.passages("", standardError(now, "", stderrLines))
}

// differs prints a reply that is not as recorded.
func (v Reproduction) differs(c referee.Compared) {
	v.Printf("reply %d differs:\n", c.Number)
	v.Printf("  recorded: %s\n", v.move(c.Recorded, nil))
	v.Printf("  now:      %s\n", v.live(c))
}

// Shrunk prints the fewest of the recorded replies after which the bot fails.
func (v Reproduction) Shrunk(least referee.Compared, said []record.Said, recorded int) {
	v.head()
	if !v.Quiet {
		v.Printf("what it is sent (→) and replies (←) up to there:\n%s", indent("  ", TranscriptText(said)))
	}
	if least.LiveKind == referee.Wrong {
		v.Say("its output is still wrong: %s\n", v.live(least))
		return
	}
	v.Say("still fails after %d of %d recorded replies: %s\n", least.Number-1, recorded, v.live(least))
}

// allRecorded says that a bot gave the replies of a record.
func allRecorded(replies int) string {
	if replies == 1 {
		return "the one reply is as recorded"
	}
	return fmt.Sprintf("all %d replies are as recorded", replies)
}

// live describes what the live contestant did.
func (v Reproduction) live(c referee.Compared) Text {
	text := v.move(c.Live, c.Foul)
	if c.LiveKind == referee.Wrong {
		text = Textf("%s %s %s", text, v.Style(Red, referee.Wrong), c.Wrong)
	}
	return text
}

func (v Reproduction) head() {
	if !v.Quiet {
		v.Printf("%s\n", v.Style(Dim, fmt.Sprintf("%s, case %s, record %s, seat %d: %s", v.Setup.Game.Title, v.Record.Case.Name, v.Record.Called(), v.Seat, v.Bot)))
	}
}
