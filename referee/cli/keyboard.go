package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/program"
	"umpire/referee/remote"
	"umpire/referee/report"
)

// keyboard is where people play who sit at this terminal. A reply that the game
// does not allow is explained and asked for again.
type keyboard struct {
	out   *report.Printer // for prompts
	in    io.Reader
	begin sync.Once
	lines chan string // typed; closed at the end of input

	one     sync.Mutex // one person is asked at a time
	told    bool       // how to see the choices and how to leave
	choices map[int][]protocols.Choice
}

// openKeyboard returns the keyboard for the session's people; nil where they play
// in a browser: without a terminal, beside remote players, or with --listen.
func (s *session) openKeyboard() *keyboard {
	people := func(b program.Bot) bool { return b.Kind == remote.Human }
	others := func(b program.Bot) bool { return b.Kind == remote.Program }
	if s.c.IsSet("listen") || !slices.ContainsFunc(s.bots, people) || slices.ContainsFunc(s.bots, others) ||
		!term.IsTerminal(int(os.Stdin.Fd())) || s.err.Columns == nil { // the prompts would not be seen
		return nil
	}
	return &keyboard{out: s.err, in: s.in, lines: make(chan string), choices: make(map[int][]protocols.Choice)}
}

// awaited notes what the seats that owe a reply may play.
func (k *keyboard) awaited(seats []int, m protocols.Match) {
	k.one.Lock()
	defer k.one.Unlock()
	clear(k.choices)
	chooser, ok := m.(protocols.Chooser)
	if !ok {
		return
	}
	for _, seat := range seats {
		k.choices[seat] = chooser.Choices(seat)
	}
}

// read hands on what is typed, until the input ends.
func (k *keyboard) read() {
	defer close(k.lines)
	for in := bufio.NewScanner(k.in); in.Scan(); {
		k.lines <- in.Text()
	}
}

// person is a player at the keyboard.
type person struct {
	remote.Player
	keyboard *keyboard
}

// Sit implements referee.Player.
func (p person) Sit(_ context.Context, s referee.Seating) (referee.Contestant, error) {
	return seatedPerson{p, s.Seat}, nil
}

// seatedPerson is a person in a seat. The board shows all that happens, so lines
// sent to the seat need not be.
type seatedPerson struct {
	person
	seat int
}

func (seatedPerson) Send(string)         {}
func (seatedPerson) CloseInput()         {}
func (seatedPerson) Stop() referee.Usage { return referee.Usage{} }

// Receive asks until the game allows what is typed. People are not charged.
func (p seatedPerson) Receive(ctx context.Context, _ referee.Ask) (referee.Reply, error) {
	k := p.keyboard
	k.one.Lock()
	defer k.one.Unlock()
	k.begin.Do(func() { go k.read() })
	if !k.told {
		k.told = true
		k.out.Say("%s\n", "Type what you play, or ? to see what you can play; Ctrl-D leaves the match.")
	}
	start := time.Now()
	took := func(text string) referee.Reply {
		wall := time.Since(start)
		return referee.Reply{Text: text, Wall: wall, Excused: wall}
	}
	choices := k.choices[p.seat]
	for {
		k.out.Printf("%s, seat %d: ", p.Name, p.seat)
		select {
		case <-ctx.Done():
			k.out.Printf("\n")
			return took(""), ctx.Err()
		case line, ok := <-k.lines:
			text := strings.TrimSpace(line)
			switch {
			case !ok:
				k.out.Printf("\n")
				return took(""), &protocols.Failure{Kind: protocols.KindCrash, Detail: "left the match"}
			case choices == nil, slices.ContainsFunc(choices, func(c protocols.Choice) bool { return c.Reply == text }):
				return took(text), nil
			case text == "", text == "?":
			default:
				k.out.Say("%q can't be played here.\n", text)
			}
			k.explain(choices)
		}
	}
}

// mostChoices is how many choices are explained one by one.
const mostChoices = 16

// explain lists what can be played.
func (k *keyboard) explain(choices []protocols.Choice) {
	if len(choices) > mostChoices {
		var replies []string
		for _, c := range choices {
			replies = append(replies, c.Reply)
		}
		k.out.Say("You can play: %s\n", strings.Join(replies, ", "))
		return
	}
	k.out.Printf("You can play:\n")
	for _, c := range choices {
		k.out.Say("  %s: %s\n", c.Reply, c.Label)
	}
}
