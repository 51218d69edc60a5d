package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
	"umpire/referee/remote"
	"umpire/referee/remote/client"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func joinCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "remote join", Aliases: []string{"join"}, Usage: "bring a bot to another umpire, as a remote player",
		ArgsUsage: "URL BOT",
		Description: "The bot runs here, isolated; the matches are played there. The player's key is in UMPIRE_KEY or\n" +
			"--key-file. Without --matches it plays until the other umpire ends.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "key-file", Usage: "the player's key is in `FILE`"},
			&cli.StringFlag{Name: "game", Usage: "play only `GAME`; also the game whose built-in bots @NAME means"},
			&cli.IntFlag{Name: "sessions", Value: 1, Usage: "play up to `N` matches concurrently"},
			&cli.IntFlag{Name: "matches", Usage: "end after `N` matches that count"},
			&cli.BoolFlag{Name: "quiet", Usage: "print only the results"}, logFlag(),
		}, settingFlags(settings.Memory), []cli.Flag{isolationFlag(), languagesFlag()}),
		Action: func(c *cli.Context) error { return runJoin(a, c) },
	}
}

func runJoin(a *app, c *cli.Context) error {
	j, sessions, err := openJoining(a, c)
	if err != nil {
		return err
	}
	j.Ended = func(seat remote.SeatInfo, end remote.TurnInfo) {
		a.printf("%s %s, seat %d of %d: %s\n", seat.Game, seat.Match, seat.Seat, seat.Seats, outcome(seat, end))
	}
	j.Over = func() { a.note("umpire: the other umpire has ended\n") }
	err = j.Run(c.Context, sessions)
	if p, ok := errors.AsType[*client.Problem](err); ok && p.IsMistake() {
		return usage(err)
	}
	return err
}

// openJoining reads the arguments and prepares the bot.
func openJoining(a *app, c *cli.Context) (j *client.Joining, sessions int, err error) {
	if c.NArg() != 2 {
		return nil, 0, usagef("arguments: found %d, expected `umpire remote join URL BOT`", c.NArg())
	}
	base := fleet.CompleteURL(c.Args().First(), false, false)
	if !isBase(base) {
		return nil, 0, usagef("found URL %q, expected HOST:PORT, http://HOST:PORT or https://HOST", base)
	}
	j = &client.Joining{Client: &client.Client{URL: base, HTTP: &http.Client{Timeout: 2 * time.Minute}}}
	if sessions, err = flagValues(c).count("sessions"); err != nil {
		return nil, 0, err
	}
	if j.Most, err = flagValues(c).count("matches"); err != nil {
		return nil, 0, err
	}
	if j.Key, err = readKey(c); err != nil {
		return nil, 0, err
	}
	e := program.ParseEntrant("", c.Args().Get(1))
	name := c.String("game")
	if game, _, full := strings.Cut(e.What, "/"); full && name == "" && e.Kind == program.KindBuiltIn {
		name = game[1:] // without the @
	}
	if name != "" {
		g, err := a.umpire.Game(name)
		if err != nil {
			return nil, 0, err
		}
		j.Game = g.Name
	}
	if e.Kind == program.KindBuiltIn && j.Game == "" {
		return nil, 0, usagef("bot %q: of which game? --game GAME says so", e.What)
	}
	if memory := settings.Memory; c.IsSet(memory.Name) {
		if j.Memory, err = settings.ParseMemory(c.String(memory.Name)); err != nil {
			return nil, 0, usagef("%s: %w", memory.Flag(), err)
		}
	}
	machine := a.machine(c, flagValues(c))
	launcher, err := machine.Launcher()
	if err != nil {
		return nil, 0, err
	}
	resolver, err := machine.Resolver(c.Context, a.umpire, j.Game)
	if err != nil {
		return nil, 0, err
	}
	resolver.Private = e.Files()
	bots, err := session.ResolveAll(c.Context, resolver, []program.Entrant{e}, nil)
	if err != nil {
		return nil, 0, err
	}
	if bots[0].Kind != "" {
		return nil, 0, usagef("bot %q: expected a program of this machine", e.Label)
	}
	if err := cmp.Or(session.NotJudged(bots), session.Broken(bots)); err != nil {
		return nil, 0, err
	}
	player := arena.Program{Bot: bots[0], Launcher: launcher}
	seating := referee.Seating{Game: j.Game, Seat: 1, Seats: 1, Limits: protocols.Limits{Memory: j.Memory}}
	if err := player.CheckStart(c.Context, seating); err != nil {
		return nil, 0, usagef("bot %q: %w", e.Label, err)
	}
	j.Player = player
	j.Note = a.tell(c).Note
	return j, sessions, nil
}

// readKey returns the player's key.
func readKey(c *cli.Context) (string, error) {
	key, err := secretIn(c, "key-file")
	if c.String("key-file") == "" {
		key = secretOfEnv()
	}
	if err != nil {
		return "", err
	}
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

// outcome says in words how a match ended for a seat.
func outcome(seat remote.SeatInfo, end remote.TurnInfo) string {
	if end.State == remote.TurnVoid {
		return "void: " + end.Detail
	}
	for _, r := range end.Results {
		if r.Seat == seat.Seat {
			text := fmt.Sprintf("%s, score %v, place %d", r.Verdict, r.Score, r.Place)
			if detail := cmp.Or(end.Detail, r.Detail); detail != "" {
				text += ": " + detail
			}
			return text
		}
	}
	return end.Verdict
}
