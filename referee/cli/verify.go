package cli

import (
	"errors"
	"iter"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
	"umpire/referee/report"
)

func (a *app) verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", Usage: "recompute every record's outcome from its case and events",
		ArgsUsage: "FILE...",
		Flags:     []cli.Flag{&cli.StringFlag{Name: "id", Usage: "only the record `ID`, of which a unique beginning is enough"}, jsonFlag(), &cli.BoolFlag{Name: "quiet", Usage: "print nothing; only set the exit code"}},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("found no file, expected `umpire verify FILE...` (- is standard input)")
			}
			return a.verify(c.Args().Slice(), c.String("id"), c.Bool("json"), c.Bool("quiet"))
		},
	}
}

func (a *app) verify(files []string, id string, asJSON, quiet bool) error {
	var sum report.Verified
	for line, err := range a.linesOfID(files, id) {
		if interrupted(err) {
			if !asJSON && !quiet {
				a.printf("%s, before the interrupt\n", sum)
			}
			return err
		}
		if err != nil {
			return err
		}
		judged, err := record.Verify(line, a.games)
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

// lines yields the lines of results files, including those in run folders; "-"
// is standard input. Errors are the user's.
func (a *app) lines(files []string) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		for _, name := range files {
			name = resultsIn(name)
			in, err := a.openRecords(name)
			if err != nil {
				yield(record.Line{}, usage(err))
				return
			}
			for line, err := range record.Lines(name, in) {
				if !yield(line, usage(err)) || err != nil {
					in.Close()
					return
				}
			}
			in.Close()
		}
	}
}

// invalid returns the error of a record that is not valid. One that is the
// user's already stays as it is.
func invalid(where string, why error) error {
	var ans *answer
	if why == nil || errors.As(why, &ans) {
		return why
	}
	return usagef("%s is not valid: %w", where, why)
}
