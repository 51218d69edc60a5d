package serve_test

import (
	"fmt"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/remote/serve"
	"umpire/referee/testlevel"
)

// A person plays each game that people can play by its board alone, choosing
// what is offered, and sees the last position.
func TestBoard(t *testing.T) {
	for i, g := range dialogueGames(t) {
		t.Run(g.Name, func(t *testing.T) {
			if i > 0 {
				testlevel.Needs(t, testlevel.Default)
			}
			s := open(t, t.TempDir(), func(config *serve.Config) {
				config.Games = append(config.Games, house.Game{Game: g.Game})
			})
			s.house.Games = append(s.house.Games, house.Game{Game: g.Game})
			s.house.Local.Games = append(s.house.Local.Games, g.Game)
			var seats []string
			for seat := range g.MaxSeats {
				seats = append(seats, fmt.Sprintf("human:eve%d", seat+1))
			}
			made := get[invited](s, "POST", "matches", token, map[string]any{"game": g.Name, "seats": seats, "case": g.start.String()})
			var people []func()
			for i := range seats {
				people = append(people, func() { playByBoard(s, made.ticket(i+1)) })
			}
			together(people...)
			if info := get[remote.MatchInfo](s, "GET", "matches/"+made.ID, "", nil); info.State != remote.Over || info.Results[0].Verdict != "ok" {
				t.Errorf("found %+v", info)
			}
		})
	}
}

// personGame is a game that people can play, with one of its cases.
type personGame struct {
	protocols.Game
	start protocols.Case
}

// dialogueGames lists the games that people can play.
func dialogueGames(t *testing.T) (list []personGame) {
	t.Helper()
	for _, g := range catalog.Games() {
		c, err := g.Generate(g.Groups[0], 1)
		must(t, err)
		if !c.Start(g.MaxSeats).Next().Batch {
			list = append(list, personGame{g, c})
		}
	}
	if len(list) < 4 {
		t.Fatalf("found %d games that people can play, expected at least 4", len(list))
	}
	return list
}

// playByBoard plays a match with the first reply that the board offers.
func playByBoard(s *site, ticket string) {
	k := 1
	info := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30&board", ticket, nil)
	for {
		switch info.State {
		case remote.TurnWait:
			info = get[remote.TurnInfo](s, "GET", fmt.Sprintf("seat/turns/%d?wait=30&board", k), ticket, nil)
			continue
		case remote.TurnVoid:
			s.t.Errorf("found %+v", info)
			return
		}
		if info.Board == nil || !strings.HasPrefix(info.Board.SVG, "<svg") {
			s.t.Errorf("found board %+v in state %s", info.Board, info.State)
			return
		}
		if info.State == remote.TurnOver {
			if len(info.Board.Choices) > 0 {
				s.t.Errorf("found choices %+v after the end", info.Board.Choices)
			}
			return
		}
		if len(info.Board.Choices) == 0 || info.Board.Choices[0].Label == "" {
			s.t.Errorf("found choices %+v", info.Board.Choices)
			return
		}
		info = get[remote.TurnInfo](s, "PUT", fmt.Sprintf("seat/turns/%d?wait=30&board", k), ticket, map[string]string{"reply": info.Board.Choices[0].Reply})
		k++
	}
}
