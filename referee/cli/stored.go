package cli

import (
	"errors"
	"strings"

	"umpire/referee/record"
	"umpire/referee/scoring"
)

// readStored reads the results of --from.
func (k *scorer) readStored() error {
	files := k.c.StringSlice("from")
	room := newKept(0)
	err := k.readResults(files, func(r *record.Record) {
		room.shorten(r)
		k.results.Add(r)
		k.found.Add(k.game, r)
	})
	if err == nil && len(k.results.Submissions) == 0 && k.c.NArg() == 1 {
		err = usagef("--from: found no record of a submission to %s in %s", k.game.Name, strings.Join(files, ", "))
	}
	return err
}

// readResults reads the game's records from results files, and completes them.
func (k *scorer) readResults(files []string, take func(*record.Record)) error {
	in := scoring.Reader{Game: k.game}
	for line, err := range k.lines(files) {
		if err != nil {
			return err
		}
		r, ok, err := in.Read(line)
		switch {
		case errors.Is(err, record.ErrTorn):
			k.note("umpire: %v: skipped\n", err)
		case err != nil:
			return usage(err)
		case ok:
			take(r)
		}
	}
	if in.Others > 0 {
		k.note("umpire: skipped %d records of other games\n", in.Others)
	}
	return nil
}
