package program

import (
	"context"
	"fmt"

	"umpire/referee/program/build"
)

// Watched returns the files that the digest of the entrant's bot covers, so that
// changes of them can be noticed; it need not be possible to make a bot of them.
// A built-in bot or a guest has none: nil.
func (e Entrant) Watched(ctx context.Context) (*build.Content, error) {
	if e.Kind != KindPath && e.Kind != KindCommand {
		return nil, nil
	}
	content := new(build.Content)
	for _, path := range e.Files() {
		if inSystem(path) {
			continue
		}
		var err error
		if e.Kind == KindPath {
			err = content.AddSource(ctx, path)
		} else {
			_, err = content.Add(ctx, path)
		}
		if err != nil {
			return nil, fmt.Errorf("watch %s: %w", path, reason(err))
		}
	}
	if e.Kind == KindCommand {
		if args, err := build.SplitWords(e.What); err == nil && inPath(args[0]) {
			if path, err := e.command(args[0]); err == nil {
				return content, content.AddStamp(path)
			}
		}
	}
	return content, nil
}
