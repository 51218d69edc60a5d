package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/external"
	"umpire/referee/program"
	"umpire/referee/sandbox"
)

// Offered are the games that a server offers, and the programs that may take seats in them.
type Offered struct {
	Games  []protocols.Game
	Judges map[string]func() arena.Judges // of the games that are not built in, by name
	Bots   []program.Bot                  // that were given, of the only game

	ctx      context.Context
	play     Play
	launcher sandbox.Launcher

	mu      sync.Mutex
	builtIn map[string]program.Bot // by game and name
}

// Offer prepares the game and the entrants, each of which is tried; without a game, all
// games that can be played here.
func (p Play) Offer(ctx context.Context) (o *Offered, err error) {
	o = &Offered{
		Games: []protocols.Game{p.Game}, Judges: make(map[string]func() arena.Judges),
		ctx: ctx, play: p, builtIn: make(map[string]program.Bot),
	}
	if o.launcher, err = p.Machine.Launcher(); err != nil {
		return nil, err
	}
	if p.Game.Name == "" {
		return o, o.addGames()
	}
	if p.Set, err = p.Umpire.CaseSource(ctx).Whole(p.Game, cases.Choice{}); err != nil {
		return nil, err
	}
	s := &Session{Play: p, launcher: o.launcher}
	if err := s.resolve(ctx); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(s.Bots, func(b program.Bot) bool { return b.Kind != "" }); i >= 0 {
		return nil, mistakef("bot %q: remote players and people join by themselves; name programs of this machine", s.Bots[i].Entrant.Label)
	}
	if err := s.try(ctx, nil); err != nil {
		return nil, err
	}
	o.Bots, o.Judges[p.Game.Name] = s.Bots, s.runner.Judges
	return o, cmp.Or(NotJudged(s.Bots), Broken(s.Bots))
}

// addGames offers the built-in games, and those that were added by users, but for what
// can't be played here.
func (o *Offered) addGames() error {
	p := o.play
	added, err := p.Umpire.added()
	if err != nil {
		return err
	}
	o.Games = slices.Clone(p.Umpire.Games)
	for _, name := range slices.Sorted(maps.Keys(added)) {
		p.Game, err = p.Umpire.Game(name)
		if f := p.Umpire.Folder(p.Game); f != nil {
			var judge external.Judge
			judge, err = p.Umpire.judgeOf(o.ctx, p.Machine, f)
			o.Judges[name] = judge.Judges
		}
		switch {
		case err != nil:
			p.Machine.Tell.Warn("notice: %s is not offered: %v\n", name, err)
		case p.Umpire.Problem(p.Game) == nil:
			o.Games = append(o.Games, p.Game)
		}
	}
	return nil
}

// Player finds the player of a name: one of the bots, or one that comes with the game; ok
// is false if there is none.
func (o *Offered) Player(game, name string) (p referee.Player, ok bool, err error) {
	for _, b := range o.Bots {
		if b.Name == name && game == o.play.Game.Name {
			return arena.Program{Bot: b, Launcher: o.launcher}, true, nil
		}
	}
	f := o.folder(game)
	if len(name) < 2 || name[0] != '@' || f == nil && !slices.Contains(o.play.Umpire.Bots, game+"/"+name[1:]) || f != nil && f.Bots()[name[1:]] == "" && name != "@random" {
		return nil, false, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	bot, ok := o.builtIn[game+name]
	if !ok {
		resolver, err := o.play.Machine.Resolver(o.ctx, o.play.Umpire, game)
		if err != nil {
			return nil, false, err
		}
		if f != nil {
			ownBots(&resolver, f)
		}
		if bot, err = resolver.Resolve(o.ctx, program.ParseEntrant("", name)); err != nil {
			return nil, false, err
		}
		o.builtIn[game+name] = bot
	}
	return arena.Program{Bot: bot, Launcher: o.launcher}, true, nil
}

// folder returns the folder that a game is in; nil if the game is built in.
func (o *Offered) folder(game string) *external.Folder {
	for _, g := range o.Games {
		if f := o.play.Umpire.Folder(g); f != nil && g.Name == game {
			return f
		}
	}
	return nil
}
