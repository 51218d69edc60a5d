package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/external/problem"
	"umpire/referee/program"
)

// openJudge makes the judge of the session's game, if it has one.
func openJudge(ctx context.Context, s *Session, r program.Resolver) error {
	if p := s.Umpire.Problem(s.Game); p != nil {
		return openProblem(ctx, s, p, r)
	}
	f := s.Umpire.Folder(s.Game)
	if f == nil {
		return nil
	}
	judge, err := makeJudge(ctx, s.Machine, f, r)
	s.judge, s.runner.Judges = judge.Bot, judge.Judges
	return err
}

// ownBots has a resolver make the bots that come with the game of a folder.
func ownBots(r *program.Resolver, f *external.Folder) {
	r.Own, r.Chooses, r.Private = f.Bots(), true, append(r.Private, f.Dir)
}

// openProblem makes the judge of the session's problem package.
func openProblem(ctx context.Context, s *Session, p *problem.Problem, r program.Resolver) error {
	if err := s.Machine.trusts(p); err != nil {
		return err
	}
	for _, w := range p.Warnings {
		s.Machine.Tell.Note("warning: %s\n", w)
	}
	relay, err := relayOf(ctx, s.Umpire, s.Machine, p, r)
	if err != nil {
		return err
	}
	s.runner.Conductor = func(c protocols.Case, again func(context.Context) (referee.Contestant, error)) (_ referee.Conductor, err error) {
		one := relay
		one.Again = again
		one.Case, err = p.Find(c)
		return &one, err
	}
	return inferLimit(ctx, s, p, relay.Launcher, r)
}

// refusedCase returns err or, where a judge has refused a case, the mistake in it.
func refusedCase(s *Session, err error) error {
	refused, ok := errors.AsType[*arena.CaseError](err)
	if !ok {
		return err
	}
	where := "case " + refused.Name
	if f := s.Umpire.Folder(s.Game); f != nil {
		file := filepath.Join(f.Dir, "cases", refused.Name+".txt")
		if _, err := os.Stat(file); err == nil {
			where = fromHere(file)
		}
	}
	if n := refused.Refused.Line; n > 0 {
		where = fmt.Sprintf("%s:%d", where, n)
	}
	return mistakef("%s: the judge refuses it: %s", where, refused.Refused.Why)
}
