package serve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"umpire/protocols"
	"umpire/referee/remote"
	"umpire/referee/remote/house"
	"umpire/referee/remote/serve"
)

// pictures counts what is drawn.
type pictures struct{ onlookers, seats atomic.Int64 }

// countedCase is a case whose matches count the pictures that are drawn.
type countedCase struct {
	protocols.Case
	drawn *pictures
}

func (c countedCase) Start(seats int) protocols.Match {
	return countedMatch{c.Case.Start(seats), c.drawn}
}

type countedMatch struct {
	protocols.Match
	drawn *pictures
}

func (m countedMatch) Choices(seat int) []protocols.Choice {
	return m.Match.(protocols.Chooser).Choices(seat)
}

func (m countedMatch) SVG(seat int) string {
	if seat == 0 {
		m.drawn.onlookers.Add(1)
	} else {
		m.drawn.seats.Add(1)
	}
	return m.Match.(protocols.Drawer).SVG(seat)
}

// counted is a game under another name, which counts the pictures that are
// drawn.
func counted(g protocols.Game, drawn *pictures) protocols.Game {
	parse := g.Parse
	g.Name = "counted"
	g.Parse = func(text string) (protocols.Case, error) {
		c, err := parse(text)
		return countedCase{c, drawn}, err
	}
	return g
}

// openCounted opens a server with a match of two people, and counts its pictures.
func openCounted(t *testing.T, drawn *pictures) (*site, invited) {
	t.Helper()
	games := dialogueGames(t)
	base := games[slices.IndexFunc(games, func(g personGame) bool { return g.Name == "vmukni" })]
	g := house.Game{Game: counted(base.Game, drawn), Human: true}
	s := openInBubble(t, t.TempDir(), func(c *serve.Config) { c.Games = append(c.Games, g) })
	s.house.Games = append(s.house.Games, g)
	s.house.Local.Games = append(s.house.Local.Games, g.Game)
	return s, get[invited](s, "POST", "matches", token, map[string]any{"game": "counted", "seats": []string{"human:eve", "human:guest"}, "case": base.start.String()})
}

// However many look on, and whenever they come, a match is drawn once for all of
// them, and each sees all of it.
func TestOnlookersShareDrawings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drawn pictures
		s, m := openCounted(t, &drawn)
		seen := make([][]event, 20)
		var looking sync.WaitGroup
		there := make(chan int, len(seen))
		look := func(from, to int) {
			for n := from; n < to; n++ {
				looking.Go(func() {
					s.look(m.ID, "", func(e event) {
						if seen[n] = append(seen[n], e); len(seen[n]) == 1 {
							there <- n
						}
					})
				})
			}
			for range to - from { // one who comes after the end is shown the match alone
				<-there
			}
		}
		look(0, 10)
		for turn := 1; turn <= 2; turn++ {
			get[remote.TurnInfo](s, "GET", "seat/turns/1", m.ticket(2), nil) // or the match does not begin
			for seat := 1; seat <= 2; seat++ {
				get[remote.TurnInfo](s, "GET", fmt.Sprintf("seat/turns/%d?wait=30", turn), m.ticket(seat), nil)
				get[remote.TurnInfo](s, "PUT", fmt.Sprintf("seat/turns/%d", turn), m.ticket(seat), map[string]string{"reply": "1"})
			}
		}
		look(10, 20)
		together(func() { s.playChoices(m.ticket(1)) }, func() { s.playChoices(m.ticket(2)) })
		looking.Wait()
		steps := get[remote.MatchInfo](s, "GET", "matches/"+m.ID, "", nil).Steps
		for n, events := range seen {
			if len(events) != steps+2 || !slices.Equal(events, seen[0]) {
				t.Errorf("onlooker %d saw %d events, expected the %d that the first saw", n, len(events), steps+2)
			}
		}
		if got := drawn.onlookers.Load(); got != int64(steps)+1 {
			t.Errorf("%d pictures were drawn for %d steps", got, steps)
		}
		// When it is over it is drawn once more, for all who come then.
		s.look(m.ID, "", func(event) {})
		var late []func()
		for range 24 {
			late = append(late, func() {
				n := 0
				s.look(m.ID, "1", func(event) { n++ })
				if n != steps {
					t.Errorf("one who comes late and has seen step 1 sees %d events, expected %d", n, steps)
				}
			})
		}
		together(late...)
		if got := drawn.onlookers.Load(); got != 2*(int64(steps)+1) {
			t.Errorf("%d pictures were drawn for %d steps, which were to be drawn twice", got, steps)
		}
		found := make(map[int]int) // one look more was that of the first after the end
		for range 50 {
			found[s.request("GET", "/api/v1/matches/"+m.ID+"/events", "", nil).status]++
		}
		if found[200] != 5 || found[429] != 45 {
			t.Errorf("further looks in the same moment: found %v, expected 5 answers", found)
		}
	})
}

