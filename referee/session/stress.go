package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/external/judging"
	"umpire/referee/external/problem"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/sandbox"
)

// StressResult is what has been found.
type StressResult struct {
	report.StressResult
	Records []record.Record // of the pair that differs, on what is left of the input
	Labels  [2]string       // of the two, as their user named them
}

// Run searches. If the error is an interrupt, the result is what had been found by then.
func (t Stress) Run(ctx context.Context) (result StressResult, err error) {
	w, end, err := t.open(ctx)
	if err != nil {
		return result, err
	}
	result.Game, result.Isolation, result.Generator = t.Game.Name, string(w.s.Level), t.Generator
	if w.model >= 0 {
		result.Answers = w.s.Bots[w.model].Entrant.Label
	}
	found, err := w.search(ctx, &result)
	if found != nil {
		err = errors.Join(err, w.report(ctx, *found, &result))
	}
	return result, end(err)
}

// open makes all programs that take part.
func (t Stress) open(ctx context.Context) (w *stressing, end func(error) error, err error) {
	p := t.Umpire.Problem(t.Game)
	if err := t.checkDir(p); err != nil {
		return nil, nil, err
	}
	w = &stressing{Stress: t, problem: p, model: -1}
	for i := range t.Entrants {
		w.compared = append(w.compared, i)
	}
	needs := !p.Interactive && p.Passes == 1 && p.GivesAnswer()
	if needs || !p.AnswersAreEmpty() && p.GivesAnswer() {
		if w.model, err = w.addModel(); err != nil {
			return nil, nil, err
		}
	}
	w.s = &Session{Play: w.Play}
	if err := prepare(ctx, w.s); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(Broken(w.s.Bots), NotJudged(w.s.Bots)); err != nil {
		return nil, nil, Mistaken(err)
	}
	if err := w.makeParts(ctx); err != nil {
		return nil, nil, err
	}
	if w.folder, err = sandbox.NewTempDir("stress-"); err != nil {
		return nil, nil, err
	}
	if err := os.Chmod(w.folder, 0o755); err != nil { // judges may run as another user
		return nil, nil, errors.Join(err, os.RemoveAll(w.folder))
	}
	if end, err = w.begin(ctx); err != nil {
		return nil, nil, err
	}
	if !needs && w.model >= 0 {
		if err := w.checkUnread(ctx); err != nil {
			return nil, nil, end(err)
		}
	}
	return w, end, nil
}

// checkDir refuses a folder in the package, into which nothing is written.
func (t Stress) checkDir(p *problem.Problem) error {
	dir := Absolute(t.Dir)
	if rel, err := filepath.Rel(p.Dir, dir); err == nil && filepath.IsLocal(rel) {
		return mistakef("--stress: what is found would be written to %s, which is in the package: name another folder by -o DIR", cmp.Or(t.Dir, dir))
	}
	return nil
}

// addModel adds the submission that answers to the entrants, unless it is one of them, and
// returns its number.
func (w *stressing) addModel() (int, error) {
	model, ok := w.problem.Model()
	if !ok {
		return 0, mistakef("--stress: %s has no accepted submission, whose output would be the answers", w.problem.Name)
	}
	label := "@" + model.Name
	for i, e := range w.Entrants {
		if e.What == label {
			return i, nil
		}
	}
	w.Entrants = append(slices.Clone(w.Entrants), program.ParseEntrant("", label))
	return len(w.Entrants) - 1, nil
}

// makeParts makes the generator and the input validators.
func (w *stressing) makeParts(ctx context.Context) (err error) {
	if w.generator, err = w.Umpire.commandOf(ctx, "--stress", w.Generator, w.s.resolver); err != nil {
		return err
	}
	w.validators, err = w.Umpire.validators(ctx, w.problem, w.s.resolver)
	return err
}

// begin makes what plays; end must be called with what became of it.
func (w *stressing) begin(ctx context.Context) (end func(error) error, err error) {
	judged := w.s.runner.Conductor
	w.s.runner.Conductor = func(c protocols.Case, again func(context.Context) (referee.Contestant, error)) (referee.Conductor, error) {
		conductor, err := judged(c, again)
		if relay, ok := conductor.(*judging.Relay); ok && relay.Case.Answer == "" {
			relay.Answer = answerFile(relay.Case.Input)
			return relay, err
		}
		return conductor, err
	}
	var close func(error) error
	if w.runner, close, err = w.s.begin(ctx, nil); err != nil {
		return nil, errors.Join(err, os.RemoveAll(w.folder))
	}
	return func(err error) error { return errors.Join(close(err), os.RemoveAll(w.folder)) }, nil
}

