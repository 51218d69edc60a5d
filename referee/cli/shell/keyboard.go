package shell

import (
	"bufio"
	"context"
	"io"
	"maps"
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
	told    map[int]*told // by seat; of a person, what no board has shown yet
	begun   bool          // it is read, and people know how to play
	offers  bool          // people know of ?
}

// told holds what is meant for one seat alone, and is not on the board that everybody sees.
type told struct {
	sent []string // lines, since it was last asked
	sees string   // the position, if others see it differently
}

// NewKeyboard returns the keyboard from which in is typed; prompts go to out.
func NewKeyboard(in io.Reader, out *report.Printer) *Keyboard {
	return &Keyboard{out: out, in: in, lines: make(chan string), choices: make(map[int][]protocols.Choice), told: make(map[int]*told)}
}

// Awaited notes what the seats that owe a reply may play, and tells people at the end what
// they have been sent since.
func (k *Keyboard) Awaited(seats []int, m protocols.Match) {
	k.one.Lock()
	defer k.one.Unlock()
	clear(k.choices)
	k.look(m)
	if len(seats) == 0 {
		for _, seat := range slices.Sorted(maps.Keys(k.told)) {
			k.tell(seat)
		}
	}
	chooser, ok := m.(protocols.Chooser)
	if !ok {
		return
	}
	for _, seat := range seats {
		k.choices[seat] = chooser.Choices(seat)
	}
}

// look notes how the seats of people see the position. Where all see the same, the board
// shows all that happens, so that lines sent to a seat need not be shown.
func (k *Keyboard) look(m protocols.Match) {
	view, differs := m.(protocols.SeatView)
	for seat, t := range k.told {
		if !differs {
			t.sent = nil
		} else if t.sees = view.StringFor(seat); t.sees == m.String() {
			t.sees = ""
		}
	}
}

// tell shows a seat what it has been sent, and what it sees.
func (k *Keyboard) tell(seat int) {
	t := k.told[seat]
	if len(t.sent) > 0 {
		k.out.Say("seat %d is sent:\n%s\n", seat, report.Safe(strings.Join(t.sent, "\n")))
	}
	if t.sees != "" {
		k.out.Say("seat %d sees:\n%s\n", seat, report.Safe(t.sees))
	}
	t.sent = nil
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
	p.keyboard.one.Lock()
	defer p.keyboard.one.Unlock()
	p.keyboard.told[s.Seat] = new(told)
	return seatedPerson{p, s.Seat}, nil
}

// seatedPerson is a person in a seat.
type seatedPerson struct {
	person
	seat int
}

// Send implements referee.Contestant.
func (p seatedPerson) Send(text string) {
	p.keyboard.one.Lock()
	defer p.keyboard.one.Unlock()
	t := p.keyboard.told[p.seat]
	t.sent = append(t.sent, text)
}

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
	k.tell(p.seat)
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
				return took(""), &protocols.Failure{Kind: protocols.KindCrash, Detail: protocols.Left}
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
