// Command correlation measures, for each game that values replies, what the losses
// that `umpire analyse` reports have to do with results: it plays the built-in
// bots against each other and compares every two seats of a match, or two bots on
// the same case where a match has one seat. Where values give expected results, it also
// fits these to the results: by which factor the constant of the game, its spread, is off,
// and what came of the replies after which so much was expected.
//
//	go run ./scripts/correlation
//	go run ./scripts/correlation -n 50 mensch
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"umpire/protocols"
	"umpire/protocols/catalog"
)

func main() {
	cases := flag.Int("n", 12, "generated `cases` for each game")
	flag.Parse()
	if err := measure(*cases, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "correlation:", err)
		os.Exit(1)
	}
}

// measure prints a row for each game and number of seats.
func measure(cases int, names []string) error {
	dir, err := os.MkdirTemp("", "correlation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	umpire := filepath.Join(dir, "umpire")
	if _, err := output("go", "build", "-o", umpire, "."); err != nil {
		return err
	}
	var fits []string
	fmt.Println("| game | seats | matches | pairs | correlation | placed better when it lost less |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, g := range catalog.Games() {
		if g.Analysis.Unit == "" || len(names) > 0 && !slices.Contains(names, g.Name) {
			continue
		}
		for seats := g.MinSeats; seats <= g.MaxSeats; seats++ {
			matches, err := play(umpire, filepath.Join(dir, g.Name+strconv.Itoa(seats)), g, seats, cases)
			if err != nil {
				return fmt.Errorf("%s: %w", g.Name, err)
			}
			pairs := pairsOf(matches)
			better, decided := agreeing(pairs)
			fmt.Printf("| %s | %d | %d | %d | %.2f | %d of %d |\n", g.Name, seats, len(matches), len(pairs), correlation(pairs), better, decided)
			if g.Analysis.Results != "" && seats == 2 {
				fits = append(fits, fitted(g.Name, repliesOf(matches)))
			}
		}
	}
	for _, text := range fits {
		fmt.Print(text)
	}
	return nil
}

// reply is what was expected after a reply, and the result: 1, ½ or 0.
type reply struct{ expected, result float64 }

// repliesOf lists the replies of matches of two seats after which nothing was certain.
func repliesOf(matches []match) (list []reply) {
	for _, m := range matches {
		for _, move := range m.Moves {
			if move.Result > 0 && move.Result < 1 {
				result := float64(1+cmp.Compare(m.Seats[2-move.Seat].Place, m.Seats[move.Seat-1].Place)) / 2
				list = append(list, reply{move.Result, result})
			}
		}
	}
	return list
}

// fitted fits the expected results by a factor of their logits, by Newton's method, and
// compares them with the results, a tenth at a time.
func fitted(name string, list []reply) string {
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	factor := 1.0
	for range 50 {
		slope, curve := 0.0, 0.0
		for _, r := range list {
			l := logit(r.expected)
			p := 1 / (1 + math.Exp(-factor*l))
			slope += (r.result - p) * l
			curve += p * (1 - p) * l * l
		}
		if curve > 0 {
			factor += slope / curve
		}
	}
	text := fmt.Sprintf("\n%s: %d replies, the best spread is %.2f of the one it has\n\n| expected | replies | result |\n|---|---|---|\n", name, len(list), 1/factor)
	for tenth := range 10 {
		n, expected, result := 0, 0.0, 0.0
		for _, r := range list {
			if int(10*r.expected) == tenth {
				n++
				expected += r.expected
				result += r.result
			}
		}
		if n > 0 {
			text += fmt.Sprintf("| %.2f | %d | %.2f |\n", expected/float64(n), n, result/float64(n))
		}
	}
	return text
}

// match is the analysis of a match, as `umpire analyse --json` prints it.
type match struct {
	Case  string `json:"case"`
	Seats []struct {
		Bot    string  `json:"bot"`
		Lost   float64 `json:"lost"`
		Margin int     `json:"margin"`
		Place  int     `json:"place"`
	} `json:"seats"`
	Moves []struct {
		Seat   int     `json:"seat"`
		Result float64 `json:"result"`
	} `json:"moves"`
	Failures []json.RawMessage `json:"failures"`
}

// play plays a tournament of the game's built-in bots, at least as many as there
// are seats, and returns the analyses of the matches without failures.
func play(umpire, dir string, g protocols.Game, seats, cases int) ([]match, error) {
	args := []string{"tournament", g.Name, "--seats", strconv.Itoa(seats)}
	if seats == 1 {
		args = []string{"score", g.Name}
	}
	args = append(args, "-o", dir, "-n", strconv.Itoa(cases), "--isolation", "none", "--time", "10m", "--time-per-move", "1m", "--quiet")
	var facts struct {
		Bots []string `json:"bots"`
	}
	text, err := output(umpire, "games", g.Name, "--json")
	if err == nil {
		err = json.Unmarshal(text, &facts)
	}
	if err != nil {
		return nil, err
	}
	for i := range max(len(facts.Bots), seats) {
		name := facts.Bots[i%len(facts.Bots)]
		args = append(args, fmt.Sprintf("%s%d=@%s", name, i, name))
	}
	if _, err := output(umpire, args...); err != nil {
		return nil, err
	}
	text, err = output(umpire, "analyse", "--json", "--quiet", dir)
	if err != nil {
		return nil, err
	}
	var out []match
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var m match
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return nil, err
		}
		if len(m.Seats) > 0 && len(m.Failures) == 0 {
			out = append(out, m)
		}
	}
	return out, lines.Err()
}

// pair compares two seats: how much less the first one lost, and how much better
// it did: in points, or in places where there are more than two seats.
type pair struct{ less, better float64 }

// pairsOf compares the seats of each match, and matches of one seat on the same
// case.
func pairsOf(matches []match) (pairs []pair) {
	alone := map[string][]match{}
	for _, m := range matches {
		if len(m.Seats) == 1 {
			for _, other := range alone[m.Case] {
				a, b := m.Seats[0], other.Seats[0]
				pairs = append(pairs, pair{b.Lost - a.Lost, float64(a.Margin - b.Margin)})
			}
			alone[m.Case] = append(alone[m.Case], m)
			continue
		}
		for i, a := range m.Seats {
			for _, b := range m.Seats[:i] {
				better := float64(a.Margin)
				if len(m.Seats) > 2 {
					better = float64(b.Place - a.Place)
				}
				pairs = append(pairs, pair{b.Lost - a.Lost, better})
			}
		}
	}
	return pairs
}

// agreeing counts the pairs in which whoever lost less did better, of those in
// which both differ.
func agreeing(pairs []pair) (better, decided int) {
	for _, p := range pairs {
		if p.less == 0 || p.better == 0 {
			continue
		}
		decided++
		if cmp.Compare(p.less, 0) == cmp.Compare(p.better, 0) {
			better++
		}
	}
	return better, decided
}

// correlation is Pearson's coefficient of pairs, each taken in both orders, so
// that the means are 0.
func correlation(pairs []pair) float64 {
	var xy, xx, yy float64
	for _, p := range pairs {
		xy += p.less * p.better
		xx += p.less * p.less
		yy += p.better * p.better
	}
	return xy / math.Sqrt(xx*yy)
}

// output runs a program and returns what it prints.
func output(program string, args ...string) ([]byte, error) {
	cmd := exec.Command(program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w\n%s", filepath.Base(program), args, err, &stderr)
	}
	return out, nil
}
