//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/keys"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/archive"
	"umpire/referee/remote/client"
	"umpire/referee/remote/house"
	"umpire/referee/remote/serve"
)

// clientArg makes this program the client of row (i): the server's URL and the
// player's key follow.
const clientArg = "play-remote"

// digit is a player that always replies with the same digit.
type digit struct{}

func (digit) Identity() referee.Identity { return referee.Identity{Name: "digit", Digest: "digit"} }
func (digit) Sit(context.Context, referee.Seating) (referee.Contestant, error) {
	return digit{}, nil
}
func (digit) Send(string)         {}
func (digit) CloseInput()         {}
func (digit) Stop() referee.Usage { return referee.Usage{} }
func (digit) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	return referee.Reply{Text: "5"}, nil
}

// playRemote plays one match as a remote player.
func playRemote(url, key string) error {
	c := client.Client{URL: url, Key: key, HTTP: http.DefaultClient, Note: func(string, ...any) {}}
	seat, err := c.Join(context.Background(), "", "")
	if err != nil {
		return err
	}
	_, err = c.Play(context.Background(), seat, digit{})
	return err
}

// remoteTurns measures row (i).
func (b *bench) remoteTurns() error {
	const n = 3000
	var remotes, pipes []cost
	for range b.rounds {
		r, err := remoteTurn(n)
		if err != nil {
			return err
		}
		p, err := b.pipeTurn(n)
		if err != nil {
			return err
		}
		remotes, pipes = append(remotes, r), append(pipes, p)
	}
	r, p := median(remotes), median(pipes)
	fmt.Printf("(i) a remote turn over HTTP, loopback     %6.0f µs, CPU of the server alone %6.1f µs\n", us(r.wall), us(r.cpu))
	fmt.Printf("(i) a turn through pipes                  %6.0f µs, CPU of umpire alone     %6.1f µs: 1/%.0f of the remote one's\n\n", us(p.wall), us(p.cpu), ratio(r.cpu, p.cpu))
	return nil
}

// pipeTurn returns the cost of a turn of a program, without the program's own.
func (b *bench) pipeTurn(n int) (c cost, err error) {
	err = pinned(func() error {
		m := b.match(1, n, b.launcher)
		m.Limits.Time = time.Hour
		start := begin(threadCPU)
		_, err := m.Play(context.Background())
		c = start.each(n)
		return err
	})
	return c, err
}

// remoteTurn returns the cost of a turn of a player in another process.
func remoteTurn(n int) (c cost, err error) {
	dir, err := os.MkdirTemp("", "umpire-bench")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	file, err := keys.Open(filepath.Join(dir, "players"), keys.Player)
	if err != nil {
		return c, err
	}
	key, err := file.Add("alice")
	if err != nil {
		return c, err
	}
	archive, err := archive.Open(filepath.Join(dir, record.ResultsFile))
	if err != nil {
		return c, err
	}
	hub := remote.NewHub(remote.Config{Games: []protocols.Game{pingGame}, Keys: file, Join: time.Minute, Idle: time.Minute})
	server, err := serve.New(serve.Config{Hub: hub, Keys: file, Archive: archive, Games: []house.Game{{Game: pingGame}}, Listen: "127.0.0.1:0"})
	if err != nil {
		return c, err
	}
	server.Start()
	player := exec.Command("/proc/self/exe", clientArg, server.URL, key)
	player.Stderr = os.Stderr
	if err = player.Start(); err == nil {
		c, err = hostTurns(hub, n)
		err = errors.Join(err, player.Wait())
	}
	hub.Stop()
	return c, errors.Join(err, server.Close())
}

// hostTurns plays a match of n turns with the player of a hub, and returns what
// one costs this process.
func hostTurns(hub *remote.Hub, n int) (c cost, err error) {
	p := remote.Player{Hub: hub, Kind: remote.Program, Guest: "alice", Name: "alice", Label: "remote:alice"}
	id := p.Identity()
	local := arena.Local{Games: []protocols.Game{pingGame}, Players: []referee.Player{p}, Jobs: 1, Host: hub}
	f := arena.Fixture{
		Game: pingGame.Name, Case: record.Case{Text: fmt.Sprint(n)}, Limits: record.NewLimits(protocols.Limits{Time: time.Hour}, ""),
		Seats: []arena.Seat{{Bot: id.Name, Digest: id.Digest, Kind: id.Kind, Guest: id.Guest}},
	}
	start := begin(processCPU)
	err = repeat(local, f, 1)
	return start.each(n), err
}