// search tries inputs until two submissions differ. Found is nil if none do.
func (w *stressing) search(ctx context.Context, result *StressResult) (found *trial, err error) {
	began, jobs := time.Now(), max(1, w.s.runner.Jobs)
	for w.Tries == 0 || result.Tries < w.Tries {
		if w.For > 0 && time.Since(began) >= w.For {
			return nil, nil
		}
		n := jobs
		if w.Tries > 0 {
			n = min(n, w.Tries-result.Tries)
		}
		trials, err := w.generate(ctx, result.Tries, n)
		if err == nil {
			err = w.judge(ctx, trials, w.compared)
		}
		if err != nil {
			return nil, err
		}
		for i := range trials {
			one := &trials[i]
			if result.Tries++; w.Tried != nil {
				w.Tried()
			}
			if err := w.check(one); err != nil {
				return nil, err
			}
			pair, ok := one.differ()
			if !ok {
				continue
			}
			if ok, err := w.differsAgain(ctx, *one, pair); err != nil || !ok {
				if err != nil {
					return nil, err
				}
				w.s.Machine.Tell.Note("seed %d: the verdicts differ, but not when it is played again\n", one.seed)
				continue
			}
			result.Lines = countLines(one.input)
			return w.shrink(ctx, *one, pair)
		}
		w.forget(trials, "")
	}
	return nil, nil
}

// generate has the generator print the next inputs.
func (w *stressing) generate(ctx context.Context, tried, n int) ([]trial, error) {
	trials, wrong := make([]trial, n), make([]error, n)
	err := each(ctx, w.s.runner.Jobs, n, func(ctx context.Context, i int) error {
		one := &trials[i]
		one.seed, one.size = tried+i+1, tried+i+1
		one.name = fmt.Sprintf("%s-%d", w.problem.Name, one.seed)
		input, why, err := judging.Generate(ctx, w.problem, w.s.launcher, w.generator, one.seed, one.size)
		if err == nil && why != "" {
			wrong[i] = mistakef("--stress: %s %d %d: %s", w.Generator, one.seed, one.size, why)
		}
		one.input = input
		return err
	})
	return trials, errors.Join(err, cmp.Or(wrong...))
}

// check returns an error about an input on which nothing can be compared.
func (w *stressing) check(one *trial) error {
	what := fmt.Sprintf("--stress: %s %d %d", w.Generator, one.seed, one.size)
	if one.invalid != "" {
		return mistakef("%s: what it prints is not valid: %s; let it print a valid input for every seed and size%s", what, one.invalid, w.keep(one))
	}
	if one.unanswered != "" {
		return mistakef("%s: %s is to answer what it prints, and fails: %s%s", what, w.s.Bots[w.model].Entrant.Label, one.unanswered, w.keep(one))
	}
	for _, r := range one.records {
		if r.Error != "" {
			return fmt.Errorf("%s: no verdict for %s: %s%s", what, r.Seats[0].Bot, r.Error, w.keep(one))
		}
	}
	return nil
}

// keep writes the input of a trial, and says where it is.
func (w *stressing) keep(one *trial) string {
	input, _, err := w.write(*one)
	if err != nil {
		return ""
	}
	return "; the input is in " + input
}

// write writes input and answer to files that are not there yet.
func (w *stressing) write(one trial) (input, answer string, err error) {
	if w.Dir != "" {
		if err := os.MkdirAll(w.Dir, 0o755); err != nil {
			return "", "", err
		}
	}
	for n := 1; ; n++ {
		stem := filepath.Join(w.Dir, one.name)
		if n > 1 {
			stem = fmt.Sprintf("%s-%d", stem, n)
		}
		f, err := os.OpenFile(stem+".in", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", "", err
		}
		_, err = f.Write(one.input)
		if err = errors.Join(err, f.Close()); err != nil || one.kase.Answer == "" {
			return stem + ".in", "", err
		}
		text, err := os.ReadFile(one.kase.Answer)
		if err == nil {
			err = os.WriteFile(stem+".ans", text, 0o644)
		}
		return stem + ".in", stem + ".ans", err
	}
}

// report writes what has been found, and says it.
func (w *stressing) report(ctx context.Context, found trial, result *StressResult) (err error) {
	r := &result.StressResult
	r.Found, r.Seed, r.Size, r.LinesLeft, result.Records = true, found.seed, found.size, countLines(found.input), found.records
	if r.Input, r.Answer, err = w.write(found); err != nil {
		return err
	}
	r.Text = string(found.input)
	for i, one := range found.records {
		seat := one.Seats[0]
		result.Labels[i] = w.s.Bots[found.pair[i]].Entrant.Label
		score, _ := problem.ScoreRat(seat.Score).Float64()
		r.Bots = append(r.Bots, report.StressBot{Name: seat.Bot, Verdict: seat.Verdict, Detail: seat.Detail, Score: score, CPUUS: seat.CPUUS})
	}
	if err := w.s.openResults(context.WithoutCancel(ctx)); err != nil || w.s.Results.Dir == "" {
		return err
	}
	for _, one := range found.records {
		if _, err := w.s.store.Keep(one); err != nil {
			return errors.Join(err, w.s.store.Close())
		}
	}
	return w.s.store.Close()
}

func countLines(text []byte) int { return len(slices.Collect(bytes.Lines(text))) }
