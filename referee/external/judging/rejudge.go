package judging

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/interaction"
)

// ErrCut is the error of a match that can't be judged again, since a record keeps only the
// beginning of what was written.
var ErrCut = errors.New("only the beginning of what was written is kept")

// JudgeAgain has a fresh judge hear what it heard in a recorded match. The error says where
// it says something else, or ends otherwise.
func (r Relay) JudgeAgain(ctx context.Context, recorded []referee.Exchange) (err error) {
	ruling, err := interaction.Judge(r.Problem.Format, r.Problem.Processes, recorded)
	if err != nil {
		return fmt.Errorf("exchanges: %w", err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if p := r.Problem; p.Processes > 0 {
		if r.channels, err = openChannels(p.Processes, false); err != nil {
			return err
		}
		defer r.channels.close()
	}
	m := newRelayed(r, protocols.Limits{})
	if m.judge.folder, err = newMatchFolder(); err != nil {
		return err
	}
	defer m.judge.folder.remove()
	passes := passesOf(recorded)
	for n, pass := range passes {
		before := runOf(pass)
		if n > 0 {
			if more, err := m.next(n); err != nil || !more {
				return errors.Join(err, fmt.Errorf("judged again: it asks for no pass %d", n+1))
			}
		}
		if !before.judge.Ended {
			continue // it was ended, since the submission had failed
		}
		if slices.ContainsFunc(pass, func(e referee.Exchange) bool { return e.Bytes > 0 }) {
			return ErrCut
		}
		now, err := m.hear(ctx, before)
		if err != nil {
			return fmt.Errorf("judged again: %w", err)
		}
		if err := now.compare(before); err != nil {
			return fmt.Errorf("judged again: %w", err)
		}
	}
	more := false
	if err = m.checkRejection(ruling.Verdict); err == nil && ruling.Verdict == referee.OK {
		more, err = m.next(len(passes))
	}
	switch {
	case err != nil:
		return fmt.Errorf("judged again: %w", err)
	case more:
		return fmt.Errorf("judged again: it asks for pass %d, which is not recorded", len(passes)+1)
	}
	return nil
}

// run is what both sides wrote in one run, and how the judge ended.
type run struct {
	// What each process of the submission wrote, and what the judge said to it.
	wrote, said    []string
	judge, checker referee.Exchange
	well           bool // the submission ended well
}

// add adds a text to those of processes, by their seats; 0 is the only one's.
func add(texts *[]string, seat int, text string) {
	for len(*texts) < max(seat, 1) {
		*texts = append(*texts, "")
	}
	(*texts)[max(seat, 1)-1] += text
}

// runOf gathers what was seen of a run.
func runOf(seen []referee.Exchange) (now run) {
	for _, e := range seen {
		switch {
		case e.Seat > 0:
			add(&now.wrote, e.Seat, e.Text)
			now.well = now.well || e.Ended && !hasFailed(e)
		case e.Ended && now.judge.Ended:
			now.checker = e
		case e.Ended:
			now.judge = e
		default:
			add(&now.said, e.To, e.Text)
		}
	}
	return now
}

// hear has the judge hear what a submission wrote, and a checker look at what it writes then.
func (m *relayed) hear(ctx context.Context, before run) (run, error) {
	m.seen, m.judge.checks = transcript{begun: time.Now()}, false
	var err error
	switch p := m.relay.Problem; {
	case !p.HasJudge():
		_, err = m.compare([]byte(before.written()))
	case !p.Interactive:
		err = m.look(ctx, m.relay.Judge, []byte(before.written()))
	default:
		err = m.listenAgain(ctx, before)
	}
	return runOf(m.seen.list), err
}

// written returns the words of the only process.
func (r run) written() string { return strings.Join(r.wrote, "") }

// listenAgain has an interactive judge, and maybe its checker, judge.
func (m *relayed) listenAgain(ctx context.Context, before run) error {
	relay := m.carrier()
	relay.Input = []byte(before.written())
	add(&before.wrote, m.relay.Problem.Processes, "")
	for _, text := range before.wrote {
		relay.Heard = append(relay.Heard, []byte(text))
	}
	if m.relay.Problem.Processes == 0 {
		relay.Heard = nil
	}
	err := m.listen(ctx, relay)
	now := runOf(m.seen.list).judge
	if err == nil && m.relay.Problem.Checker != "" && before.well && now.Signal == "" && m.relay.Problem.Format.Answer(now.Exit, now.Score) == interaction.Accept {
		err = m.check(ctx)
	}
	return err
}

// compare returns an error where the judge says something else than before.
func (r run) compare(before run) error {
	add(&r.said, len(before.said), "")
	add(&before.said, len(r.said), "")
	for i := range r.said {
		if err := compareSaid(r.said[i], before.said[i]); err != nil {
			return err
		}
	}
	if err := compareJudges("judge", r.judge, before.judge); err != nil {
		return err
	}
	return compareJudges("checker", r.checker, before.checker)
}

// compareSaid returns an error where a judge says something else than before.
func compareSaid(now, before string) error {
	have, want := strings.Split(now, "\n"), strings.Split(before, "\n")
	for i := range min(len(have), len(want)) {
		if have[i] != want[i] {
			return fmt.Errorf("line %d of what the judge says: found %s, expected %s as recorded", i+1, protocols.Quote(have[i]), protocols.Quote(want[i]))
		}
	}
	if len(have) != len(want) {
		return fmt.Errorf("found %d lines of the judge, expected %d as recorded", len(have)-1, len(want)-1)
	}
	return nil
}

// compareJudges returns an error where a judge ends otherwise than before.
func compareJudges(who string, now, before referee.Exchange) error {
	switch {
	case now.Ended != before.Ended:
		return fmt.Errorf("the %s: found that it has ended: %t, expected %t as recorded", who, now.Ended, before.Ended)
	case now.Exit != before.Exit || now.Signal != before.Signal:
		return fmt.Errorf("the %s's exit status: found %d %s, expected %d %s as recorded", who, now.Exit, now.Signal, before.Exit, before.Signal)
	case scoreText(now.Score) != scoreText(before.Score):
		return fmt.Errorf("the %s's score: found %s, expected %s as recorded", who, scoreText(now.Score), scoreText(before.Score))
	}
	return nil
}

func scoreText(s *protocols.Score) string {
	if s == nil {
		return "none"
	}
	return s.String()
}
