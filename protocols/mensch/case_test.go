package mensch

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"umpire/protocols/protocoltest"
)

var update = flag.Bool("update", false, "write the standard cases instead of comparing them")

// group is a group of a case set: its folder and its part of groups.yaml.
type group struct {
	name   string
	points int
	cases  map[string]string // by file name
}

// The files under testdata/cases are those this test would write.
func TestCaseFiles(t *testing.T) {
	root := filepath.Join("..", "..", "testdata", "cases")
	for _, g := range Games() {
		var groups []group
		switch part := g.Name[len(g.Name)-1]; part {
		case '1', '2', '3', '4', '5':
			groups = taskFiles(t, int(part-'0'))
		default:
			groups = []group{{standard, 18, generated(t, g.Generate, standard, 6)}}
		}
		files := map[string]string{"groups.yaml": groupsFile(groups)}
		for _, group := range groups {
			for name, text := range group.cases {
				files[group.name+"/"+name+".txt"] = text + "\n"
				if c, err := g.Parse(text); err != nil || c.String() != text {
					t.Errorf("%s %s/%s: not canonical, or %v", g.Name, group.name, name, err)
				}
			}
		}
		checkFiles(t, filepath.Join(root, g.Name), files)
	}
}

func groupsFile(groups []group) string {
	out := "# What the groups of this case set are worth.\ngroups:\n"
	for _, g := range groups {
		out += fmt.Sprintf("  - name: %s\n    points: %d\n    combine: sum\n", g.name, g.points)
	}
	return out
}

// checkFiles compares a folder with its expected content, or writes it.
func checkFiles(t *testing.T, dir string, files map[string]string) {
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		protocoltest.File(t, filepath.Join(dir, filepath.FromSlash(name)), text, *update)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "*.txt"))
	if err != nil || len(found) != len(files)-1 {
		t.Errorf("%s has %d case files, want %d (%v)", dir, len(found), len(files)-1, err)
	}
}

