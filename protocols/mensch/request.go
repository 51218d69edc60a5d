package mensch

import (
	"strconv"

	"umpire/protocols"
)

// Verb is the kind of a request.
type Verb uint8

// The four requests.
const (
	RollDice Verb = iota // dice
	Enter                // enter P
	Move                 // move P s
	GiveUp               // giveup
)

// String is the verb's word in a request.
func (v Verb) String() string {
	return [...]string{"dice", "enter", "move", "giveup"}[v]
}

// Request is a player's request.
type Request struct {
	Verb  Verb
	Piece Piece // for Enter and Move
	Steps uint8 // for Move, 1 to 6
}

// String is the request's line.
func (r Request) String() string { return string(r.append(nil)) }

func (r Request) append(dst []byte) []byte {
	dst = append(dst, r.Verb.String()...)
	if r.Piece != NoPiece {
		dst = append(dst, ' ')
		dst = append(dst, r.Piece.String()...)
	}
	if r.Verb == Move {
		dst = append(dst, ' ', '0'+r.Steps)
	}
	return dst
}

// Number is the number of the roll that an entry or a move uses.
func (r Request) Number() int {
	if r.Verb == Enter {
		return 6
	}
	return int(r.Steps)
}

// ParseRequest reads one request of a game played by that many colours. It is
// not ok if the word, the piece or the number is unknown, or something is
// missing or left over.
func ParseRequest(text string, colours int) (r Request, ok bool) {
	word, rest := protocols.NextField(text)
	switch word {
	case "dice":
		r.Verb = RollDice
	case "giveup":
		r.Verb = GiveUp
	case "enter", "move":
		r.Verb = Enter
		var token string
		token, rest = protocols.NextField(rest)
		if r.Piece = parsePiece(token, colours); r.Piece == NoPiece {
			return r, false
		}
		if word == "enter" {
			break
		}
		r.Verb = Move
		token, rest = protocols.NextField(rest)
		n, ok := protocols.Number(token)
		if !ok || n < 1 || n > 6 {
			return r, false
		}
		r.Steps = uint8(n)
	default:
		return r, false
	}
	extra, _ := protocols.NextField(rest)
	return r, extra == ""
}

// parsePiece reads a piece of the colours that play; others are NoPiece.
func parsePiece(name string, colours int) Piece {
	if len(name) != 2 || name[1] < '1' || name[1] > '0'+each {
		return NoPiece
	}
	for c := range Colour(colours) {
		if letters[c] == name[0] {
			return c.Pieces()[name[1]-'1']
		}
	}
	return NoPiece
}

// requestForm describes the form of a request, for messages.
func requestForm(colours int) string {
	return "a request (dice, enter P, move P s or giveup, P from R1 to " +
		Colour(colours - 1).Pieces()[each-1].String() + ", s from 1 to 6)"
}

// Refusal is the reason why a request was refused.
type Refusal uint8

// The refusals, in the order in which the statement introduces them.
const (
	Accepted        Refusal = iota
	NumbersLeft             // dice: numbers of the last roll are unused
	NotYourTurn             // enter, move: another colour's piece
	IsIn                    // enter: the piece is in play or home
	NeedSix                 // enter: no unused six
	BusyStart               // enter: an own piece on the start cell
	InvalidMove             // move: the number is not unused
	NotIn                   // move: the piece is in a corner
	CanNotMove              // move: the path ends before that
	BusyDestination         // move: an own piece there
	NotRolled               // giveup before the roll: does nothing, prints nothing
)

// String is the published reply.
func (r Refusal) String() string {
	return [...]string{
		NumbersLeft:     "invalid dice rolling",
		NotYourTurn:     "it is not your turn",
		IsIn:            "that is in",
		NeedSix:         "you need six",
		BusyStart:       "busy starting cell",
		InvalidMove:     "invalid move",
		NotIn:           "it is not in",
		CanNotMove:      "you can not move",
		BusyDestination: "destination is busy",
		NotRolled:       "",
	}[r]
}

// Reply is the answer to a request.
type Reply struct {
	Refusal  Refusal
	Roll     Roll  // for dice: all numbers rolled
	Cell     int   // for enter and move: the cell reached
	Captured Piece // for enter and move: the piece sent back, or NoPiece
}

// append writes the reply as it is printed; nothing if it has no line.
func (r Reply) append(dst []byte) []byte {
	switch {
	case r.Refusal != Accepted:
		return append(dst, r.Refusal.String()...)
	case r.Cell > 0:
		return strconv.AppendInt(dst, int64(r.Cell), 10)
	}
	return r.Roll.append(dst)
}

// String is the reply's line; "" if it has none.
func (r Reply) String() string { return string(r.append(nil)) }
