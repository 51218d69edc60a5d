package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"umpire/referee/record"
)

// What one key may use up is bounded: matches that it orders and gives up at once come
// one every 10 s, after five, and leave no record, no message and no row of the lobby.
func TestOrdersGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openInBubble(t, t.TempDir(), nil)
		s.house.Failed = func(err error) { t.Errorf("the organiser is told: %v", err) }
		alice := s.player("alice")
		s.player("bob")
		order := map[string]any{"game": "morra", "seats": []string{"human:alice", "@2"}}
		ordered := func() (n int) {
			t.Helper()
			for range 20 {
				a := s.request("POST", "/api/v1/matches", alice, order)
				switch a.status {
				case 201:
					n++
					_, ticket, _ := strings.Cut(a.text, "#")
					ticket, _, _ = strings.Cut(ticket, `"`)
					get[struct{}](s, "DELETE", "seat", ticket, nil)
					synctest.Wait()
				case 429:
					if a.code() != "rate" || a.header.Get("Retry-After") != "10" {
						t.Errorf("found %+v", a)
					}
				default:
					t.Fatalf("found %+v", a)
				}
			}
			return n
		}
		for _, step := range []struct {
			after time.Duration
			want  int
		}{{0, 5}, {10*time.Second - 1, 0}, {1, 1}, {30 * time.Second, 3}, {time.Hour, 5}} {
			time.Sleep(step.after)
			if got := ordered(); got != step.want {
				t.Errorf("after %v: %d matches were begun, expected %d", step.after, got, step.want)
			}
		}
		if a := s.request("GET", "/", "", nil); a.status != 200 || strings.Contains(a.text, "matches/") {
			t.Errorf("the lobby shows matches that did not begin: %+v", a)
		}
		if text, err := os.ReadFile(filepath.Join(s.dir, record.ResultsFile)); err != nil || len(text) > 0 {
			t.Errorf("found records %s, error %v", text, err)
		}
		// Neither the organiser nor another player waits for that.
		for range 6 {
			get[struct{}](s, "DELETE", "matches/"+s.order(order), token, nil)
			synctest.Wait()
		}
		if a := s.request("POST", "/api/v1/matches", s.keys["bob"], map[string]any{"game": "morra", "seats": []string{"human:bob", "@2"}}); a.status != 201 {
			t.Errorf("found %+v", a)
		}
	})
}