func generated[C fmt.Stringer](t *testing.T, generate func(string, uint64) (C, error), group string, count int) map[string]string {
	out := map[string]string{}
	for i := range count {
		c, err := generate(group, uint64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		out[fmt.Sprintf("%02d", i+1)] = c.String()
	}
	return out
}

func taskFiles(t *testing.T, part int) []group {
	if part == 1 {
		cases := map[string]string{}
		for c := range everyFace() {
			cases["0"+c.String()] = c.String()
		}
		return []group{{allFaces, 100, cases}}
	}
	samples := map[int]map[string]string{
		2: {"01": "37 71 101\n10", "02": "479 139 911\n8"},
		3: {"01": sample3a, "02": sample3b},
		4: {"01": sample4},
		5: {"01": "37 71 101\n3\ndice\nenter R2\ngiveup", "02": sample4},
	}
	corners := map[string]string{
		"short-cycle": "2 2 3\n40",
		"never-six":   "101 439 701\n60",
		"many-sixes":  "59 131 181\n40", // four of five
		"largest-m":   "991 983 997\n40",
	}
	if part == 2 {
		corners["one-number"] = "37 71 101\n1"
		corners["two-numbers"] = "37 71 101\n2"
		corners["longest-run"] = "821 13 823\n500" // the longest possible: nine sixes
	} else {
		corners = cornerDialogues(t, part, corners)
	}
	big := 3
	if part == 3 {
		big = 1 // a case of more than a megabyte
	}
	game := Games()[part]
	return []group{
		{"samples", 20, samples[part]},
		{"corners", 40, corners},
		{mixed, 20, generated(t, game.Generate, mixed, 4)},
		{largest, 20, generated(t, game.Generate, largest, big)},
	}
}

// A moment is a request in a dialogue, with the boards before and after it.
type moment struct {
	before, after Board
	request       Request
	reply         Reply
}

func (m moment) refused(r Refusal) bool { return m.reply.Refusal == r }
func (m moment) steps() int             { return m.before.Steps(m.request.Piece) }
func (m moment) in() bool               { return m.before.In(m.request.Piece) }
func (m moment) startIsBusy() bool      { return m.before.Own(m.before.turn, m.before.turn.StartCell()) }

// moments are situations, each of which makes a corner case.
var moments = map[string]func(m moment) bool{
	"sixes-in-a-row":            func(m moment) bool { return m.request.Verb == RollDice && m.reply.Roll.Sixes >= 3 },
	"dice-with-numbers-left":    func(m moment) bool { return m.refused(NumbersLeft) && m.before.left.Last == 0 },
	"giveup-with-sixes-left":    func(m moment) bool { return m.request.Verb == GiveUp && m.before.left.Sixes >= 2 },
	"enter-before-the-roll":     func(m moment) bool { return m.refused(NeedSix) && m.before.left.None() },
	"enter-what-is-in-no-six":   func(m moment) bool { return m.refused(IsIn) && !m.before.left.Has(6) && m.startIsBusy() },
	"enter-what-is-home":        func(m moment) bool { return m.refused(IsIn) && m.steps() > track && m.before.left.Has(6) },
	"enter-busy-start-no-six":   func(m moment) bool { return m.refused(NeedSix) && m.startIsBusy() },
	"enter-busy-start":          func(m moment) bool { return m.refused(BusyStart) },
	"move-before-the-roll":      func(m moment) bool { return m.refused(InvalidMove) && m.before.left.None() && m.in() },
	"move-wrong-number-not-in":  func(m moment) bool { return m.refused(InvalidMove) && !m.in() },
	"move-not-in":               func(m moment) bool { return m.refused(NotIn) },
	"move-past-the-end":         func(m moment) bool { return m.refused(CanNotMove) && m.steps() <= track },
	"move-past-the-end-at-home": func(m moment) bool { return m.refused(CanNotMove) && m.steps() > track },
	"move-to-busy-track":        func(m moment) bool { return m.refused(BusyDestination) && m.steps()+int(m.request.Steps) <= track },
	"move-to-busy-final-cell":   func(m moment) bool { return m.refused(BusyDestination) && m.steps()+int(m.request.Steps) > track },
	"move-to-the-last-cell":     func(m moment) bool { return m.request.Verb == Move && m.after.Steps(m.request.Piece) == path },
	"move-inside-the-final": func(m moment) bool {
		return m.request.Verb == Move && m.reply.Cell > 0 && m.steps() > track && m.after.Steps(m.request.Piece) < path
	},
	"jump-inside-the-final": func(m moment) bool { return m.reply.Cell > 0 && m.steps() > track && m.jumps() },
	"jump-on-the-track":     func(m moment) bool { return m.reply.Cell > 0 && m.after.Steps(m.request.Piece) <= track && m.jumps() },
}

// momentsOfOne are moments after which the statement defines the continuation
// only if red plays alone.
var momentsOfOne = map[string]func(m moment) bool{
	"giveup-before-the-roll": func(m moment) bool { return m.refused(NotRolled) },
	"all-four-home-and-on":   func(m moment) bool { return m.before.Home(m.before.turn) && m.request.Verb == Move },
	"all-four-home-with-numbers": func(m moment) bool {
		return !m.before.Home(m.before.turn) && m.after.Home(m.before.turn) && m.after.turn == m.before.turn
	},
}

// momentsOfFour are moments that need other colours.
var momentsOfFour = map[string]func(m moment) bool{
	"capture-with-numbers-left": func(m moment) bool {
		return m.reply.Captured > 0 && m.request.Verb == Move && m.after.turn == m.before.turn
	},
	"turn-comes-round":          func(m moment) bool { return m.before.turn == Yellow && m.after.turn == Red },
	"three-home":                func(m moment) bool { return m.home() == 3 && m.reply.Cell > 0 && m.steps() <= track },
	"capture-by-moving":         func(m moment) bool { return m.reply.Captured > 0 && m.request.Verb == Move },
	"capture-by-entering":       func(m moment) bool { return m.reply.Captured > 0 && m.request.Verb == Enter },
	"capture-to-another-corner": func(m moment) bool { return m.reply.Captured > 0 && !m.ownCorner() },
	"not-your-turn-enter":       func(m moment) bool { return m.refused(NotYourTurn) && m.request.Verb == Enter && m.in() },
	"not-your-turn-move": func(m moment) bool {
		return m.refused(NotYourTurn) && m.request.Verb == Move && !m.in() && !m.before.left.None()
	},
	"not-your-turn-early": func(m moment) bool { return m.refused(NotYourTurn) && m.before.left.None() },
	"round-the-end-of-track": func(m moment) bool {
		return m.reply.Cell > 0 && m.reply.Cell < m.before.Cell(m.request.Piece) && m.steps() > 0
	},
	"refused-keeps-the-turn": func(m moment) bool { return m.reply.Refusal != Accepted && m.before.turn == Yellow },
}

// home counts the home pieces of the colour whose turn it was.
func (m moment) home() (n int) {
	for _, p := range m.before.turn.Pieces() {
		if m.before.Steps(p) > track {
			n++
		}
	}
	return n
}

func (m moment) jumps() bool {
	for s := 1; s < int(m.request.Steps) && m.steps() > 0; s++ {
		if cell := m.before.Ahead(m.request.Piece, s); m.before.On(cell) != NoPiece {
			return true
		}
	}
	return false
}

func (m moment) ownCorner() bool {
	c := m.reply.Captured.Colour()
	return m.after.Cell(m.reply.Captured) == c.corner(int(m.reply.Captured-c.Pieces()[0]))
}

// cornerDialogues makes the corner cases of parts 3 to 5: a dialogue on each of
// the special dice, and for each moment the shortest of the drawn dialogues
// that leads to it, with five requests more.
func cornerDialogues(t *testing.T, part int, special map[string]string) map[string]string {
	out := map[string]string{"one-request": "37 71 101\n1\ndice"}
	for name, text := range special {
		d := mustTask(t, 2, text).dice
		out[name] = dialogueText(part, d, dialogue(source("corners", name, 1), d, colours(part), 60))
	}
	wanted := maps.Clone(moments)
	if part == 3 {
		maps.Copy(wanted, momentsOfOne)
	} else {
		maps.Copy(wanted, momentsOfFour)
	}
	shortest := map[string]int{}
	for seed := range uint64(500) {
		r := source(taskName(part), "corners", seed)
		d := fairDice(r)
		requests := dialogue(r, d, colours(part), []int{100, 300, 900}[seed%3])
		b := NewBoard(d, colours(part))
		for i, request := range requests {
			m := moment{before: b, request: request}
			m.reply = b.Do(request)
			m.after = b
			for name, has := range wanted {
				if best, found := shortest[name]; (!found || i < best) && has(m) {
					shortest[name] = i
					out[name] = dialogueText(part, d, requests[:min(i+6, len(requests))])
				}
			}
		}
	}
	if len(shortest) < len(wanted) {
		t.Errorf("part %d: found only %v", part, slices.Collect(maps.Keys(shortest)))
	}
	return out
}

func dialogueText(part int, d Dice, requests []Request) string {
	return (&task{part: part, dice: d, requests: requests}).String()
}
