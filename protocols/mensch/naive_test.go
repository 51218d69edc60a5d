package mensch

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// naive is a second implementation of the rules, written from the statement and
// sharing nothing with the package: cells by name, paths as lists.
type naive struct {
	a, b, m, x int
	rolled     int // numbers so far
	cell       map[string]int
	players    []string
	turn       int
	unused     []int

	// Other readings of the points that the statement leaves open.
	passEarly bool // giving up before the roll passes the turn
	skipHome  bool // a colour that is home has no turn
}

func newNaive(a, b, m int, players string) *naive {
	n := &naive{a: a, b: b, m: m, cell: map[string]int{}, players: strings.Split(players, "")}
	for _, player := range n.players {
		for i := 1; i <= 4; i++ {
			n.cell[player+strconv.Itoa(i)] = naiveCorners(player)[i-1]
		}
	}
	return n
}

func naiveCorners(player string) []int {
	first := map[string]int{"R": 41, "B": 49, "G": 57, "Y": 65}[player]
	return []int{first, first + 1, first + 2, first + 3}
}

func naiveFinals(player string) []int {
	first := map[string]int{"R": 45, "B": 53, "G": 61, "Y": 69}[player]
	return []int{first, first + 1, first + 2, first + 3}
}

func naiveStart(player string) int { return map[string]int{"R": 1, "B": 11, "G": 21, "Y": 31}[player] }

func naivePath(player string) []int {
	var out []int
	for cell := naiveStart(player); len(out) < 40; cell++ {
		if cell == 41 {
			cell = 1
		}
		out = append(out, cell)
	}
	return append(out, naiveFinals(player)...)
}

func (n *naive) number() int {
	if n.rolled == 0 {
		n.x = n.b
	} else {
		n.x = (n.a*n.x + n.b) % n.m
	}
	n.rolled++
	return n.x%6 + 1
}

func (n *naive) pieceOn(cell int) string {
	for name, at := range n.cell {
		if at == cell {
			return name
		}
	}
	return ""
}

// use crosses a number out and passes the turn if it was the last.
func (n *naive) use(number int) {
	i := slices.Index(n.unused, number)
	n.unused = slices.Delete(n.unused, i, i+1)
	if len(n.unused) == 0 || n.skipHome && n.home() {
		n.pass()
	}
}

func (n *naive) pass() {
	n.unused = nil
	for range n.players {
		n.turn = (n.turn + 1) % len(n.players)
		if !n.skipHome || !n.home() {
			return
		}
	}
}

// home reports whether all pieces of the player to move are home.
func (n *naive) home() bool {
	for i := 1; i <= 4; i++ {
		player := n.players[n.turn]
		if !slices.Contains(naiveFinals(player), n.cell[player+strconv.Itoa(i)]) {
			return false
		}
	}
	return true
}

func (n *naive) land(name string, cell int) string {
	if other := n.pieceOn(cell); other != "" {
		for _, corner := range naiveCorners(other[:1]) {
			if n.pieceOn(corner) == "" {
				n.cell[other] = corner
				break
			}
		}
	}
	n.cell[name] = cell
	return strconv.Itoa(cell)
}

// ask answers a request; giveup has no line.
func (n *naive) ask(request string) (line string) {
	word := strings.Fields(request)
	player := n.players[n.turn]
	switch word[0] {
	case "giveup":
		if len(n.unused) > 0 || n.passEarly {
			n.pass()
		}
		return ""
	case "dice":
		if len(n.unused) > 0 {
			return "invalid dice rolling"
		}
		for {
			n.unused = append(n.unused, n.number())
			if n.unused[len(n.unused)-1] != 6 {
				return strings.Trim(fmt.Sprint(n.unused), "[]")
			}
		}
	}
	name := word[1]
	inCorner := slices.Contains(naiveCorners(name[:1]), n.cell[name])
	if name[:1] != player {
		return "it is not your turn"
	}
	if word[0] == "enter" {
		start := naiveStart(player)
		if !inCorner {
			return "that is in"
		}
		if !slices.Contains(n.unused, 6) {
			return "you need six"
		}
		if on := n.pieceOn(start); on != "" && on[:1] == player {
			return "busy starting cell"
		}
		line = n.land(name, start)
		n.use(6)
		return line
	}
	s, _ := strconv.Atoi(word[2])
	if !slices.Contains(n.unused, s) {
		return "invalid move"
	}
	if inCorner {
		return "it is not in"
	}
	way := naivePath(player)
	i := slices.Index(way, n.cell[name])
	if i+s >= len(way) {
		return "you can not move"
	}
	if on := n.pieceOn(way[i+s]); on != "" && on[:1] == player {
		return "destination is busy"
	}
	line = n.land(name, way[i+s])
	n.use(s)
	return line
}

