package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/arena"
	"umpire/referee/cli/shell"
	"umpire/referee/report"
	"umpire/referee/session"
)

func matchCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "match", Usage: "play one match, drawing the board after each move",
		ArgsUsage: "GAME BOT...",
		Description: "Without --case, the first of the standard cases. Seats that are left free go to the game's default opponent.\n" +
			"A bot called human, or human:NAME, is a person at the keyboard of this terminal; without a terminal, with --listen,\n" +
			"or beside remote players, a person in a browser.",
		Flags: slices.Concat(caseFlags(
			"play the cases in a folder or file, not the", "play the first case in a folder or file, not of the",
			"only the cases", "the first case", "`N` generated cases", "a generated case; `N` is 1",
		), []cli.Flag{
			&cli.IntFlag{Name: "seats", Usage: "play with `N` seats, where the game has a range (default: as many as there are bots, at least the fewest)"},
		}, limitFlags(), runFlags(), guestFlags(outsiders), outputFlags(), []cli.Flag{appendFlag(), htmlFlag(), analyseFlag()}, packageFlags()),
		Action: func(c *cli.Context) error {
			if err := newResults(c); err != nil {
				return err
			}
			return runMatch(a, c)
		},
	}
}

func runMatch(a *app, c *cli.Context) error {
	if n := c.Int("n"); n > 1 {
		return usagef("-n: found %d, expected 1: a match is played on one case; umpire test and tournament play several", n)
	}
	p, err := a.playOf(c)
	if err != nil {
		return err
	}
	if p.Seats, err = flagValues(c).count("seats"); err != nil {
		return err
	}
	if p.Jobs == session.NoJobs {
		return usagef("--jobs: found 0, expected 1 or more: a match is played on this machine")
	}
	page, err := htmlTarget(c)
	if err != nil {
		return err
	}
	if err := checkAnalyse(a, c, p.Game); err != nil {
		return err
	}
	m := session.Match{Play: p, Unfit: page != "" || writesResult(a, c)}
	board := matchBoard{app: a, quiet: c.Bool("quiet") || c.Bool("json") || page == "-" || c.String("events") == "-"}
	board.watch(c, &m.Play)
	result, err := m.Run(c.Context)
	if interrupted(err) {
		a.stopSaid = true
		a.note("umpire: interrupted before the match was over\n")
		a.sayAgain("to play it again", repeatAppending(c))
	}
	if err != nil {
		return err
	}
	return showMatch(a, c, board, page, result)
}

// matchBoard shows a match while it is played.
type matchBoard struct {
	*app
	quiet bool
	board report.Board
	about report.Background
}

// watch sets who watches the match: the board, the lines exchanged, and the keyboard
// of people who play at this terminal.
func (b *matchBoard) watch(c *cli.Context, p *session.Play) {
	var keyboard *shell.Keyboard
	if session.HasPeopleOnly(*p) && !c.IsSet("listen") && term.IsTerminal(int(os.Stdin.Fd())) && b.err.Columns != nil { // else prompts would not be seen
		keyboard = shell.NewKeyboard(b.files.In, b.err)
		p.Person = keyboard.Player
	}
	if b.onScreen() && keyboard == nil && !c.Bool("verbose") {
		b.board.Rows = b.out.Rows
	}
	p.Begun = b.begin
	alsoWatch(p, func(f arena.Fixture) (w referee.Watcher) {
		if !b.quiet {
			b.board.Bots = f.Bots()
			w = b.board.Watch()
		}
		if keyboard != nil {
			w = w.With(referee.Watcher{Awaited: keyboard.Awaited})
		}
		return w
	})
}

// begin shows the board at the start.
func (b *matchBoard) begin(s *session.Session, _ int) {
	b.about = s.About()
	if b.quiet = b.quiet || session.Broken(s.Bots) != nil; b.quiet {
		return
	}
	free, seats := "", s.MatchSeats()
	if n := seats - len(s.Bots); n > 0 {
		free = fmt.Sprintf(", %s in %s left free", s.House.Name, report.Plural(n, "seat"))
	}
	first := s.Set.Cases[0]
	b.printf("%s\n", b.out.Style(report.Dim, b.out.Wrap(fmt.Sprintf("%s, case %s, %s%s", s.Game.Title, first.Name, under(s), free))))
	b.board.Printer = b.out
	b.board.Start(first.Start(seats))
}

// showMatch shows the result of a match, and writes its page.
func showMatch(a *app, c *cli.Context, b matchBoard, page string, result session.MatchResult) error {
	r := result.Record
	if c.Bool("json") {
		if err := a.out.JSON().Encode(r); err != nil {
			return err
		}
	} else if page != "-" && result.Unfit == nil && c.String("events") != "-" {
		if r.IsRelayed() && !b.quiet {
			if err := a.out.Exchanges(r); err != nil {
				return err
			}
		}
		a.printf("\n")
		report.MatchResult(a.out, r, a.umpire.Games, b.about)
	}
	analysed, err := a.analysed(c, r)
	if none, ok := errors.AsType[*analysis.NoAnalyst](err); ok {
		a.note("umpire: --analyse: the judge of %s has said no values\n", none.Game)
	} else if err != nil {
		return err
	}
	if page != "" {
		text, err := matchPage(a, r, analysed)
		if err == nil {
			err = putPage(a, page, text)
		}
		if err != nil {
			return err
		}
	} else if analysed != nil {
		a.printf("\n")
		report.Analysis{Printer: a.out}.Moves(analysed)
	}
	if r.Error != "" {
		return fmt.Errorf("play match: %s", r.Error)
	}
	return result.Unfit
}
