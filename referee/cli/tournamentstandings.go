package cli

import (
	"errors"
	"io/fs"
	"path/filepath"

	"umpire/referee/record"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

// knockoutOf returns the knockout whose results a file of a run folder holds; ok
// is false if it holds those of another format, or of no run.
func (a *app) knockoutOf(file string) (k standings.Knockout, ok bool) {
	if filepath.Base(file) != record.ResultsFile {
		return k, false
	}
	past, err := tournament.ReadPast(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		return k, false
	}
	if err != nil {
		a.note("umpire: without its bracket, if it is a knockout: %v\n", err)
		return k, false
	}
	return past.Knockout()
}
