package settings

import (
	"fmt"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// Which cases are played.
var (
	Case  = Setting{Name: "case", Help: "the one case `NAME|FILE|TEXT`"}
	Cases = Setting{Name: "cases", Help: "the cases in `DIR|FILE` instead of the standard ones"}
	Group = Setting{Name: "group", Help: "only cases of group `G`"}
	N     = Setting{Name: "n", Kind: Count, Min: 1, Help: "`N` generated cases"}
	Seed  = Setting{Name: "seed", Kind: Number, Default: "1", Help: "everything random follows from `N`"}
)

// Under what conditions matches are played.
var (
	Time = Setting{
		Name: "time", Kind: Duration, Help: "a contestant's whole budget `D`, as in 1s or 500ms; 0: none (default: the game's)",
		limits: duration(func(l *protocols.Limits) *time.Duration { return &l.Time }),
	}
	TimePerMove = Setting{
		Name: "time-per-move", Kind: Duration, Help: "budget `D` of every reply",
		limits: duration(func(l *protocols.Limits) *time.Duration { return &l.PerMove }),
	}
	Startup = Setting{
		Name: "startup", Kind: Duration, Help: "of the first reply's time, `D` is not charged",
		limits: duration(func(l *protocols.Limits) *time.Duration { return &l.Startup }),
	}
	Clock = Setting{
		Name: "clock", Kind: Choice, Choices: []string{wall, cpu},
		Help: "what budgets are charged in: `|`; with cpu, a bot may take twice its budget and a second of wall time",
		limits: func(text string) (func(*protocols.Limits), error) {
			return func(l *protocols.Limits) { l.CPU = text == cpu }, nil
		},
	}
	Memory = Setting{
		Name: "memory", Kind: Size, Help: "memory `SIZE` of a contestant, as in 256M; 0: no limit",
		limits: func(text string) (func(*protocols.Limits), error) {
			n, err := ParseSize(text)
			return func(l *protocols.Limits) { l.Memory = n }, err
		},
	}
	Isolation = Setting{
		Name: "isolation", Kind: Choice, Default: string(referee.LevelAuto), Env: "UMPIRE_ISOLATION",
		Choices: []string{
			string(referee.LevelAuto), string(referee.LevelNone), string(referee.LevelBasic), string(referee.LevelBox), string(referee.LevelStrict),
		},
		Help: "`|`: what contestants may touch",
	}
	Pondering = Setting{
		Name: "pondering", Kind: Choice, Default: auto,
		Choices: []string{auto, string(referee.PonderAllow), string(referee.PonderCharge), string(referee.PonderFreeze)},
		Help: "thinking during the opponent's turn, `|`: " +
			"allow it, on a CPU of its own; charge it to the bot's budget; charge it, and stop a bot that is seen computing until its turn (auto)",
	}
)

// How they are run.
var (
	Jobs      = Setting{Name: "jobs", Kind: Count, Min: 1, Help: "play `N` matches at once (default: as many as there are CPUs for)"}
	Languages = Setting{Name: "languages", Help: "how source files are compiled and run: rows of `FILE` before the built-in ones"}
	Affinity  = Setting{
		Name: "affinity", Kind: Choice, Choices: []string{auto, Off}, Default: auto,
		Help: "`|`: a CPU of its own for each match",
	}
)

// Off is the value of Affinity that pins no match to a CPU.
const Off = "off"

const (
	auto      = "auto"
	wall, cpu = "wall", "cpu"
)

// Groups of settings, in the order in which help lists them.
var (
	CaseChoice = []Setting{Case, Cases, Group, N, Seed}
	Conditions = []Setting{Time, TimePerMove, Startup, Clock, Memory, Isolation, Pondering}
	Running    = []Setting{Jobs, Languages, Affinity}
)

// duration reads a time limit.
func duration(field func(*protocols.Limits) *time.Duration) func(string) (func(*protocols.Limits), error) {
	return func(text string) (func(*protocols.Limits), error) {
		d, err := ParseDuration(text)
		return func(l *protocols.Limits) { *field(l) = d }, err
	}
}

// Limits reads the limits that are set; get gives the value of a setting, and
// whether it is set. The result changes a game's limits accordingly. Errors name
// the flag.
func Limits(get func(name string) (text string, set bool)) (func(protocols.Limits) protocols.Limits, error) {
	var changes []func(*protocols.Limits)
	for _, s := range Conditions {
		text, set := get(s.Name)
		if !set || s.limits == nil {
			continue
		}
		if s.Kind == Choice {
			if err := s.Check(text); err != nil {
				return nil, err
			}
		}
		change, err := s.limits(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Flag(), err)
		}
		changes = append(changes, change)
	}
	return func(l protocols.Limits) protocols.Limits {
		for _, change := range changes {
			change(&l)
		}
		return l
	}, nil
}

// Policy is what becomes of thinking during the opponent's turn, by the value of
// Pondering. Automatic is to freeze: that takes no more CPUs, and is the same on
// every machine.
func Policy(text string, g protocols.Game) (referee.Pondering, error) {
	switch err := Pondering.Check(text); {
	case err != nil:
		return "", err
	case text != auto:
		return referee.Pondering(text), nil
	case g.MaxSeats == 1:
		return referee.PonderAllow, nil
	}
	return referee.PonderFreeze, nil
}
