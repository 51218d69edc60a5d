package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
	"umpire/referee/remote"
	"umpire/referee/remote/client"
	"umpire/referee/sandbox"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func joinCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "remote join", Aliases: []string{"join"}, Usage: "bring a bot to another umpire, as a remote player",
		ArgsUsage: "URL BOT",
		Description: "The bot runs here, isolated; the matches are played there. The player's key is in UMPIRE_KEY or\n" +
			"--key-file. Without --matches it plays until the other umpire ends.",
		Flags: flags([]cli.Flag{
			&cli.StringFlag{Name: "key-file", Usage: "the player's key is in `FILE`"},
			&cli.StringFlag{Name: "game", Usage: "play only `GAME`; also the game whose built-in bots @NAME means"},
			&cli.IntFlag{Name: "sessions", Value: 1, Usage: "play up to `N` matches concurrently"},
			&cli.IntFlag{Name: "matches", Usage: "end after `N` matches that count"},
			&cli.BoolFlag{Name: "quiet", Usage: "print only the results"}, logFlag(),
		}, settingFlags(settings.Memory), []cli.Flag{isolationFlag(), languagesFlag()}),
		Action: func(c *cli.Context) error { return runJoin(a, c) },
	}
}

// joining is a bot that plays at another umpire.
type joining struct {
	*app
	game     protocols.Game
	launcher sandbox.Launcher
	client   *client.Client
	bot      program.Bot
	memory   int64
	mu       sync.Mutex
	started  int // matches, except void ones
	played   int // matches
	most     int // matches; 0: no limit
}

func runJoin(a *app, c *cli.Context) error {
	j, sessions, err := openJoining(a, c)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(c.Context)
	for n := range sessions {
		name := ""
		if n > 0 {
			name = fmt.Sprint(n + 1)
		}
		group.Go(func() error { return referee.Guard(func() error { return j.play(ctx, name) }) })
	}
	return group.Wait()
}

// openJoining reads the arguments and prepares the bot.
func openJoining(a *app, c *cli.Context) (j *joining, sessions int, err error) {
	if c.NArg() != 2 {
		return nil, 0, usagef("found %d arguments, expected `umpire remote join URL BOT`", c.NArg())
	}
	base := fleet.CompleteURL(c.Args().First(), false)
	if !isBase(base) {
		return nil, 0, usagef("found URL %q, expected HOST:PORT, http://HOST:PORT or https://HOST", base)
	}
	j = &joining{app: a}
	if sessions, err = countFlag(c, "sessions"); err != nil {
		return nil, 0, err
	}
	if j.most, err = countFlag(c, "matches"); err != nil {
		return nil, 0, err
	}
	key, err := readKey(c)
	if err != nil {
		return nil, 0, err
	}
	if name := c.String("game"); name != "" {
		if j.game, err = a.umpire.Game(name); err != nil {
			return nil, 0, err
		}
	}
	e := program.ParseEntrant("", c.Args().Get(1))
	if e.Kind == program.KindBuiltIn && j.game.Name == "" {
		return nil, 0, usagef("bot %q: of which game? --game GAME says so", e.What)
	}
	change, err := settings.Limits(func(name string) (string, bool) {
		return c.String(name), name == settings.Memory.Name && c.IsSet(name)
	})
	if err != nil {
		return nil, 0, usage(err)
	}
	j.memory = change(protocols.Limits{}).Memory
	machine := a.machine(c, flagValues(c))
	if j.launcher, err = machine.Launcher(); err != nil {
		return nil, 0, err
	}
	resolver, err := machine.Resolver(c.Context, a.umpire, j.game.Name)
	if err != nil {
		return nil, 0, err
	}
	resolver.Private = e.Files()
	bots, err := session.ResolveAll(c.Context, resolver, []program.Entrant{e}, nil)
	if err != nil {
		return nil, 0, err
	}
	if j.bot = bots[0]; j.bot.Kind != "" {
		return nil, 0, usagef("bot %q: expected a program of this machine", e.Label)
	}
	if err := cmp.Or(session.NotJudged(bots), session.Broken(bots)); err != nil {
		return nil, 0, err
	}
	seating := referee.Seating{Game: j.game.Name, Seat: 1, Seats: 1, Limits: protocols.Limits{Memory: j.memory}}
	if err := j.program().CheckStart(c.Context, seating); err != nil {
		return nil, 0, usagef("bot %q: %w", j.bot.Entrant.Label, err)
	}
	j.client = &client.Client{URL: base, Key: key, HTTP: &http.Client{Timeout: 2 * time.Minute}}
	if !c.Bool("quiet") {
		j.client.Note = a.note
	}
	return j, sessions, nil
}

