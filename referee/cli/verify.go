package cli

import (
	"errors"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/session"
)

func verifyCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "recompute every record's outcome from its case and events",
		ArgsUsage: "FILE...",
		Flags:     []cli.Flag{&cli.StringFlag{Name: "id", Usage: "only the record `ID`, of which a unique beginning is enough"}, jsonFlag(), &cli.BoolFlag{Name: "quiet", Usage: "print nothing; only set the exit code"}},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("found no file, expected `umpire verify FILE...` (- is standard input)")
			}
			return runVerify(a, c.Args().Slice(), c.String("id"), c.Bool("json"), c.Bool("quiet"))
		},
	}
}

func runVerify(a *app, files []string, id string, asJSON, quiet bool) error {
	var sum report.Verified
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
		judged, err := record.Verify(line, a.umpire.Games)
		if errors.Is(err, record.ErrTorn) {
			a.note("umpire: %v: skipped\n", err)
			continue
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
	if !asJSON && !quiet {
		a.printf("%s\n", sum)
	}
	if sum.Invalid > 0 {
		return errNo
	}
	return nil
}

// invalid returns the error of a record that is not valid. One that is the
// user's already stays as it is.
func invalid(where string, why error) error {
	if why == nil || isUsage(why) {
		return why
	}
	return usagef("%s is not valid: %w", where, why)
}
