package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/session"
)

func verifyCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "recompute every record's outcome from its case and events",
		ArgsUsage: "FILE...",
		Description: `Of a tournament's run folder, bots, cases, schedule and the digest of the results are compared
with its run.json as well. Records of a game of its author's own are checked against what its judge
said; with --game, the judge hears the same again and must say the same.`,
		Flags: slices.Concat([]cli.Flag{&cli.StringFlag{Name: "id", Usage: "only the record `ID`, of which a unique beginning is enough"}, &cli.StringFlag{Name: "game", Usage: "have the judge in folder `DIR` judge again"}, jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print nothing; only set the exit code"}, isolationFlag(), languagesFlag()}, packageFlags()),
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("found no file, expected `umpire verify FILE...` (- is standard input)")
			}
			return runVerify(a, c, c.Args().Slice())
		},
	}
}

func runVerify(a *app, c *cli.Context, files []string) error {
	id, asJSON, quiet := c.String("id"), c.Bool("json"), c.Bool("quiet")
	var sum report.Verified
	judges := session.JudgeAgain{Umpire: a.umpire, Machine: a.machine(c, flagValues(c)), Dir: c.String("game")}
	if judges.Dir != "" && !program.Exists(judges.Dir) {
		return usagef("--game: found no folder %s", judges.Dir)
	}
	found := false
	var cut []string                           // compressed files without their end
	folders := make(map[string]*session.Audit) // by results file
	for _, name := range files {
		folder, err := session.AuditOf(a.umpire, name)
		if err != nil {
			return err
		}
		folders[session.ResultsIn(name)] = folder
	}
	for line, err := range a.files.LinesOfID(session.Pick{Files: files, ID: id}) {
		if interrupted(err) {
			if !asJSON && !quiet {
				a.printf("%s, before the interrupt\n", sum)
			}
			return err
		}
		if err != nil {
			return err
		}
		found = true
		judged, err := record.Verify(line, a.umpire.Games)
		if errors.Is(err, record.ErrTorn) {
			if line.Cut {
				cut = append(cut, line.File)
			} else {
				a.note("umpire: %v: skipped\n", err)
			}
			continue
		}
		if folder := folders[line.File]; folder != nil && err == nil {
			judged.Add(folder.Check(line))
		}
		if err == nil {
			if err := judges.Check(c.Context, line, &judged); err != nil {
				return err
			}
		}
		sum.Add(judged)
		switch {
		case quiet:
		case asJSON:
			if err := a.out.JSON().Encode(judged); err != nil {
				return err
			}
		case err != nil:
			a.printf("%s\n", err)
		default:
			report.Judged(a.out, line, judged)
		}
	}
	if !found && !slices.ContainsFunc(files, func(f string) bool { return folders[session.ResultsIn(f)] != nil }) {
		return usagef("found no records in %s", strings.Join(files, ", "))
	}
	if !asJSON && !quiet {
		a.printf("%s\n", sum)
	}
	for _, file := range cut {
		a.note("umpire: %s: its end is cut off; what can be read of it was verified\n", file)
	}
	valid := sum.Invalid == 0
	if valid && judges.Dir != "" && !judges.Used() {
		return usagef("--game %s: found no record that its judge could judge again", judges.Dir)
	}
	if valid && id == "" {
		var err error
		if valid, err = verifyFolders(a, c, slices.Compact(files), folders); err != nil {
			return err
		}
	}
	if valid && cut != nil && id == "" {
		return &answer{code: exitUsage}
	}
	return yes(valid)
}

// verifyFolders judges the run folders among files, whose records have been found valid.
func verifyFolders(a *app, c *cli.Context, files []string, folders map[string]*session.Audit) (valid bool, err error) {
	valid = true
	for _, name := range files {
		folder := folders[session.ResultsIn(name)]
		if folder == nil {
			continue
		}
		judged, err := folder.End(c.Context, a.files)
		if err != nil {
			return false, err
		}
		valid = valid && judged.Valid
		switch {
		case c.Bool("quiet"):
		case c.Bool("json"):
			err = a.out.JSON().Encode(judged)
		default:
			a.printf("%s\n", report.SafeLine(judged.String()))
		}
		if err != nil {
			return false, err
		}
	}
	return valid, nil
}

// invalid returns the error of a record that is not valid. One that is the
// user's already stays as it is.
func invalid(where string, why error) error {
	if why == nil || isUsage(why) {
		return why
	}
	return usagef("%s is not valid: %w", where, why)
}
