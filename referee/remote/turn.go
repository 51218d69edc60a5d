package remote

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// States of a turn, as its player is told.
const (
	TurnWait = "wait" // not there yet
	TurnMove = "move" // a reply is owed
	TurnDone = "done" // it is past
	TurnOver = "over" // the match is over
	TurnVoid = "void" // the match does not count
)

// TurnInfo is the answer to a seat that asks for a turn.
type TurnInfo struct {
	Turn    int      `json:"turn"`
	State   string   `json:"state"`
	Lines   []string `json:"lines"` // sent since the turn before
	Reply   *string  `json:"reply,omitempty"`
	Whole   bool     `json:"whole"`   // the reply is the whole output, not a line
	LeftMS  int64    `json:"left_ms"` // as Budget.Left says
	Verdict string   `json:"verdict"` // the seat's, so far
	Detail  string   `json:"detail"`
	Results []Result `json:"results,omitempty"`
	Board   *Board   `json:"board,omitempty"`

	News bool `json:"-"` // the seat has not been told of the turn more often than who loses an answer needs
}

// Result is how a match ended for one seat.
type Result struct {
	Seat    int             `json:"seat"`
	Player  string          `json:"player"`
	Score   protocols.Score `json:"score"`
	Place   int             `json:"place"`
	Verdict string          `json:"verdict"`
	Detail  string          `json:"detail"`
}

// ResultsOf is how the match of a record ended, seat by seat.
func ResultsOf(r record.Record) []Result {
	results := make([]Result, len(r.Seats))
	for i, s := range r.Seats {
		results[i] = Result{Seat: i + 1, Player: s.Bot, Score: s.Score, Place: s.Place, Verdict: s.Verdict, Detail: s.Detail}
	}
	return results
}

// Board is the position as a seat sees it, with what the seat may reply.
type Board struct {
	SVG     string             `json:"svg"`             // "": there is no picture
	Text    string             `json:"text,omitempty"`  // of the position, without a picture
	State   any                `json:"state,omitempty"` // as the seat sees it, where seats may see different ones
	Choices []protocols.Choice `json:"choices"`
}

// Ask is one request of a seat for turn number Turn.
type Ask struct {
	Ticket string
	Turn   int
	Wait   time.Duration // how long to wait for the turn, at most MaxWait
	Board  bool          // with the board
	// Cut says that a reply, whose text is left out, is longer than any may be.
	Cut bool
}

// seatOf returns the seat with a ticket.
func (h *Hub) seatOf(ticket string) (*seat, error) {
	if s := h.tickets[hash(ticket)]; s != nil && h.holds(s) {
		return s, nil
	}
	return nil, problem(CodeTicket, "no match has this ticket, or it ended more than %d minutes ago: join again", keepTicket/time.Minute)
}

// freeLooks is how often a turn is news: a client that loses all it knew reads all again.
const freeLooks = 2

// Turn returns a turn of the seat, or waits for it. It may be repeated.
func (h *Hub) Turn(ctx context.Context, a Ask) (TurnInfo, error) {
	h.mu.Lock()
	s, err := h.seatOf(a.Ticket)
	var info TurnInfo
	if err == nil {
		info, err = s.turn(ctx, a)
	}
	h.mu.Unlock()
	if err == nil && a.Board {
		info.Board = s.board(info)
	}
	return info, err
}

// turn returns a turn of the seat, or waits for it. The Hub is locked.
func (s *seat) turn(ctx context.Context, a Ask) (info TurnInfo, err error) {
	h := s.table.hub
	defer h.player(s.owner()).begin()()
	if !s.asked {
		s.asked = true
		s.table.changed.Wake()
	}
	before := s.failure
	var bad error
	err = h.wait(ctx, &s.waiter, a.Wait, func() (done bool, changed <-chan struct{}) {
		info, bad = s.look(a.Turn)
		return bad != nil || info.State != TurnWait || s.failure != before, s.changed.Next()
	})
	if err = cmp.Or(err, bad); err == nil && info.State == TurnWait {
		info, err = s.look(a.Turn) // what is left of the budget has changed
	}
	if info.State == TurnVoid && h.isStopped() { // there will be no other match
		err = errStopping
	}
	if info.State == TurnOver || info.State == TurnVoid || err == errStopping {
		s.told = true
		h.told.Wake()
	}
	if err != nil {
		return TurnInfo{}, err
	}
	if info.State == TurnMove || info.State == TurnDone {
		t := s.turns[a.Turn-1]
		t.looks++
		info.News = t.looks <= freeLooks
	}
	return info, nil
}

