package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"umpire/referee"
)

// Match is a match between an attack and an honest opponent: in that one's turns first,
// and then in the attack's own, in which it is asked for all its output.
type Match struct {
	Launcher         Launcher
	Attack, Opponent Command
	Pondering        referee.Pondering
	Hold             bool          // the attack's input stays open
	Limit            time.Duration // of each
	Patience         time.Duration // the attack's limit, if not 0
}

// Played is how it ended.
type Played struct {
	Error              string
	Verdict, Opponents string        // of the attack, and of its opponent
	Output             string        // of the attack
	Charged, CPU       time.Duration // of the opponent's replies
}

// Play plays a match as umpire does. It is set by a file outside this package, which
// the packages that play matches import.
var Play func(*testing.T, Match) Played

// An attack can make its opponent's time dearer: what each second of CPU time is charged
// is compared with what it is in a match of two honest programs, directly afterwards, on
// the same processors. On a busy machine now and then one of them alone is dear, so
// there are some tries: one that is not dear will do. Where the machine is quiet, an
// attack that takes a processor is dear in each. What is cheap by itself is compared with
// nothing: a second costs an honest program about a second, on a busy machine more.
const (
	mostCost  = 2
	cheap     = 1.5
	costTries = 10
)

// judge plays an attack a second time, in a match, and checks the verdict, and what
// its opponent is charged if the attack is frozen in its turns. Got lists its effects of
// the first time.
func (s *scene) judge(t *testing.T, a attack, got string) {
	var p Played
	cost, level := 0.0, s.launcher.Level()
	isBounded, isTabulated := !a.ponders && level != referee.LevelNone, os.Getenv(tableEnv) != ""
	for range costTries {
		p = s.match(t, a)
		if cost = p.cost(); !isTabulated && (!isBounded || cost <= cheap) {
			break
		}
		pair := Play(t, Match{Launcher: s.launcher, Attack: s.honest(), Opponent: s.honest(), Pondering: a.pondering(), Limit: attackBound})
		if pair.Verdict != "ok" || pair.Opponents != "ok" {
			t.Fatalf("a match of honest programs: %+v", pair)
		}
		if cost /= pair.cost(); cost <= mostCost || !isBounded {
			break
		}
		t.Logf("its opponent was charged %v for %v of CPU time, in a match of honest programs %v for %v", p.Charged, p.CPU, pair.Charged, pair.CPU)
	}
	if cost > mostCost && isBounded {
		t.Errorf("its opponent was charged %.1f times what it is in a match of honest programs", cost)
	}
	tabulate(t, a, level, p.Verdict, got, cost)
}

// cost is what each second of the opponent's CPU time was charged, in seconds.
func (p Played) cost() float64 { return p.Charged.Seconds() / p.CPU.Seconds() }

// match plays an attack in a match, and checks how it ends.
func (s *scene) match(t *testing.T, a attack) Played {
	level, want := s.launcher.Level(), a.expected(s.launcher.Level())
	m := Match{
		Launcher: s.launcher, Attack: s.command(t, a), Opponent: s.honest(), Pondering: a.pondering(),
		Hold: want.awaitsLook(), Limit: attackBound,
	}
	if want.verdict == "time" { // one that is idle is found out, however slow the machine
		m.Patience = patience
	}
	p := Play(t, m)
	if level == referee.LevelNone {
		s.sweep(t)
	} else {
		s.check(t)
		if p.Opponents != "ok" {
			t.Errorf("in a match its opponent has the verdict %s", p.Opponents)
		}
	}
	if p.Error != "" && want.verdict != anything {
		t.Errorf("no match: %s", p.Error)
	}
	if effect := effects(p.Output); want.effects != anything && p.Verdict == "ok" && effect != want.effects {
		t.Errorf("in a match it got away with %q, expected %q", effect, want.effects)
	}
	if want.verdict != anything && p.Verdict != want.verdict {
		t.Errorf("verdict %s, expected %s", p.Verdict, want.verdict)
	}
	return p
}

// honest is how an attack's opponent is started.
func (s *scene) honest() Command {
	path := filepath.Join(s.dir, "honest")
	return Command{Path: path, Args: []string{path}, Dir: s.work}
}

// pondering is the policy of an attack's match: umpire's default, or it may think in its
// opponent's turns.
func (a attack) pondering() referee.Pondering {
	if a.ponders {
		return referee.PonderAllow
	}
	return referee.PonderFreeze
}

// tableEnv holds the name of the table's file.
const tableEnv = "ATTACKS_TABLE"

// tabulate adds a line to the table that scripts/attacks prints.
func tabulate(t *testing.T, a attack, level referee.Level, verdict, got string, cost float64) {
	name := os.Getenv(tableEnv)
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	defer file.Close()
	if got == "" {
		got = "-"
	}
	if _, err := fmt.Fprintf(file, "%s\t%s\t%s\t%s\t%s\t%.1f\n", os.Getenv(insideEnv), a.title(), level, verdict, got, cost); err != nil {
		t.Fatal(err)
	}
}
