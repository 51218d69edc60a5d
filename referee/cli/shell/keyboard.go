package shell

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/report"
)

// Keyboard is where people play who sit at this terminal. A reply that the game
// does not allow is explained and asked for again.
type Keyboard struct {
	out   *report.Printer // for prompts
	in    io.Reader
	lines chan string // typed; closed at the end of input

	one     sync.Mutex // one person is asked at a time
	choices map[int][]protocols.Choice
	begun   bool // it is read, and people know how to play
	offers  bool // people know of ?
}

// NewKeyboard returns the keyboard from which in is typed; prompts go to out.
func NewKeyboard(in io.Reader, out *report.Printer) *Keyboard {
	return &Keyboard{out: out, in: in, lines: make(chan string), choices: make(map[int][]protocols.Choice)}
}

// Awaited notes what the seats that owe a reply may play.
func (k *Keyboard) Awaited(seats []int, m protocols.Match) {
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
func (k *Keyboard) read() {
	defer close(k.lines)
	for in := bufio.NewScanner(k.in); in.Scan(); {
		k.lines <- in.Text()
	}
}

// Player returns a player who replies at the keyboard in another's place.
func (k *Keyboard) Player(p referee.Player) referee.Player { return person{p, k} }

// person is a player at the keyboard.
type person struct {
	referee.Player
	keyboard *Keyboard
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
	start := time.Now()
	took := func(text string) referee.Reply {
		wall := time.Since(start)
		return referee.Reply{Text: text, Wall: wall, Excused: wall}
	}
	choices := k.choices[p.seat]
	k.help(len(choices) > 0)
	for {
		k.out.Printf("%s, seat %d: ", p.Identity().Name, p.seat)
		select {
		case <-ctx.Done():
			k.out.Printf("\n")
			return took(""), ctx.Err()
		case line, ok := <-k.lines:
			text := strings.TrimSpace(line)
			switch {
			case !ok:
				k.out.Printf("\n")
				return took(""), &protocols.Failure{Kind: protocols.KindCrash, Detail: referee.Left}
			case text == "?" && k.offers:
			case len(choices) == 0, slices.ContainsFunc(choices, func(c protocols.Choice) bool { return c.Reply == text }):
				return took(text), nil
			case text == "":
			default:
				k.out.Say("%q can't be played here.\n", text)
			}
			k.explain(choices)
		}
	}
}

// help says how to play, and as soon as there is a list, that there is one: in a game
// without, ? may be a reply.
func (k *Keyboard) help(list bool) {
	if !k.begun {
		go k.read()
	} else if k.offers || !list {
		return
	}
	or := ""
	if list {
		or = ", or ? to see what you can play"
	}
	k.begun, k.offers = true, list
	k.out.Say("Type what you play%s; %s leaves the match.\n", or, endOfInput)
}

// mostChoices is how many choices are explained one by one.
const mostChoices = 16

// explain lists what can be played.
func (k *Keyboard) explain(choices []protocols.Choice) {
	if len(choices) == 0 {
		k.out.Say("The game has no list of what you can play here.\n")
		return
	}
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
