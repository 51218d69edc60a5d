//go:build linux

// Command load measures what `umpire serve` needs for many remote players:
// so many wait for a seat while others play matches of two seats, of which
// each waits for a reply in one seat and for the opponent's in the other.
// The organiser's and an onlooker's requests must be answered meanwhile. In the
// end the clients vanish without a word, and no connection may be left. With
// -onlookers it measures instead whether people who look at a match between two
// programs cost these time, for which it needs curl.
//
//	go build -o /tmp/umpire . && go run ./scripts/load -umpire /tmp/umpire
//	go run ./scripts/load -umpire /tmp/umpire -onlookers 100 -game GAME -bot @BOT -case GROUP/NAME
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee/procfs"
)

func main() {
	l := &load{}
	flag.StringVar(&l.umpire, "umpire", "umpire", "the program to be measured")
	flag.IntVar(&l.waiting, "waiting", 1000, "players that wait for a seat")
	flag.IntVar(&l.matches, "matches", 500, "matches of two remote players")
	flag.Int64Var(&l.most, "memory", 200, "MB of memory that the server may use")
	flag.IntVar(&l.onlookers, "onlookers", 0, "measure instead what so many onlookers change for the bots of a match")
	flag.StringVar(&l.match.game, "game", "", "of that match")
	flag.StringVar(&l.match.bot, "bot", "", "that plays both its seats")
	flag.StringVar(&l.match.name, "case", "", "a standard case's name")
	flag.Parse()
	if err := l.run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// load is one measurement.
type load struct {
	umpire           string
	waiting, matches int
	most             int64 // MB of memory
	onlookers        int
	match            onlooked

	url, token string
	pid        int
	before     int // sockets before the first client
	http       *http.Client
	asking     atomic.Int64 // requests that have been begun and not answered
	begun      atomic.Int64 // matches in which a reply is owed
	clients    sync.WaitGroup
}

func (l *load) run() error {
	dir, err := os.MkdirTemp("", "umpire-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := l.writePlayers(filepath.Join(dir, "players")); err != nil {
		return err
	}
	isolation := "none"
	if l.onlookers > 0 {
		isolation = "auto"
	}
	serve := exec.Command(l.umpire, "serve", "--json", "--isolation", isolation, "--listen", "127.0.0.1:0", "-o", dir,
		"--matches", strconv.Itoa(l.matches), "--gather", "10m")
	out, err := serve.StdoutPipe()
	if err != nil {
		return err
	}
	if err := serve.Start(); err != nil {
		return err
	}
	l.pid = serve.Process.Pid
	err = l.measure(out)
	return errors.Join(err, serve.Process.Signal(syscall.SIGTERM), serve.Wait())
}

func key(player string) string { return "key of " + player }

func waiter(i int) string           { return fmt.Sprintf("waiter%d", i) }
func contestant(i, seat int) string { return fmt.Sprintf("player%d-%d", i, seat) }

// writePlayers writes the file of players and their keys' hashes.
func (l *load) writePlayers(path string) error {
	var b strings.Builder
	add := func(name string) { fmt.Fprintf(&b, "%s %x\n", name, sha256.Sum256([]byte(key(name)))) }
	for i := range l.waiting {
		add(waiter(i))
	}
	for i := range l.matches {
		add(contestant(i, 1))
		add(contestant(i, 2))
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}

func (l *load) measure(out io.Reader) error {
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	var at struct{ URL, Token string }
	if err := json.Unmarshal([]byte(line), &at); err != nil {
		return err
	}
	l.url, l.token = at.URL, at.Token
	l.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1 << 20}}
	l.report("at the start")
	l.before = l.sockets()
	ctx, vanish := context.WithCancel(context.Background())
	defer vanish()
	if l.onlookers > 0 {
		return l.look(ctx)
	}
	games := catalog.Games()
	twoSeats := slices.IndexFunc(games, func(g protocols.Game) bool { return g.MinSeats == 2 && g.MaxSeats == 2 })
	if twoSeats < 0 {
		return errors.New("found no game of two seats")
	}
	game := games[twoSeats].Name
	started := time.Now()
	for i := range l.matches {
		body := map[string]any{"game": game, "seats": []string{"remote:" + contestant(i, 1), "remote:" + contestant(i, 2)}, "time_ms": 0, "move_ms": 0}
		if err := l.request(ctx, "POST", "matches", l.token, body, nil); err != nil {
			return err
		}
		for seat := range 2 {
			l.client(func() error { return l.play(ctx, contestant(i, seat+1)) })
		}
	}
	for i := range l.waiting {
		l.client(func() error {
			return l.request(ctx, "POST", "join", key(waiter(i)), map[string]int{"wait": 30}, nil)
		})
	}
	if err := l.settle(started); err != nil {
		return err
	}
	fmt.Printf("%d players wait, %d matches run, %.1f s after the start\n", l.waiting, l.matches, time.Since(started).Seconds())
	l.report("under load")
	if err := l.others(); err != nil {
		return err
	}
	vanish()
	l.clients.Wait()
	l.http.CloseIdleConnections()
	if err := l.gone(); err != nil {
		return err
	}
	if peak := l.report("after the clients have vanished"); peak > l.most<<20 {
		return fmt.Errorf("found %d MB, expected at most %d", peak>>20, l.most)
	}
	return nil
}

