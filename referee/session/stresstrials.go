package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/external/problem"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
)

// judge has the input validators look at the inputs of trials, the model answer those that are
// valid, and the judge look at what some bots make of them.
func (w *stressing) judge(ctx context.Context, trials []trial, bots []int) error {
	for i := range trials {
		one := &trials[i]
		file := filepath.Join(w.folder, build.Digest(string(one.input))+".in") // the same for the same input
		if err := os.WriteFile(file, one.input, 0o644); err != nil {
			return err
		}
		answer := ""
		if w.model < 0 {
			answer = answerFile(file)
			if err := os.WriteFile(answer, nil, 0o644); err != nil {
				return err
			}
		}
		var err error
		if one.kase, err = w.problem.ExtraCase(one.name, file, answer); err != nil {
			return err
		}
	}
	if err := w.validate(ctx, trials); err != nil {
		return err
	}
	if w.model >= 0 {
		if err := w.answer(ctx, trials); err != nil {
			return err
		}
	}
	return w.play(ctx, trials, bots)
}

// forget removes the files of trials but one.
func (w *stressing) forget(trials []trial, but string) {
	for _, one := range trials {
		if one.kase.Input != but {
			os.Remove(one.kase.Input)
			os.Remove(answerFile(one.kase.Input))
		}
	}
}

// validate has the input validators look at the inputs.
func (w *stressing) validate(ctx context.Context, trials []trial) error {
	return each(ctx, w.s.runner.Jobs, len(trials), func(ctx context.Context, i int) error {
		for n, validator := range w.validators {
			why, err := validate(ctx, w.s, w.problem, n, validator, trials[i].kase)
			if err != nil {
				return err
			}
			if why != "" {
				trials[i].invalid = fmt.Sprintf("%s rejects it: %s", w.problem.Validators[n], why)
				return nil
			}
		}
		return nil
	})
}

// answer has the model answer the inputs.
func (w *stressing) answer(ctx context.Context, trials []trial) error {
	if err := w.play(ctx, trials, []int{w.model}); err != nil {
		return err
	}
	for i := range trials {
		one := &trials[i]
		if len(one.records) == 0 {
			continue
		}
		r := one.records[0]
		one.records = nil
		switch {
		case r.Error != "":
			return errors.New(r.Error)
		case r.Seats[0].Verdict != string(referee.OK):
			one.unanswered = notAccepted(r)
			continue
		}
		var err error
		if one.kase, err = w.problem.ExtraCase(one.name, one.kase.Input, answerFile(one.kase.Input)); err != nil {
			return err
		}
	}
	return nil
}

// notAccepted says, in a line, why a submission is not accepted; "" if it is.
func notAccepted(r record.Record) string {
	if r.Error != "" {
		return strings.Join(strings.Fields(r.Error), " ")
	}
	seat := r.Seats[0]
	if seat.Verdict == string(referee.OK) {
		return ""
	}
	return strings.TrimSuffix(seat.Verdict+": "+strings.Join(strings.Fields(seat.Detail), " "), ": ")
}

// play plays bots on the inputs that are valid and answered.
func (w *stressing) play(ctx context.Context, trials []trial, bots []int) error {
	s, p := w.s, w.problem
	p.Extra = nil
	var fixtures []arena.Fixture
	var of [][2]int // trial and place in its records
	times := make(map[string]int)
	for i := range trials {
		one := &trials[i]
		one.records = nil
		if one.invalid != "" || one.unanswered != "" {
			continue
		}
		p.Extra, one.records = append(p.Extra, one.kase), make([]record.Record, len(bots))
		kase, err := s.Game.Parse(one.kase.Case.String())
		if err != nil {
			return err
		}
		for place, bot := range bots {
			fixtures = append(fixtures, alone(s, cases.Case{Name: one.name, Group: "stress", Case: kase}, s.Bots[bot], times))
			of = append(of, [2]int{i, place})
		}
	}
	return w.runner.Run(ctx, slices.Values(fixtures), func(n int, r record.Record) error {
		trials[of[n][0]].records[of[n][1]] = r
		return nil
	})
}

// differ returns the first two places in the records of a trial that have different verdicts or
// scores.
func (one *trial) differ() (pair [2]int, ok bool) {
	result := func(r record.Record) string {
		if r.Error != "" || len(r.Seats) == 0 {
			return ""
		}
		return problem.ClassOf(referee.Verdict(r.Seats[0].Verdict)) + " " + r.Seats[0].Score.String()
	}
	for i, r := range one.records {
		for j := i + 1; j < len(one.records); j++ {
			if a, b := result(r), result(one.records[j]); a != "" && b != "" && a != b {
				return [2]int{i, j}, true
			}
		}
	}
	return pair, false
}

// differsAgain reports whether two bots differ once more on the input of a trial.
func (w *stressing) differsAgain(ctx context.Context, one trial, pair [2]int) (bool, error) {
	again := []trial{{seed: one.seed, size: one.size, name: one.name, input: one.input}}
	if err := w.judge(ctx, again, pair[:]); err != nil {
		return false, err
	}
	_, differ := again[0].differ()
	return differ, nil
}

