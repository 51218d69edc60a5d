package program

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"umpire/referee/program/build"
)

// unplayable returns a BrokenError for an entrant that is there but can't be compiled,
// started or judged; another error for any other entrant.
func (e Entrant) unplayable(ctx context.Context, err error) error {
	var refused *build.Error
	var unfit *build.UnfitError
	var lack *build.ToolError
	if cache, ok := errors.AsType[*build.CacheError](err); ok {
		return cache // no other could be made either
	}
	abs, _ := filepath.Abs(e.at(e.What))
	bot := Bot{Name: stem(abs)}
	switch {
	case errors.As(err, &refused):
		err = e.showRefused(refused)
		bot.Digest, bot.Broken = refused.Digest, clipped(err.Error())
		if e.Kind == KindCommand {
			bot.Name = stem(refused.Source)
		}
	case e.Kind != KindPath:
		return fmt.Errorf("bot %q: %w", e.Label, err)
	case errors.As(err, &unfit):
		err = reason(unfit.Reason)
		bot.Broken = clipped(err.Error())
		bot.Digest = contentDigest(ctx, abs, bot.Broken)
	case errors.As(err, &lack), build.IsMachines(err):
		err = reason(err)
		if lack != nil {
			err, bot.lacks = lack, Ability{lack.Row, lack.Language}
		}
		bot.Lack, _, _ = strings.Cut(err.Error(), "\n")
		bot.Digest = contentDigest(ctx, abs, bot.Lack)
		err = fmt.Errorf("not judged: %w", err)
	default:
		return fmt.Errorf("bot %q: %w", e.Label, reason(err))
	}
	return &BrokenError{e.entered(bot), fmt.Errorf("bot %q: %w", e.Label, err)}
}

// contentDigest returns the digest of a bot that can't be played: it changes with
// its files or, if these can't be read, with the reason.
func contentDigest(ctx context.Context, path, why string) string {
	var files build.Content
	if named(path) != nil || files.AddSource(ctx, path) != nil { // a link may lead to what nobody is to read
		return build.Digest("broken", why)
	}
	return build.Digest("broken", files.Sum())
}

// BrokenError is the error of Resolve for a bot that is there but can't be
// compiled, started or judged.
type BrokenError struct {
	Bot Bot // which can only fail, or can't be judged
	err error
}

func (e *BrokenError) Error() string { return e.err.Error() }

func (e *BrokenError) Unwrap() error { return e.err }

// mostWords is the most bytes of a compiler's output that a broken bot keeps.
const mostWords = 4 << 10

// clipped cuts a compiler's words at a line.
func clipped(text string) string {
	if len(text) <= mostWords {
		return text
	}
	text = text[:mostWords]
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	return strings.ToValidUTF8(text, "") + "\n…"
}
