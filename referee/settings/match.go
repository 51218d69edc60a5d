package settings

import (
	"fmt"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// The cases to play.
var (
	Case  = Setting{Name: "case", Help: "`NAME|FILE|TEXT`: play only this case: its name, a file or its text"}
	Cases = Setting{Name: "cases", Help: "`DIR|FILE`: play the cases in a folder or file, not the standard ones"}
	Group = Setting{Name: "group", Help: "`GROUP`: play only the cases of this group"}
	N     = Setting{Name: "n", Kind: Count, Help: "play `N` generated cases"}
	Seed  = Setting{Name: "seed", Kind: Number, Default: "1", Help: "`N`: everything random follows from it; the same number gives the same run"}
)

// The conditions under which matches are played.
var (
	Time = Setting{
		Name: "time", Kind: Duration, Help: "`D`: time budget of each contestant, such as 1s or 500ms; 0: no limit (default: the game's)",
		Limit: duration(func(l *protocols.Limits) *time.Duration { return &l.Time }),
	}
	TimePerMove = Setting{
		Name: "time-per-move", Kind: Duration, Help: "`D`: time limit for each reply (default: the game's)",
		Limit: duration(func(l *protocols.Limits) *time.Duration { return &l.PerMove }),
	}
	Startup = Setting{
		Name: "startup", Kind: Duration, Help: "`D`: time of the first reply that is not charged (default: the game's)",
		Limit: duration(func(l *protocols.Limits) *time.Duration { return &l.Startup }),
	}
	Clock = Setting{
		Name: "clock", Kind: Choice, Choices: []string{wall, cpu},
		Help: "`|`: the time that counts; with cpu, a bot may also take twice its budget and a second of wall time (default: the game's)",
		Limit: func(l *protocols.Limits, value string) error {
			l.CPU = value == cpu
			return nil
		},
	}
	Memory = Setting{
		Name: "memory", Kind: Size, Help: "`SIZE`: memory limit of each contestant, such as 256M; 0: no limit (default: the game's)",
		Limit: func(l *protocols.Limits, value string) (err error) {
			l.Memory, err = ParseMemory(value)
			return err
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
		Help:    "`|`: thinking during the opponent's turn: allow it, charge it, or freeze the bot; auto is freeze",
	}
)

// How matches are run.
var (
	Jobs      = Setting{Name: "jobs", Kind: Count, Help: "`N`: number of concurrent matches (default: as many as the CPUs allow)"}
	Languages = Setting{Name: "languages", Help: "`FILE`: compile and run source files by its rows, then the built-in ones"}
	Affinity  = Setting{
		Name: "affinity", Kind: Choice, Choices: []string{auto, Off}, Default: auto,
		Help: "`|`: give each match its own CPU",
	}
)

// Players from outside.
var (
	Gather = Setting{Name: "gather", Kind: Duration, Default: "60s", Help: "wait `D` for the remote players and people of a match, which then is as --absent says; 0: wait for ever"}
	Absent = Setting{
		Name: "absent", Kind: Choice, Default: absentVoid, Choices: []string{absentVoid, Forfeit},
		Help: "`|`: what becomes of a match whose remote players or people have not come: it does not count, or they have failed in it",
	}
	Grace = Setting{Name: "grace", Kind: Duration, Default: "0", Help: "remote players: time `D` of each reply that is not charged"}
	Idle  = Setting{
		Name: "idle", Kind: Duration, Default: "10m", Help: "remote players and people: time `D` for a reply where there is no budget; 0: no limit",
	}
)

// Off is the value of Affinity that pins no match to a CPU, and Forfeit that of Absent
// with which those who have not come fail.
const (
	Off     = "off"
	Forfeit = "forfeit"
)

const (
	auto       = "auto"
	absentVoid = "void"
	wall, cpu  = "wall", "cpu"
)

// Groups of settings, in the order in which help lists them.
var (
	CaseChoice = []Setting{Case, Cases, Group, N, Seed}
	Conditions = []Setting{Time, TimePerMove, Startup, Clock, Memory, Isolation, Pondering}
	Running    = []Setting{Jobs, Languages, Affinity}
	Guests     = []Setting{Gather, Absent, Grace, Idle}
)

// duration changes a time limit.
func duration(field func(*protocols.Limits) *time.Duration) func(*protocols.Limits, string) error {
	return func(l *protocols.Limits, value string) (err error) {
		*field(l), err = ParseDuration(value)
		return err
	}
}

// Limits reads the limits that are set; get returns the value of a setting, and
// whether it is set. The result changes a game's limits accordingly. Errors
// name the flag.
func Limits(get func(name string) (text string, set bool)) (func(protocols.Limits) protocols.Limits, error) {
	var changes []func(*protocols.Limits)
	for _, s := range Conditions {
		text, set := get(s.Name)
		if !set || s.Limit == nil {
			continue
		}
		if s.Kind == Choice {
			if err := s.Check(text); err != nil {
				return nil, err
			}
		}
		if err := s.Limit(new(protocols.Limits), text); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Flag(), err)
		}
		changes = append(changes, func(l *protocols.Limits) { _ = s.Limit(l, text) })
	}
	return func(l protocols.Limits) protocols.Limits {
		for _, change := range changes {
			change(&l)
		}
		return l
	}, nil
}

// Policy returns the pondering policy for a value of Pondering. Auto means
// freeze: that takes no extra CPUs, and is the same on every machine.
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
