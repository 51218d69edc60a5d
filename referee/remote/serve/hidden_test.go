package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"umpire/referee/remote"
	"umpire/referee/remote/serve"
)

// TestHiddenRun: what was played in a match with hidden hands is not shown when it is over,
// where others may be on the same deal, nor in any where others are to play the same case;
// how it ended is. The organiser may read all.
func TestHiddenRun(t *testing.T) {
	for _, shared := range []bool{false, true} {
		checkHiddenRun(t, shared)
	}
}

func checkHiddenRun(t *testing.T, shared bool) {
	s := open(t, t.TempDir(), func(c *serve.Config) {
		c.Several, c.Shared = true, shared
		for i := range c.Games {
			c.Games[i].Hidden = c.Games[i].Name == "ioiwari"
		}
	})
	hidden, open := s.invite("ioiwari", "human:eve", "human:guest"), s.invite("vmukni", "human:eve", "human:guest")
	for _, m := range []invited{hidden, open} {
		go s.playChoices(m.ticket(2))
		s.playChoices(m.ticket(1))
	}
	for m, shown := range map[*invited]bool{&hidden: false, &open: !shared} {
		status := map[bool]int{true: http.StatusOK, false: http.StatusConflict}[shown]
		for _, path := range []string{"/matches/" + m.ID, "/api/v1/matches/" + m.ID + "/record"} {
			if a := s.request("GET", path, "", nil); a.status != status {
				t.Errorf("%s: found status %d, expected %d", path, a.status, status)
			}
		}
		info := parse[remote.MatchInfo](t, s.request("GET", "/api/v1/matches/"+m.ID, "", nil).text)
		if info.State != remote.Over || len(info.Results) != 2 || (info.Record != "") != shown {
			t.Errorf("found %+v", info)
		}
		events := follow(s, m.ID, "", "?page")
		last := events[len(events)-1]
		if (len(events) > 1) != shown || last.name != "over" || strings.Contains(last.data, `"replay"`) != shown {
			t.Errorf("found %d events, the last %s", len(events), last.name)
		}
		if a := s.request("GET", "/api/v1/matches/"+m.ID+"/record", token, nil); a.status != http.StatusOK {
			t.Errorf("the organiser: status %d", a.status)
		}
	}
}