// program is the bot as a player.
func (j *joining) program() arena.Program { return arena.Program{Bot: j.bot, Launcher: j.launcher} }

// readKey returns the player's key.
func readKey(c *cli.Context) (string, error) {
	key := os.Getenv("UMPIRE_KEY")
	if path := c.String("key-file"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", usagef("--key-file: %w", err)
		}
		key = string(text)
	}
	key = strings.TrimSpace(strings.TrimPrefix(key, "\ufeff"))
	if key == "" {
		return "", usagef("found no key, expected UMPIRE_KEY or --key-file FILE with the key that the other umpire has printed")
	}
	if isNoKey := func(r rune) bool { return r <= ' ' || r > '~' }; len(key) > maxKey || strings.ContainsFunc(key, isNoKey) {
		return "", usagef("found more than a key in UMPIRE_KEY or --key-file, expected what the other umpire has printed: one word of letters and digits")
	}
	return key, nil
}

// maxKey is the most bytes that a key may have: those that umpire makes have 26.
const maxKey = 256

// mistakes are the codes of problems with what the user has given: the key, the
// game, or the URL, which leads to another host or path than umpire's.
var mistakes = []string{remote.CodeKey, remote.CodeArgument, "address", "host"}

// play plays one match after the other in one session.
func (j *joining) play(ctx context.Context, session string) error {
	for j.another() {
		seat, err := j.client.Join(ctx, j.game.Name, session)
		if err == nil {
			err = j.match(ctx, seat)
		}
		var p *client.Problem
		switch {
		case errors.As(err, &p) && p.Code == remote.CodeStopping, errors.Is(err, client.ErrNoAnswer) && j.hasPlayed():
			j.note("umpire: the other umpire has ended\n")
			return nil
		case errors.As(err, &p) && p.Code == remote.CodeSuperseded:
			return fmt.Errorf("another program plays with this key: %w", err)
		case errors.As(err, &p) && p.Code == remote.CodeTicket:
			j.uncount() // the other umpire was started again: the match is void
		case errors.As(err, &p) && slices.Contains(mistakes, p.Code):
			return usage(err)
		case err != nil:
			return err
		}
	}
	return nil
}

// another reports whether one more match is to be played.
func (j *joining) another() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.started++
	return j.most == 0 || j.started <= j.most
}

// uncount takes back a match that another has counted, since it does not count.
func (j *joining) uncount() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.started--
}

// hasPlayed reports whether a match has been played.
func (j *joining) hasPlayed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.played > 0
}

// match plays one match and prints how it ended.
func (j *joining) match(ctx context.Context, seat remote.SeatInfo) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	end, err := j.client.Play(ctx, seat, limited{j.program(), j.memory})
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.played++; end.State == remote.TurnVoid {
		j.started--
	}
	j.printf("%s %s, seat %d of %d: %s\n", seat.Game, seat.Match, seat.Seat, seat.Seats, outcome(seat, end))
	return nil
}

// limited is a player with a memory limit of its own.
type limited struct {
	referee.Player
	memory int64
}

func (l limited) Sit(ctx context.Context, s referee.Seating) (referee.Contestant, error) {
	s.Limits.Memory = l.memory
	return l.Player.Sit(ctx, s)
}

// outcome says in words how a match ended for a seat.
func outcome(seat remote.SeatInfo, end remote.TurnInfo) string {
	if end.State == remote.TurnVoid {
		return "void: " + end.Detail
	}
	for _, r := range end.Results {
		if r.Seat == seat.Seat {
			return fmt.Sprintf("%s, score %v, place %d%s", r.Verdict, r.Score, r.Place, prefixed(": ", cmp.Or(end.Detail, r.Detail)))
		}
	}
	return end.Verdict
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