// picture draws the board from the statement's coordinates.
func (n *naive) picture() string {
	text := [11][11]string{}
	for r := range text {
		for c := range text[r] {
			text[r][c] = ".."
		}
	}
	put := func(cell, r, c int, empty string) {
		text[r][c] = empty
		if name := n.pieceOn(cell); name != "" {
			text[r][c] = name
		}
	}
	line := func(from, r, c, dr, dc, count int) {
		for i := range count {
			empty := "oo"
			if from > 40 {
				empty = "xx"
			}
			put(from+i, r+dr*i, c+dc*i, empty)
		}
	}
	line(1, 4, 0, 0, 1, 5)
	line(6, 3, 4, -1, 0, 4)
	line(10, 0, 5, 0, 0, 1)
	line(11, 0, 6, 1, 0, 5)
	line(16, 4, 7, 0, 1, 4)
	line(20, 5, 10, 0, 0, 1)
	line(21, 6, 10, 0, -1, 5)
	line(26, 7, 6, 1, 0, 4)
	line(30, 10, 5, 0, 0, 1)
	line(31, 10, 4, -1, 0, 5)
	line(36, 6, 3, 0, -1, 4)
	line(40, 5, 0, 0, 0, 1)
	for _, corner := range []struct{ cell, r, c int }{{41, 0, 0}, {49, 0, 9}, {57, 9, 9}, {65, 9, 0}} {
		line(corner.cell, corner.r, corner.c, 0, 1, 2)
		line(corner.cell+2, corner.r+1, corner.c, 0, 1, 2)
	}
	line(45, 5, 1, 0, 1, 4)
	line(53, 1, 5, 1, 0, 4)
	line(61, 5, 9, 0, -1, 4)
	line(69, 9, 5, -1, 0, 4)
	var out strings.Builder
	for _, row := range text {
		out.WriteString(strings.Join(row[:], ".") + "\n")
	}
	return out.String()
}

// naiveOutput is the right output of part 2, 3, 4 or 5.
func naiveOutput(part int, input string) string {
	return naiveOutputBy(part, input, func(*naive) {})
}

// naiveOutputBy is the output under one reading of the statement.
func naiveOutputBy(part int, input string, read func(*naive)) string {
	lines := strings.Split(input, "\n")
	var a, b, m, count int
	fmt.Sscan(lines[0], &a, &b, &m)
	fmt.Sscan(lines[1], &count)
	players := "RBGY"
	if part == 3 {
		players = "R"
	}
	n := newNaive(a, b, m, players)
	read(n)
	var out strings.Builder
	if part == 2 {
		for range count {
			fmt.Fprintln(&out, n.number())
		}
		return out.String()
	}
	for _, request := range lines[2 : 2+count] {
		line := n.ask(request)
		if request != "giveup" {
			out.WriteString(line + "\n")
		}
		if part == 5 {
			out.WriteString(n.picture())
		}
	}
	return out.String()
}

// scatter puts the pieces on any allowed cells.
func (n *naive) scatter(r *rand.Rand) {
	clear(n.cell)
	for _, player := range n.players {
		places := append(naivePath(player), naiveCorners(player)...)
		for i := 1; i <= 4; {
			cell := places[r.IntN(len(places))]
			if r.IntN(3) == 0 { // more happens near the end of the path and in the corners
				cell = places[36+r.IntN(12)]
			}
			if n.pieceOn(cell) == "" {
				n.cell[player+strconv.Itoa(i)] = cell
				i++
			}
		}
	}
	n.turn = r.IntN(len(n.players))
	n.unused = nil
	if r.IntN(5) > 0 {
		for range r.IntN(4) {
			n.unused = append(n.unused, 6)
		}
		if r.IntN(4) > 0 {
			n.unused = append(n.unused, 1+r.IntN(5))
		}
	}
}

// request draws a request, mostly about a player's own pieces and numbers.
func (n *naive) request(r *rand.Rand) string {
	player := n.players[n.turn]
	if r.IntN(12) == 0 {
		player = n.players[r.IntN(len(n.players))]
	}
	s := 1 + r.IntN(6)
	if len(n.unused) > 0 && r.IntN(6) > 0 {
		s = n.unused[r.IntN(len(n.unused))]
	}
	switch i := 1 + r.IntN(4); r.IntN(8) {
	case 0:
		return "dice"
	case 1:
		return "giveup"
	case 2, 3:
		return fmt.Sprintf("enter %s%d", player, i)
	default:
		return fmt.Sprintf("move %s%d %d", player, i, s)
	}
}