// Onlookers who fall behind what is kept of a long match see all of it.
func TestLongMatch(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	m := s.invite("mensch", "human:eve", "human:guest", "human:guest", "human:guest")
	const steps = 150 // whose pictures are more than is kept
	var there, early sync.WaitGroup
	there.Add(1)
	early.Go(func() { s.countSteps(t, m.ID, 0, steps, there.Done) })
	there.Wait()
	people := s.playSteps(t, m, steps)
	early.Wait()
	s.countSteps(t, m.ID, 1, steps, func() {})
	s.close()
	people.Wait()
}

// Pages are told who owes a reply and how much time is left, see no pictures of
// the past, and get the replay with the end.
func TestPageEvents(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		s.player("alice")
		id := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 60000, "move_ms": 50000})
		var live, later []event
		asked := make(chan struct{}, 100) // onlookers have been told that alice owes a reply
		together(func() {
			s.look(id, "", func(e event) {
				if live = append(live, e); e.name == "clock" && strings.Contains(e.data, `"seat":1`) {
					asked <- struct{}{}
				}
			}, "?page&replay")
		}, func() {
			s.play("alice", 1, func(remote.TurnInfo) string {
				<-asked
				return "4"
			})
		})
		clocks := 0
		for _, e := range live {
			if e.name != "clock" {
				continue
			}
			var data struct {
				Clocks []struct {
					Seat int
					Left int64 `json:"left_ms"`
				}
			}
			must(t, json.Unmarshal([]byte(e.data), &data))
			for i, c := range data.Clocks {
				clocks++
				if c.Seat != i+1 || c.Left < 0 || c.Left > 50000 {
					t.Errorf("found %s", e.data)
				}
			}
		}
		if clocks < 2 {
			t.Errorf("found %d clocks in %q", clocks, live)
		}
		later = follow(s, id, "", "?page&replay")
		names := ""
		for _, e := range later {
			names += e.name + " "
			if e.name == "position" && strings.Contains(e.data, "state") {
				t.Errorf("found a past position: %s", e.data)
			}
		}
		if want := "position position position position position over "; names != want {
			t.Errorf("found events %s, expected %s", names, want)
		}
		for _, events := range [][]event{live, later} {
			last := parse[struct{ Replay string }](t, events[len(events)-1].data)
			if !strings.Contains(last.Replay, `<script type="application/gzip" id="data">`) {
				t.Errorf("found the end %q", events[len(events)-1])
			}
		}
	})
}

// A seat that looks at its turn again and again costs nothing but the answer: the turn is
// drawn once, and from the third time on it is no news.
func TestRepeatedLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drawn pictures
		s, m := openCounted(t, &drawn)
		for seat := 1; seat <= 2; seat++ {
			get[remote.TurnInfo](s, "GET", "seat/turns/1", m.ticket(seat), nil)
		}
		get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=1", m.ticket(1), nil)
		time.Sleep(10 * time.Second)
		looked := func(path string) map[int]int {
			found := make(map[int]int)
			for range 200 {
				found[s.request("GET", "/api/v1/"+path, m.ticket(1), nil).status]++
			}
			time.Sleep(10 * time.Second)
			return found
		}
		// One of the two free looks has been used.
		if found := looked("seat/turns/1?wait=0&board"); found[200] != 21 || found[429] != 179 {
			t.Errorf("its turn: found %v, expected 21 answers", found)
		}
		if got := drawn.seats.Load(); got != 1 {
			t.Errorf("its turn was drawn %d times, expected once", got)
		}
		get[remote.TurnInfo](s, "PUT", "seat/turns/1", m.ticket(1), map[string]string{"reply": "1"})
		for path, want := range map[string]int{"seat/turns/1?wait=0&board": 20, "seat": 20} {
			if found := looked(path); found[200] != want || found[429] != 200-want {
				t.Errorf("%s: found %v, expected %d answers", path, found, want)
			}
		}
	})
}

