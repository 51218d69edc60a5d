package judging

import (
	"cmp"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
)

// retelling goes through what is recorded of a run while the submission does it again. A
// word of the judge is due when all has been written again that was there before it, by
// all processes: it may have depended on any of that, and on nothing else. Processes that
// do what they did come to that, however they run side by side; one that does something
// else is found by that.
type retelling struct {
	events    []referee.Exchange // up to the first failure of a process
	done      int                // so many of them have been done again, or said
	processes []*rerun
	failure   referee.Exchange // by which a process failed first; not set: none has
	through   bool
	odd       int // process that differed first, from 1; 0: none has
}

// rerun is a process of the submission, which does again what is recorded of it.
type rerun struct {
	want string // that it wrote
	cut  bool   // and more, which is not kept
	open bool   // and maybe more, had it not been ended
	all  int64  // bytes that it wrote
	// wrote is the beginning of what it writes now, bytes and lines count all of that, and
	// odd says that it is something else.
	wrote        strings.Builder
	bytes, lines int
	odd          bool
	// Of these, as many must be there for the events that are done.
	bytesDone, linesDone int
	end, now             referee.Exchange // how it ended; not set: it has not
}

// newRetelling returns the retelling of a run of a submission of so many processes.
func newRetelling(seen []referee.Exchange, processes int, through bool) *retelling {
	t := &retelling{through: through}
	for range processes {
		t.processes = append(t.processes, &rerun{})
	}
	texts := make([]strings.Builder, processes)
	for _, e := range seen {
		failed := t.failure.Seat > 0
		if e.Seat > 0 {
			p := t.processes[e.Seat-1]
			texts[e.Seat-1].WriteString(e.Text)
			p.cut, p.all = p.cut || e.Bytes > 0, max(p.all, e.Bytes)
			if hasEnded(e) && !hasEnded(p.end) {
				p.end = e
			}
			if !failed && hasFailed(e) {
				t.failure = e
			}
		}
		if !failed && e.Bytes == 0 && (e.Seat == 0 || !e.EOF) {
			t.events = append(t.events, e)
		}
	}
	for i, p := range t.processes {
		p.want = texts[i].String()
		p.all = max(p.all, int64(len(p.want)))
		if t.sharesTime() {
			p.end = referee.Exchange{} // which of them it is that is late depends on how they run
		}
		p.open = !hasEnded(p.end) || p.end.Fail != nil && slices.Contains([]protocols.Kind{protocols.KindTime, protocols.KindOutput}, p.end.Fail.Kind)
	}
	return t
}

// sharesTime reports whether several processes have used up what they share.
func (t *retelling) sharesTime() bool { return len(t.processes) > 1 && isLate(t.failure.Fail) }

// see takes what a process has done now.
func (t *retelling) see(e referee.Exchange) {
	if e.Seat == 0 {
		return
	}
	p := t.processes[e.Seat-1]
	if p.write(e.Text); hasEnded(e) && !hasEnded(p.now) {
		p.now = e
	}
	if t.odd == 0 && p.differs() {
		t.odd = e.Seat
	}
}

// maxBeyond is how much is kept of what a process writes beyond what it wrote.
const maxBeyond = 64 << 10

// write takes what a process writes now.
func (p *rerun) write(text string) {
	rest := p.want[min(len(p.want), p.bytes):]
	n := min(len(text), len(rest))
	p.odd = p.odd || text[:n] != rest[:n] || len(text) > n && !p.cut && !p.open
	p.bytes += len(text)
	p.lines += strings.Count(text, "\n")
	p.wrote.WriteString(text[:max(0, min(len(text), len(p.want)+maxBeyond-p.wrote.Len()))])
}

// differs reports whether the process certainly does something else than it did.
func (p *rerun) differs() bool {
	if p.odd || !hasEnded(p.now) || endsAll(p.now.Fail) { // what ends all need not be its doing
		return p.odd
	}
	return p.bytes < len(p.want) || hasEnded(p.end) && !sameEnd(p.end, p.now)
}

// due returns what the judge says now.
func (t *retelling) due() (list []referee.Exchange) {
	for ; t.done < len(t.events); t.done++ {
		e := t.events[t.done]
		if e.Seat == 0 {
			list = append(list, e)
		} else if !t.processes[e.Seat-1].hasDone(e, t.through) {
			break
		}
	}
	return list
}

// hasDone reports whether the process has done again what it did next or, if the judge goes
// through with it all, as many lines are there.
func (p *rerun) hasDone(e referee.Exchange, through bool) bool {
	if e.Text == "" {
		return through || hasEnded(p.now)
	}
	bytes, lines := p.bytesDone+len(e.Text), p.linesDone+strings.Count(e.Text, "\n")
	if through && p.lines < lines || !through && p.bytes < bytes {
		return false
	}
	p.bytesDone, p.linesDone = bytes, lines
	return true
}

// sayings are what is said by something that a judge did.
func (t *retelling) sayings(e referee.Exchange) (list []contestant.Saying) {
	if e.Text != "" || e.EOF {
		return []contestant.Saying{{To: max(1, e.To), Text: e.Text, Over: e.EOF}}
	}
	for i := range t.processes { // it has ended
		list = append(list, contestant.Saying{To: i + 1, Over: true})
	}
	return list
}