// look returns a turn as it is at the moment.
func (s *seat) look(k int) (TurnInfo, error) {
	info := TurnInfo{Turn: k, State: TurnWait, Lines: []string{}, Verdict: string(referee.OK), LeftMS: s.leftMS()}
	if s.failure != nil {
		info.Verdict, info.Detail = string(s.failure.Kind), s.failure.Detail
	}
	next := s.next()
	switch {
	case k < 1:
		return info, problem(CodeArgument, "turn: found %d, expected 1 or more", k)
	case k < next:
		t := s.turns[k-1]
		info.State, info.Lines, info.Whole = TurnDone, t.lines, t.whole
		if t.replied {
			info.Reply = &t.text
		}
	case s.table.state == Over:
		info.State, info.Results = TurnOver, s.table.results
		info.Lines = append(info.Lines, s.lines...)
		r := s.table.results[s.number-1]
		info.Verdict, info.Detail = r.Verdict, r.Detail
	case s.table.state == Void:
		info.State, info.Detail = TurnVoid, s.table.detail
	case k > next:
		return info, problem(CodeEarly, "turn: found %d, the next turn of this seat is %d", k, next)
	default:
		if t := s.current(); t != nil {
			info.State, info.Lines, info.Whole = TurnMove, t.lines, t.whole
		}
	}
	if info.Lines == nil {
		info.Lines = []string{}
	}
	return info, nil
}

// Reply answers a turn of the seat, and returns the next turn like Turn. It may
// be repeated with the same text.
func (h *Hub) Reply(ctx context.Context, a Ask, text string) (TurnInfo, error) {
	at := time.Now()
	h.mu.Lock()
	s, err := h.seatOf(a.Ticket)
	if err == nil {
		err = s.answer(a, text, at)
	}
	h.mu.Unlock()
	if err != nil {
		return TurnInfo{}, err
	}
	if a.Turn < math.MaxInt {
		a.Turn++
	}
	return h.Turn(ctx, a)
}

// answer takes the reply to a turn, which has come at a time.
func (s *seat) answer(a Ask, text string, at time.Time) error {
	k, next := a.Turn, s.next()
	switch {
	case k < 1:
		return problem(CodeArgument, "turn: found %d, expected 1 or more", k)
	case s.table.ended() && k >= next:
		return nil // nobody waits for it any more
	case k > next || k > len(s.turns):
		return problem(CodeEarly, "turn: found a reply to turn %d, which has not begun; the next turn of this seat is %d", k, next)
	}
	t := s.turns[k-1]
	if !t.whole {
		var err error
		if text, err = oneLine(text); err != nil {
			return err
		}
	}
	switch {
	case t.failure != nil:
		return nil // dropped: the verdict says why
	case t.replied && (a.Cut || t.text != text):
		return problem(CodeAnswered, "turn %d has another reply already", k)
	case t.replied:
		return nil
	}
	s.take(t, text, a.Cut, at)
	return nil
}

// take closes an open turn with a reply.
func (s *seat) take(t *turn, text string, cut bool, at time.Time) {
	t.wall = at.Sub(t.at)
	t.stall = t.stallUntil(at)
	switch limit, what := bound(t.whole); {
	case t.limit >= 0 && t.wall-t.stall > t.limit:
		s.late(t)
	case cut, len(text) > limit:
		t.fail(protocols.KindOutput, "replied with more than %s: %s may have %s", referee.Size(int64(limit)), what, referee.Size(int64(limit)))
	default:
		t.text, t.replied = text, true
		close(t.closed)
	}
}

func bound(whole bool) (limit int, what string) {
	if whole {
		return referee.MaxOutput, "an output"
	}
	return referee.MaxLine, "a line"
}

// oneLine returns a reply without the end of its line.
func oneLine(text string) (string, error) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if strings.ContainsAny(text, "\n\r") {
		return "", problem(CodeText, "reply: found a line break inside, expected one line")
	}
	return text, nil
}

// Leave gives up the seat: it fails when it next owes a reply.
func (h *Hub) Leave(ticket string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, err := h.seatOf(ticket)
	if err != nil {
		return err
	}
	if !s.table.ended() && s.gone == "" {
		why := left
		if s.kind == Human {
			why = protocols.Left
		}
		s.leave(why)
	}
	return nil
}

// Seat describes the seat with a ticket.
func (h *Hub) Seat(ticket string) (SeatInfo, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, err := h.seatOf(ticket)
	if err != nil {
		return SeatInfo{}, err
	}
	return s.info(), nil
}

// Whole reports whether the last turn of the seat with a ticket asks for a whole output,
// which may be long, and whether a text counts: the turn has not failed.
func (h *Hub) Whole(ticket string) (whole, counts bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, err := h.seatOf(ticket)
	if err != nil || len(s.turns) == 0 {
		return false, false
	}
	t := s.turns[len(s.turns)-1]
	return t.whole, t.whole && t.failure == nil
}

// Holder returns whom a ticket belongs to: a player, who may have many, or a
// person, who is known by the ticket alone.
func (h *Hub) Holder(ticket string) (who string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, err := h.seatOf(ticket)
	switch {
	case err != nil:
		return "", false
	case s.kind == Human:
		return fmt.Sprintf("seat %d of match %s", s.number, s.table.id), true
	}
	return "player " + s.guest, true
}
