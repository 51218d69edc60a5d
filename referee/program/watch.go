package program

import (
	"context"
	"fmt"

	"umpire/referee/program/build"
)

// Watched returns the files that the digest of a bot covers, as the user names
// them, so that changes of them can be noticed; it need not be possible to make
// a bot of them. A built-in bot has none: nil.
func (b Resolver) Watched(ctx context.Context, label string) (*build.Content, error) {
	files := Files(b.Folder, label)
	_, what := SplitName(label)
	content := new(build.Content)
	commandLine := isCommandLine(what) && !exists(b.at(what))
	if len(files) == 0 && !commandLine {
		return nil, nil
	}
	for _, path := range files {
		if inSystem(path) {
			continue
		}
		add := content.AddSource
		if commandLine {
			add = func(ctx context.Context, path string) error {
				_, err := content.Add(ctx, path)
				return err
			}
		}
		if err := add(ctx, path); err != nil {
			return nil, fmt.Errorf("watch %s: %w", path, reason(err))
		}
	}
	if commandLine {
		if args, err := build.SplitWords(what); err == nil && inPath(args[0]) {
			if path, err := b.command(args[0]); err == nil {
				return content, content.AddStamp(path)
			}
		}
	}
	return content, nil
}
