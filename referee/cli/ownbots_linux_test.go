package cli_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnBots: a bot that is named to umpire serve is offered to everybody, a player
// orders a match with it by its key, and its standard error is the organiser's alone.
func TestOwnBots(t *testing.T) {
	t.Parallel()
	dir, path := withUmpire(t)
	bot := filepath.Join(dir, "leaky.sh")
	write(t, bot, "#!/bin/sh\necho hidden word >&2\nexit 3\n")
	url := serveURL(startUmpire(t, path, "serve", "vmukni", bot, "-o", filepath.Join(dir, "data"), "--listen", "127.0.0.1:0"))
	var alice struct{ Key string }
	post(t, url, "players", map[string]any{"name": "alice"}, &alice)
	for _, at := range []string{"/api/v1/games/vmukni", "/"} {
		if status, text := fetch(t, url+at); status != http.StatusOK || !strings.Contains(text, "leaky") || strings.Contains(text, dir) {
			t.Errorf("%s: status %d, found no bot, or its folder, in\n%s", at, status, text)
		}
	}
	order := func(seat string) (status int, text string) {
		t.Helper()
		return request(t, "POST", url+"/api/v1/matches", `{"game":"vmukni","seats":["`+seat+`","human:alice"]}`, "Authorization", "Bearer "+alice.Key)
	}
	if status, text := order("leaky.sh"); status != http.StatusForbidden {
		t.Errorf("a file's name: status %d, %s", status, text)
	}
	status, text := order("leaky")
	if status != http.StatusCreated {
		t.Fatalf("status %d, %s", status, text)
	}
	_, ticket, _ := strings.Cut(text, "#")
	ticket, _, _ = strings.Cut(ticket, `"`)
	fetch(t, url+"/api/v1/seat/turns/1?wait=30", "Authorization", "Bearer "+ticket)
	request(t, "DELETE", url+"/api/v1/seat", "", "Authorization", "Bearer "+ticket)
	_, id, _ := strings.Cut(text, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	fetch(t, url+"/api/v1/matches/"+id+"/events") // until it is over
	record := url + "/api/v1/matches/" + id + "/record"
	for secret, told := range map[string]bool{alice.Key: false, ticket: false, "token": true} {
		if status, text := fetch(t, record, "Authorization", "Bearer "+secret); status != http.StatusOK || strings.Contains(text, "hidden word") != told {
			t.Errorf("standard error is shown: expected %v, found status %d\n%s", told, status, text)
		}
	}
}
