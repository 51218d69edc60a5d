package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external/problem"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/sandbox"
	"umpire/referee/userfile"
)

// inferLimit finds the time limit of the session's problem package where neither that nor
// the user says one: from how long the package's own submissions take, which is kept in the
// cache for as long as package and submissions are the same.
func inferLimit(ctx context.Context, s *Session, p *problem.Problem, launcher sandbox.Launcher, r program.Resolver) error {
	if p.Timing == nil || setsTime(s.Conditions) {
		return nil
	}
	bots, err := timedBots(ctx, s, p, r)
	if err != nil {
		return err
	}
	file, err := measuredFile(p, bots, launcher.Level())
	if err != nil {
		return err
	}
	slowest, known := readMeasured(file)
	if !known {
		if slowest, err = measure(ctx, s, p, launcher, bots); err != nil {
			return err
		}
		writeMeasured(file, slowest)
	}
	if slowest.Submission == "" {
		p.LimitFrom = "umpire's default, since no submission ended well by which it is inferred"
	} else {
		p.Limits.Time = p.Timing.Limit(time.Duration(slowest.US) * time.Microsecond)
		p.LimitFrom = fmt.Sprintf("inferred: @%s takes %s on %s, %s", slowest.Submission, (time.Duration(slowest.US) * time.Microsecond).Round(time.Millisecond), slowest.Case, p.Timing)
	}
	p.Timing = nil
	s.Machine.Tell.Note("time limit: %s (%s)\n", p.Limits.Time, p.LimitFrom)
	return parseCases(s)
}

// setsTime reports whether the user has set the time limit.
func setsTime(k Conditions) bool {
	if k.Limits == nil {
		return false
	}
	const probe = 12345 * time.Millisecond
	return k.Limits(protocols.Limits{Time: probe, CPU: true}).Time != probe
}

// parseCases parses the session's cases again, after what limits they have has changed.
func parseCases(s *Session) error {
	s.Set.Cases = slices.Clone(s.Set.Cases)
	for i, c := range s.Set.Cases {
		again, err := s.Game.Parse(c.String())
		if err != nil {
			return err
		}
		s.Set.Cases[i].Case = again
	}
	return nil
}

// measured is the longest that a run of a submission took.
type measured struct {
	Submission string `json:"submission"` // "": none ended by itself
	Case       string `json:"case"`
	US         int64  `json:"cpu_us"`
}

// measuredFile is where what was measured is kept.
func measuredFile(p *problem.Problem, bots []program.Bot, level referee.Level) (string, error) {
	parts := []string{"limit 1", p.Digest, string(level)}
	for i, b := range bots {
		parts = append(parts, p.Timing.Of[i].Submission, b.Digest, strings.Join(p.Timing.Of[i].Cases, " "))
	}
	dir, err := build.CacheDir()
	return filepath.Join(dir, "limits", build.Digest(parts...)+".json"), err
}

func readMeasured(file string) (m measured, ok bool) {
	text, err := os.ReadFile(file)
	return m, err == nil && json.Unmarshal(text, &m) == nil
}

// writeMeasured keeps what was measured; where that can't be done, it is measured again.
func writeMeasured(file string, m measured) {
	text, err := json.Marshal(m)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err == nil {
		_ = userfile.Replace(file, text, 0o644)
	}
}

// timedBots makes the submissions by which the limit is inferred. One that can't be made
// has no time.
func timedBots(ctx context.Context, s *Session, p *problem.Problem, r program.Resolver) (bots []program.Bot, err error) {
	if err = p.MakeWith(ctx, &r); err != nil {
		return nil, Mistaken(err)
	}
	for _, one := range p.Timing.Of {
		file := filepath.Join(p.Dir, p.SubmissionDir, filepath.FromSlash(one.Submission))
		bot, err := r.Resolve(ctx, program.Entrant{Name: one.Submission, Label: "@" + one.Submission, What: file, Shown: s.Umpire.shown(file), Kind: program.KindPath, Main: one.Main})
		if broken, ok := errors.AsType[*program.BrokenError](err); ok {
			bot, err = broken.Bot, nil
		}
		if err != nil {
			return nil, err
		}
		bots = append(bots, bot)
	}
	return bots, nil
}

// measure runs the submissions, and returns the longest of the runs that end by themselves.
func measure(ctx context.Context, s *Session, p *problem.Problem, launcher sandbox.Launcher, bots []program.Bot) (slowest measured, err error) {
	runner := &arena.Local{
		Games: []protocols.Game{s.Game}, Jobs: max(1, s.runner.Jobs), Umpire: s.runner.Umpire, Isolation: s.runner.Isolation,
		Stalls: s.runner.Stalls, Conductor: s.runner.Conductor,
	}
	var fixtures []arena.Fixture
	for i, b := range bots {
		if b.Broken != "" || b.Lack != "" {
			continue
		}
		player := arena.Program{Bot: b, Launcher: launcher}
		runner.Players = append(runner.Players, player)
		for _, c := range p.Cases {
			if !slices.Contains(p.Timing.Of[i].Cases, c.Name) {
				continue
			}
			l := p.Limits
			l.Time = problem.MostMeasured
			if s.Limits != nil {
				l = s.Limits(l)
			}
			group, _, _ := strings.Cut(c.Name, "/")
			fixtures = append(fixtures, arena.Fixture{
				Game: s.Game.Name, Case: record.Case{Name: problem.SetName(c.Name), Group: group, Text: c.Case.String()}, Repetition: 1,
				Limits: record.NewLimits(l, s.Pondering), Package: s.Package, Seats: []arena.Seat{SeatOf(player.Identity(), false)},
			})
		}
	}
	if len(fixtures) == 0 {
		return slowest, nil
	}
	s.Machine.Tell.Note("time limit: inferred from %d runs of the package's own submissions\n", len(fixtures))
	err = runner.Run(ctx, slices.Values(fixtures), func(_ int, r record.Record) error {
		switch seat := r.Seats[0]; {
		case r.Error != "":
		case seat.Verdict == string(protocols.KindTime):
			return mistakef("@%s takes more than %g s on %s, so that no time limit can be inferred; --time sets one", seat.Bot, problem.MostMeasured.Seconds(), r.Case.Name)
		case slices.Contains([]string{string(referee.OK), string(referee.Wrong), string(protocols.KindCrash)}, seat.Verdict) && seat.CPUUS > slowest.US:
			slowest = measured{seat.Bot, r.Case.Name, seat.CPUUS}
		}
		return nil
	})
	return slowest, err
}
