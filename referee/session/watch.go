package session

import (
	"context"
	"time"

	"umpire/referee/program"
	"umpire/referee/program/build"
)

// Watch looks for changes of bots and files. They are compared by what the system
// says of them, and read again only where that differs, so a look costs little.
type Watch struct {
	Entrants []program.Entrant
	Files    []string
	Names    []string // what is watched, as the user named it: set by Look

	contents []*build.Content
}

// lookEvery is how often files are looked at.
const lookEvery = 200 * time.Millisecond

// Look takes what is there as the state to compare with.
func (w *Watch) Look(ctx context.Context) error {
	var names []string
	var contents []*build.Content
	for _, e := range w.Entrants {
		content, err := e.Watched(ctx)
		if err != nil {
			return err
		}
		if content != nil {
			names, contents = append(names, e.Label), append(contents, content)
		}
	}
	for _, file := range w.Files {
		content := new(build.Content)
		if err := content.AddSource(ctx, file); err != nil {
			return err
		}
		names, contents = append(names, file), append(contents, content)
	}
	w.Names, w.contents = names, contents
	return nil
}

// Changed waits for a change, and then until no more follow: an editor may remove
// a file before it writes it anew. The error is that of ctx.
func (w *Watch) Changed(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for changed := false; ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		same := w.same(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case same && changed:
			return nil
		case !same:
			changed = true
			_ = w.Look(ctx) // where it fails, something is missing, and is so in the next look
		}
	}
}

// same reports whether nothing has changed since the last look.
func (w *Watch) same(ctx context.Context) bool {
	for _, content := range w.contents {
		if content.Check(ctx) != nil {
			return false
		}
	}
	return true
}