// board converts the position to the package's type.
func (n *naive) board(t testing.TB) Board {
	b := NewBoard(Dice{n.a, n.b, n.m}, len(n.players))
	b.Position = Position{}
	for name, cell := range n.cell {
		b.set(parsePiece(name, len(n.players)), cell)
	}
	b.turn = Colour(n.turn)
	for _, number := range n.unused {
		if number == 6 {
			b.left.Sixes++
		} else {
			b.left.Last = number
		}
	}
	return b
}

func TestNaiveAgreesOnRandomPositions(t *testing.T) {
	count := testlevel.Times(10_000, 10_000, 100_000)
	r := rand.New(rand.NewPCG(1, 2))
	replies := map[string]int{}
	captures := 0
	for i := range count {
		n := newNaive(37, 71, 101, []string{"RBGY", "RBG", "RB", "R"}[i%4])
		n.scatter(r)
		b := n.board(t)
		request := n.request(r)
		parsed, ok := ParseRequest(request, len(n.players))
		if !ok {
			t.Fatalf("request %q is refused as unknown", request)
		}
		before := b.String()
		want, reply := n.ask(request), b.Do(parsed)
		if reply.Captured != NoPiece {
			captures++
		}
		s := b.state()
		if reply.String() != want || !maps.Equal(s.Cells, n.cell) || s.Turn != n.players[n.turn] || !slices.Equal(s.Dice, n.unused) {
			t.Fatalf("position %d\n%s\n%s: %q, want %q, then\n%s, want\n%s turn %s unused %v",
				i, before, request, reply, want, b.String(), n.picture(), n.players[n.turn], n.unused)
		}
		if got := string(b.AppendPicture(nil)); i%10 == 0 && got != n.picture() {
			t.Fatalf("position %d draws\n%swant\n%s", i, got, n.picture())
		}
		if want == "" || want[0] > '9' {
			replies[want]++
		} else {
			replies[parsed.Verb.String()]++
		}
	}
	if len(replies) < 13 || captures < count/200 {
		t.Errorf("the positions met only %v and %d captures", replies, captures)
	}
}

func TestNaiveAgreesOnRandomDialogues(t *testing.T) {
	for part := 2; part <= 5; part++ {
		for seed := range uint64(40) {
			group := mixed
			switch {
			case seed == 0:
				group = largest
			case seed < 4 && part > 3:
				group = open
			}
			c, err := generateTask(part, group, seed)
			if err != nil {
				t.Fatal(err)
			}
			want := naiveOutput(part, c.String())
			if wrong := describe(firstMistake(string(c.(*task).answer()), want)); wrong != "" {
				t.Errorf("part %d, %s %d: %s", part, group, seed, wrong)
			}
		}
	}
}

// The points that the statement leaves open change no answer in the cases that
// avoid them; the cases of group open meet all of them.
func TestOpen(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	readings := map[string]func(*naive){
		"giveup before the roll passes": func(n *naive) { n.passEarly = true },
		"a colour that is home is done": func(n *naive) { n.skipHome = true },
	}
	for part := 4; part <= 5; part++ {
		different := map[string]int{} // by group and reading
		for _, group := range taskGroups(part) {
			for seed := range uint64(5) {
				c, err := generateTask(part, group, seed)
				if err != nil {
					t.Fatal(err)
				}
				for name, read := range readings {
					if describe(firstMistake(naiveOutputBy(part, c.String(), read), string(c.(*task).answer()))) != "" {
						different[group+": "+name]++
					}
				}
			}
		}
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "cases", taskName(part), "*", "*.txt"))
		if err != nil || len(files) == 0 {
			t.Fatalf("part %d: %d standard cases, %v", part, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := mustTask(t, part, string(text))
			for name, read := range readings {
				if describe(firstMistake(naiveOutputBy(part, c.String(), read), string(c.answer()))) != "" {
					t.Errorf("%s depends on whether %s", file, name)
				}
			}
		}
		for name := range readings {
			if different["open: "+name] == 0 {
				t.Errorf("part %d: group open does not depend on whether %s", part, name)
			}
			delete(different, "open: "+name)
		}
		if len(different) > 0 {
			t.Errorf("part %d: other groups depend on what is open: %v", part, different)
		}
	}
}