// shrink removes lines of an input on which a pair differs as long as the input validators
// accept what is left and the two differ. Without validators, nothing is removed. After an
// interrupt, what has been found by then is returned with the error.
func (w *stressing) shrink(ctx context.Context, one trial, pair [2]int) (*trial, error) {
	one.records, one.pair = []record.Record{one.records[pair[0]], one.records[pair[1]]}, pair
	if len(w.validators) == 0 {
		w.s.Machine.Tell.Note("no line is removed: the package has no input validator that would say what is valid\n")
		return &one, nil
	}
	lines := slices.Collect(strings.Lines(string(one.input)))
	for chunk := max(1, len(lines)/2); ; chunk = max(1, chunk/2) {
		fewer, err := w.removeChunks(ctx, &one, lines, chunk, pair)
		if err != nil || chunk == 1 && len(fewer) == len(lines) {
			return &one, err
		}
		lines = fewer
	}
}

// removeChunks removes what chunks of the lines of an input it can, one after the other, and
// returns the lines that are left; those are the input then.
func (w *stressing) removeChunks(ctx context.Context, one *trial, lines []string, chunk int, pair [2]int) ([]string, error) {
	for at := 0; at < len(lines); {
		trials, starts := w.without(*one, lines, at, chunk)
		if err := w.judge(ctx, trials, pair[:]); err != nil {
			return lines, err
		}
		i := slices.IndexFunc(trials, func(t trial) bool { _, differ := t.differ(); return differ })
		if i < 0 {
			at += len(trials) * chunk
			w.forget(trials, "")
			continue
		}
		at = starts[i]
		lines = slices.Concat(lines[:at], lines[min(len(lines), at+chunk):])
		w.forget(append(slices.Clone(trials), *one), trials[i].kase.Input)
		if *one = trials[i]; w.Removing != nil {
			w.Removing(len(lines))
		}
	}
	return lines, nil
}

// without makes trials of which each lacks one of the next chunks of lines, and says where these
// start.
func (w *stressing) without(one trial, lines []string, at, chunk int) (trials []trial, starts []int) {
	for ; len(trials) < max(1, w.s.runner.Jobs) && at < len(lines); at += chunk {
		rest := strings.Join(slices.Concat(lines[:at], lines[min(len(lines), at+chunk):]), "")
		trials = append(trials, trial{seed: one.seed, size: one.size, name: one.name, input: []byte(rest), pair: one.pair})
		starts = append(starts, at)
	}
	return trials, starts
}

// checkUnread refuses a package whose judge reads the answers of cases, which nobody would know
// for an input that is generated: with empty ones, the model must still be accepted.
func (w *stressing) checkUnread(ctx context.Context) error {
	const some = 3 // cases with the shortest inputs
	list := slices.Clone(w.problem.Cases)
	size := func(c problem.Case) int64 {
		info, err := os.Stat(c.Input)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	slices.SortStableFunc(list, func(a, b problem.Case) int { return int(min(1, max(-1, size(a)-size(b)))) })
	model := w.model
	w.model = -1
	for _, c := range list[:min(some, len(list))] {
		input, err := os.ReadFile(c.Input)
		if err != nil {
			return err
		}
		trials := []trial{{name: strings.ReplaceAll(c.Name, "/", "-"), input: input}}
		if err := w.judge(ctx, trials, []int{model}); err != nil {
			return err
		}
		why := trials[0].invalid
		if len(trials[0].records) > 0 {
			why = notAccepted(trials[0].records[0])
		}
		if why != "" {
			return mistakef("--stress: the judge of %s reads the answers of cases, and nobody knows that to a generated input: with an empty one %s is not accepted on %s: %s",
				w.problem.Name, w.s.Bots[model].Entrant.Label, c.Name, why)
		}
	}
	return nil
}

// stressing is a search that goes on.
type stressing struct {
	Stress
	s          *Session
	problem    *problem.Problem
	folder     string // of the inputs that are tried
	generator  program.Bot
	validators []program.Bot // in the order of the problem's
	model      int           // the bot that answers; -1: none is needed
	compared   []int         // the bots that are to differ
	runner     arena.Runner
}

// trial is an input that is tried.
type trial struct {
	seed, size int
	input      []byte
	name       string // of its case
	kase       problem.Case
	invalid    string // what an input validator says against it
	unanswered string // why there is no answer
	records    []record.Record
	pair       [2]int // of the bots, that differs
}

func answerFile(input string) string { return strings.TrimSuffix(input, ".in") + ".ans" }

// Stress looks for an input of a problem package on which two submissions get different verdicts
// or scores: a generator prints one after the other, which rise in size. From the input that is
// found, lines are removed as long as the package's input validators accept it and the two
// still differ.
type Stress struct {
	Play             // with the submissions, two or more; its cases are those of the package
	Generator string // a source file, or a command line; a seed and a size are added to it
	Tries     int    // inputs at most; 0: any number
	For       time.Duration
	Dir       string // where the input that is found is written, with its answer
	// Tried, if not nil, is called when another input has been tried, and Removing when fewer
	// lines serve.
	Tried    func()
	Removing func(lines int)
}