// mostOutput is how many bytes a process may write, as far as the record shows it.
func (t *retelling) mostOutput() int64 {
	if why := t.failure.Fail; why != nil && why.Kind == protocols.KindOutput {
		return max(0, t.processes[t.failure.Seat-1].all-1)
	}
	return 64 << 20
}

// known reports whether it is known how the submission compares.
func (t *retelling) known() bool {
	all := true
	for _, p := range t.processes {
		if endsAll(p.now.Fail) || t.through && hasFailed(p.now) {
			return true
		}
		all = all && (hasEnded(p.now) || !hasEnded(p.end) && p.bytes >= len(p.want) && !t.sharesTime())
	}
	return !t.through && (all || t.odd > 0)
}

// failed returns the process that has failed now, from 1; 0: none has.
func (t *retelling) failed() int {
	return 1 + slices.IndexFunc(t.processes, func(p *rerun) bool { return hasFailed(p.now) })
}

// compare says how the submission compares with that of the record: where it first differs,
// or how it ended.
func (t *retelling) compare(out *Reproduced) {
	failed := t.failed()
	differs := cmp.Or(t.odd, t.lacking(failed))
	out.Same, out.several = differs == 0, len(t.processes) > 1
	if out.several {
		out.Process = differs
	}
	shown := t.processes[cmp.Or(differs, t.failure.Seat, failed, len(t.processes))-1]
	for _, p := range t.processes {
		lines, recorded, now := p.firstOdd()
		if out.Same || p == shown {
			out.Lines += lines
		}
		if p == shown {
			out.Recorded, out.Now = referee.Exchange{Text: recorded}, referee.Exchange{Text: now}
		}
	}
	before, now := t.ends(shown, failed)
	switch {
	case out.Same && !hasEnded(before): // it was ended, maybe before it would have
		out.Recorded, out.Now = before, before
	case out.Same || out.Recorded.Text == out.Now.Text:
		out.Recorded, out.Now = before, now
	case out.Now.Text == "":
		out.Now = now
	}
	out.End = t.processes[cmp.Or(failed, differs, len(t.processes))-1].now
	out.Failed = failed > 0 && !t.waits(t.processes[failed-1].now.Fail)
}

// ends returns how a process ended in the record, and now, when maybe one has failed.
func (t *retelling) ends(p *rerun, failed int) (before, now referee.Exchange) {
	before, now = p.end, p.now
	if t.sharesTime() {
		before = t.failure
	}
	if failed > 0 && !hasEnded(now) && endsAll(t.processes[failed-1].now.Fail) {
		now = t.processes[failed-1].now
	}
	return before, now
}

// lacking returns the process, from 1, that has not done again what it did, where none does
// something else for certain: it is the one on which the judge's next words depend. 0: none.
// Of the processes, one may have failed now.
func (t *retelling) lacking(failed int) int {
	if failed == 0 || !endsAll(t.processes[failed-1].now.Fail) {
		if t.sharesTime() {
			return t.failure.Seat // none of them is late now
		}
		return 0
	}
	left := t.events[t.done:]
	switch now := t.processes[failed-1].now; {
	case !sameEnd(t.failure, now):
	case isLate(now.Fail) && (len(t.processes) > 1 || !t.hasWords()):
		return 0 // it was ended at some moment, and may have written more or less
	case !isLate(now.Fail) && len(left) <= 1:
		return 0
	}
	if len(left) > 0 {
		return left[0].Seat
	}
	return failed
}

// waits reports whether a submission that failed in the record waits now for what no judge
// has said yet: it has done more than it did, or was to be answered when a process failed. One
// that was idle then had the judge wait for it.
func (t *retelling) waits(why *protocols.Failure) bool {
	if why == nil || why.Kind != protocols.KindIdle || t.hasWords() {
		return false
	}
	for _, p := range t.processes {
		if p.bytes > len(p.want) {
			return true
		}
	}
	failed := t.failure
	if failed.Seat == 0 || t.done < len(t.events) || failed.Fail != nil && failed.Fail.Kind == protocols.KindIdle {
		return false
	}
	return t.isUnanswered(0) || !isLate(failed.Fail) && t.isUnanswered(failed.Seat)
}

// hasWords reports whether the judge has something left to say or do.
func (t *retelling) hasWords() bool {
	return slices.ContainsFunc(t.events[t.done:], func(e referee.Exchange) bool { return e.Seat == 0 })
}

// isUnanswered reports whether the judge has said nothing since a process wrote its last text,
// or anything at all; process 0 is all of them.
func (t *retelling) isUnanswered(process int) bool {
	for _, e := range slices.Backward(t.events) {
		switch {
		case e.Text == "":
		case e.Seat > 0 && (process == 0 || e.Seat == process):
			return true
		case e.Seat == 0 && (process == 0 || max(1, e.To) == process):
			return false
		}
	}
	return true
}

// firstOdd returns the first line that is not as recorded, and how many are before it.
func (p *rerun) firstOdd() (lines int, recorded, now string) {
	before, have := strings.SplitAfter(p.want, "\n"), strings.SplitAfter(p.wrote.String(), "\n")
	for i := range max(len(before), len(have)) {
		recorded, now = "", ""
		if i < len(before) {
			recorded = before[i]
		}
		if i < len(have) {
			now = have[i]
		}
		if recorded != now {
			break
		}
		if recorded != "" {
			lines++
		}
	}
	if (p.cut || p.open) && lines >= len(before)-1 && strings.HasPrefix(now, recorded) {
		return lines, "", "" // what follows is not known
	}
	return lines, recorded, now
}