// countSteps looks at a match until it has seen so many steps after the start.
func (s *site) countSteps(b testing.TB, match string, number, steps int, started func()) {
	// A few onlookers to an address.
	from := &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+number/50))}
	client := http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{LocalAddr: from}).DialContext}}
	defer client.CloseIdleConnections()
	answer, err := client.Get(s.server.URL + "/api/v1/matches/" + match + "/events")
	if err != nil {
		b.Error(err)
		started()
		return
	}
	defer answer.Body.Close()
	in := bufio.NewReaderSize(answer.Body, 64<<10)
	for seen := -1; seen < steps; {
		line, err := in.ReadString('\n')
		if err != nil {
			b.Errorf("after %d steps: %v", seen, err)
			return
		}
		if strings.HasPrefix(line, "id: ") {
			if seen++; seen == 0 {
				started()
			}
		}
	}
}

// playSteps gives so many replies in a match of people, who then wait for its
// end.
func (s *site) playSteps(b testing.TB, m invited, steps int) (people *sync.WaitGroup) {
	replies := make(chan struct{}, steps)
	for range steps {
		replies <- struct{}{}
	}
	close(replies)
	people = &sync.WaitGroup{}
	for i := range m.Seats {
		people.Go(func() {
			method, k, body := "GET", 1, any(nil)
			for {
				a := s.request(method, fmt.Sprintf("/api/v1/seat/turns/%d?wait=30&board", k), m.ticket(i+1), body)
				if a.status != 200 {
					return // the benchmark has ended
				}
				info := parse[remote.TurnInfo](b, a.text)
				k, method, body = info.Turn, "GET", nil
				if info.State == remote.TurnMove {
					_, more := <-replies
					if !more {
						return
					}
					method, body = "PUT", map[string]string{"reply": info.Board.Choices[0].Reply}
				}
			}
		})
	}
	return people
}

// Those who follow the lobby are told of what has changed alone, and of nothing where they
// know all.
func TestLobbyFeed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		known := regexp.MustCompile(`data-lists="(\w+)"`).FindStringSubmatch(s.request("GET", "/", "", nil).text)
		follow := func(last string) *bufio.Scanner {
			r, err := http.NewRequestWithContext(t.Context(), "GET", s.server.URL+"/api/v1/lobby/events", nil)
			must(t, err)
			r.Header.Set("Last-Event-ID", last)
			a, err := s.http.Do(r)
			if err != nil || a.StatusCode != 200 {
				t.Fatalf("found %+v, error %v", a, err)
			}
			t.Cleanup(func() { a.Body.Close() })
			return bufio.NewScanner(a.Body)
		}
		next := func(in *bufio.Scanner) (lists map[string]string) {
			for in.Scan() {
				if text, ok := strings.CutPrefix(in.Text(), "data: "); ok {
					return parse[map[string]string](t, text)
				}
			}
			t.Fatalf("the stream has ended: %v", in.Err())
			return nil
		}
		current, stranger := follow(known[1]), follow("")
		if lists := next(stranger); len(lists) != 5 || !strings.Contains(lists["finished"], "none") {
			t.Errorf("a stranger: found %q", lists)
		}
		id := s.order(map[string]any{"game": "morra", "seats": []string{"human:eve", "@2"}})
		for _, in := range []*bufio.Scanner{current, stranger} {
			if lists := next(in); len(lists) != 1 || !strings.Contains(lists["current"], id) {
				t.Errorf("found %q, expected the running matches", lists)
			}
		}
	})
}

// However fast a match is played, an onlooker is sent something ten times a second at most,
// and all of it in the end.
func TestOnlookersPace(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		s.player("alice")
		id := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "40 1", "time_ms": 0, "move_ms": 0})
		var came []time.Time // when there was news, after a while without
		steps := 0
		together(func() {
			s.look(id, "", func(e event) {
				if now := time.Now(); len(came) == 0 || !now.Equal(came[len(came)-1]) {
					came = append(came, now)
				}
				if e.name == "position" {
					steps++
				}
			})
		}, func() {
			s.play("alice", 1, func(remote.TurnInfo) string { time.Sleep(10 * time.Millisecond); return "1" })
		})
		if steps != 81 {
			t.Errorf("found %d positions, expected the start and 80 replies", steps)
		}
		for i := range came[1:] {
			if pause := came[i+1].Sub(came[i]); pause < 100*time.Millisecond && i+1 < len(came)-1 {
				t.Errorf("found news after %v, expected 100 ms or more", pause)
			}
		}
		if len(came) < 4 || len(came) > 7 {
			t.Errorf("found news at %d times in 0.4 s, expected about 5", len(came))
		}
	})
}
