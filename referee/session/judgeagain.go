package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"umpire/protocols"
	"umpire/referee/external"
	"umpire/referee/external/judging"
	"umpire/referee/external/problem"
	"umpire/referee/record"
)

// JudgeAgain has the judges of records judge again.
type JudgeAgain struct {
	Umpire  *Umpire
	Machine *Machine
	Dir     string // folder of the game; "": those of the games that were added, where they have not changed

	judges map[string]*external.Judge // by digest; nil: there is none at hand
	relay  *judging.Relay             // of the problem package in Dir, if it is one
}

// Check adds to the verification of a record what its judge says now, if it is at hand.
func (j *JudgeAgain) Check(ctx context.Context, line record.Line, v *record.Verification) error {
	r, err := line.Record()
	if err == nil && r.IsRelayed() {
		return j.checkRelayed(ctx, line.File, r, v)
	}
	if err != nil || r.Package == nil || !v.Valid || r.Error != "" {
		return nil
	}
	judge, known := j.judges[r.Package.Digest]
	if !known {
		if judge, err = j.judge(ctx, r); err != nil {
			return err
		}
		if j.judges == nil {
			j.judges = make(map[string]*external.Judge)
		}
		j.judges[r.Package.Digest] = judge
	}
	if judge == nil {
		return nil
	}
	if err := r.Package.Contradicts(judge.Folder.Package(), external.ManifestFile, true); err != nil {
		return judged(ctx, v, err)
	}
	return judged(ctx, v, judge.Again(ctx, r))
}

// judged adds to a verification what a judge that has judged again says.
func judged(ctx context.Context, v *record.Verification, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, judging.ErrCut):
		v.Unchecked = "the judge was not run: " + err.Error()
	case err != nil:
		v.Judge = ""
		v.Add(err)
	default:
		v.Judge = record.JudgeAgrees
	}
	return nil
}

// judge finds the judge of a record; nil if it is not at hand.
func (j *JudgeAgain) judge(ctx context.Context, r record.Record) (*external.Judge, error) {
	f, err := j.Umpire.folderOf(ctx, j.Dir, r.Game, r.Package.Digest, "record "+r.Called())
	if f == nil || err != nil {
		return nil, err
	}
	judge, err := j.Umpire.judgeOf(ctx, j.Machine, f)
	return &judge, err
}

// Used reports whether there was anything for a judge to judge again.
func (j *JudgeAgain) Used() bool { return len(j.judges) > 0 || j.relay != nil }

// checkRelayed has the judge of a problem package judge a match of a results file again, if
// the package's folder is given.
func (j *JudgeAgain) checkRelayed(ctx context.Context, file string, r record.Record, v *record.Verification) error {
	if j.Dir == "" || !v.Valid || r.Error != "" {
		return nil
	}
	if j.relay == nil {
		if err := j.openRelay(ctx); err != nil {
			return err
		}
	}
	if err := checkPackage(j.relay.Problem, j.Dir, r); err != nil {
		return err
	}
	_, c, err := r.Parse(nil)
	if err != nil {
		return err
	}
	one := *j.relay
	if one.Case, err = findBeside(one.Problem, c, file); err != nil {
		v.Unchecked = err.Error()
		return nil
	}
	seen, err := r.Seen()
	if err == nil {
		err = one.JudgeAgain(ctx, seen)
	}
	return judged(ctx, v, err)
}

// openRelay makes the judge of the problem package in Dir.
func (j *JudgeAgain) openRelay(ctx context.Context) error {
	p, err := j.Umpire.problemIn(ctx, j.Machine, j.Dir)
	if err != nil {
		return err
	}
	r, err := j.Machine.Resolver(ctx, j.Umpire, p.Name)
	if err != nil {
		return err
	}
	relay, err := relayOf(ctx, j.Umpire, j.Machine, p, r)
	j.relay = &relay
	return err
}

// findBeside returns a case of a package, or one that lies beside a results file, where --stress
// puts what it finds.
func findBeside(p *problem.Problem, c protocols.Case, results string) (one problem.Case, err error) {
	if one, err = p.Find(c); err == nil {
		return one, nil
	}
	name, _, _ := strings.Cut(c.String(), " ")
	input := filepath.Join(filepath.Dir(results), name+".in")
	if filepath.Base(name) == name {
		if _, none := extraCase(p, input); none == nil {
			if one, err = p.Find(c); err == nil {
				return one, nil
			}
		}
	}
	return one, fmt.Errorf("the judge was not run: %s has no case %s, and that is not in %s", p.Name, name, input)
}