// client runs a client, which ends when it vanishes.
func (l *load) client(f func() error) {
	l.clients.Go(func() {
		if err := f(); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(os.Stderr, "load:", err)
		}
	})
}

// play asks for turns until it owes a reply, and then waits for another match.
func (l *load) play(ctx context.Context, player string) error {
	var seat struct{ Ticket string }
	if err := l.request(ctx, "POST", "join", key(player), map[string]int{"wait": 30}, &seat); err != nil {
		return err
	}
	for ctx.Err() == nil {
		var turn struct{ State string }
		if err := l.request(ctx, "GET", "seat/turns/1?wait=30", seat.Ticket, nil, &turn); err != nil {
			return err
		}
		if turn.State == "move" {
			l.begun.Add(1)
			return l.request(ctx, "POST", "join", key(player), map[string]any{"wait": 30, "session": "other"}, nil)
		}
	}
	return ctx.Err()
}

// request makes a request and reads its answer.
func (l *load) request(ctx context.Context, method, path, secret string, body, into any) error {
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, l.url+"/api/v1/"+path, in)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Content-Type", "application/json")
	l.asking.Add(1)
	answer, err := l.http.Do(r)
	l.asking.Add(-1)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// settle waits until all matches run and all players wait.
func (l *load) settle(started time.Time) error {
	for time.Since(started) < 25*time.Second {
		if int(l.begun.Load()) >= l.matches && int(l.asking.Load()) == l.waiting+2*l.matches {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("not all players wait: %d of %d requests, %d of %d matches", l.asking.Load(), l.waiting+2*l.matches, l.begun.Load(), l.matches)
}

// others makes requests as the organiser and onlookers do, on new connections.
func (l *load) others() error {
	var took []time.Duration
	onlooker := &load{url: l.url, http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	for range 200 {
		for _, path := range []string{"games", "players", "matches?limit=20"} {
			began := time.Now()
			if err := onlooker.request(context.Background(), "GET", path, "", nil, nil); err != nil {
				return err
			}
			took = append(took, time.Since(began))
		}
	}
	slices.Sort(took)
	fmt.Printf("%d other requests answered: median %v, slowest %v\n", len(took), took[len(took)/2].Round(time.Microsecond), took[len(took)-1].Round(time.Microsecond))
	return nil
}

// gone waits until the server has closed all connections.
func (l *load) gone() error {
	for range 100 {
		if l.sockets() <= l.before {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("found %d sockets, expected the %d that there were before the clients", l.sockets(), l.before)
}

// sockets counts the server's sockets.
func (l *load) sockets() (n int) {
	dir := procfs.Dir(l.pid) + "/fd/"
	for _, name := range procfs.Names(dir) {
		if to, _ := os.Readlink(dir + name); strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

// report prints the server's memory and sockets, and returns the most memory
// that it has used, in bytes.
func (l *load) report(when string) (peak int64) {
	var buf [4096]byte
	status := procfs.Read(procfs.Dir(l.pid)+"/status", buf[:])
	peak = procfs.Kibibytes(status, "VmHWM:")
	fmt.Printf("%s: %d MB of memory, at most %d MB so far, %d sockets\n", when, procfs.Kibibytes(status, "VmRSS:")>>20, peak>>20, l.sockets())
	return peak
}
