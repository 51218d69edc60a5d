package serve_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// event is a server-sent event.
type event struct{ id, name, data string }

// follow reads a match's events to their end.
func follow(s *site, id, last string, query ...string) (list []event) {
	s.t.Helper()
	s.look(id, last, func(e event) { list = append(list, e) }, query...)
	return list
}

// look passes on a match's events as they come, to their end.
func (s *site) look(id, last string, each func(event), query ...string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.server.URL+"/api/v1/matches/"+id+"/events"+strings.Join(query, ""), nil)
	must(s.t, err)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := s.http.Do(r)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer answer.Body.Close()
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "text/event-stream" {
		s.t.Errorf("found status %d, type %q", answer.StatusCode, kind)
		return
	}
	in := bufio.NewReader(answer.Body)
	for e := (event{}); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			if err != io.EOF {
				s.t.Error(err)
			}
			return
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				s.checkEvent(e)
				each(e)
			}
			e = event{}
		}
	}
}

// Onlookers see each step and the end, live and afterwards, and go on where
// they were cut off.
func TestEvents(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	s.player("alice")
	id := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 0, "move_ms": 0})
	var live []event
	together(func() { live = follow(s, id, "") }, func() { s.play("alice", 1, always("4")) })
	var steps []string
	for _, e := range live {
		steps = append(steps, e.id+e.name)
	}
	if want := []string{"0position", "1position", "2position", "3position", "4position", "over"}; !slices.Equal(steps, want) {
		t.Fatalf("found events %q, expected %q", steps, want)
	}
	var p struct {
		Step, Seat int
		Reply      string
		State      struct{ Left int }
		LeftMS     []int64 `json:"left_ms"`
	}
	if err := json.Unmarshal([]byte(live[1].data), &p); err != nil || p.Step != 1 || p.Seat != 1 || p.Reply != "4" || len(p.LeftMS) != 2 {
		t.Errorf("found %s, error %v", live[1].data, err)
	}
	if rest := follow(s, id, "3"); len(rest) != 2 || rest[0] != live[4] || rest[1].name != "over" {
		t.Errorf("found %+v", rest)
	}
	// From the record alone, as after a restart.
	s.close()
	s = open(t, s.dir, nil)
	if again := follow(s, id, ""); len(again) != 6 || again[3].id != "3" || !strings.Contains(again[5].data, `"state":"over"`) {
		t.Errorf("found %+v", again)
	}
}
