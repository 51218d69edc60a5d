//go:build linux

package main

import (
	"errors"
	"strconv"
	"time"

	"umpire/protocols"
)

// ping is a minimal game: the seats take turns to answer with a digit, which
// the other is told, for a number of plies.
type ping int

// pingGame is the game whose cases are numbers of plies.
var pingGame = protocols.Game{Name: "ping", MinSeats: 1, MaxSeats: 2, Parse: func(text string) (protocols.Case, error) {
	n, err := strconv.Atoi(text)
	return ping(n), err
}}

func (p ping) String() string              { return strconv.Itoa(int(p)) }
func (p ping) Limits(int) protocols.Limits { return protocols.Limits{Time: time.Hour} }

func (p ping) Start(seats int) protocols.Match {
	if seats < 1 || seats > 2 {
		panic(errors.New("ping has one or two seats"))
	}
	m := &pingMatch{left: int(p), seats: seats, turn: 1}
	m.send[0] = protocols.Line{Seat: 1, Text: "0"}
	return m
}

type pingMatch struct {
	left, seats, turn int
	send              [1]protocols.Line
	await             [1]int
}

func (m *pingMatch) Next() protocols.Step {
	if m.left == 0 {
		return protocols.Step{}
	}
	m.left--
	m.await[0] = m.turn
	return protocols.Step{Send: m.send[:], Await: m.await[:]}
}

func (m *pingMatch) Reply(seat int, text string) *protocols.Foul {
	if _, foul := protocols.Integer(text, "a digit", 0, 9); foul != nil {
		return foul
	}
	m.turn = seat%m.seats + 1
	m.send[0] = protocols.Line{Seat: m.turn, Text: text}
	return nil
}

func (m *pingMatch) Fail(int, protocols.Failure) { m.left = 0 }
func (m *pingMatch) Result() []protocols.Outcome { return make([]protocols.Outcome, m.seats) }
func (m *pingMatch) State() any                  { return m.left }
func (m *pingMatch) String() string              { return "ping" }
