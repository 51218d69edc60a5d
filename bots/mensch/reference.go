package mensch

import (
	"fmt"
	"strconv"
	"strings"

	"umpire/bots"
	"umpire/protocols"
	"umpire/protocols/mensch"
)

func reference1(t *bots.Table) error {
	d, err := ints(t, "d", 1)
	if err != nil {
		return err
	}
	t.Print(strings.TrimSuffix(mensch.Face(d[0]), "\n"))
	return nil
}

func reference2(t *bots.Table) error {
	dice, n, err := header(t, "n")
	if err != nil {
		return err
	}
	numbers := dice.Sequence()
	for range n {
		t.Print(strconv.Itoa(numbers.Next()))
	}
	return nil
}

func reference3(t *bots.Table) error { return answer(t, 1, false) }
func reference4(t *bots.Table) error { return answer(t, 4, false) }
func reference5(t *bots.Table) error { return answer(t, 4, true) }

// answer answers the requests of parts 3 to 5.
func answer(t *bots.Table, colours int, pictures bool) error {
	dice, q, err := header(t, "q")
	if err != nil {
		return err
	}
	board := mensch.NewBoard(dice, colours)
	var picture []byte
	for range q {
		line, err := t.Line()
		if err != nil {
			return err
		}
		request, ok := mensch.ParseRequest(line, colours)
		if !ok {
			return fmt.Errorf("read %s, expected a request", protocols.Quote(line))
		}
		reply := board.Do(request)
		if request.Verb != mensch.GiveUp {
			t.Print(reply.String())
		}
		if pictures {
			picture = board.AppendPicture(picture[:0])
			t.Print(string(picture[:len(picture)-1]))
		}
	}
	return nil
}

// header reads "A B m" and a count.
func header(t *bots.Table, count string) (mensch.Dice, int, error) {
	dice, err := ints(t, "A B m", 3)
	if err != nil {
		return mensch.Dice{}, 0, err
	}
	n, err := ints(t, count, 1)
	if err != nil {
		return mensch.Dice{}, 0, err
	}
	return mensch.Dice{A: dice[0], B: dice[1], M: dice[2]}, n[0], nil
}

// ints reads a line of n integers; what names them in an error.
func ints(t *bots.Table, what string, n int) ([]int, error) {
	out, err := t.Ints()
	if err == nil && len(out) != n {
		err = fmt.Errorf("read %d integers, expected %s", len(out), what)
	}
	return out, err
}
