// Package conformance plays the game of a folder in all the ways that its judge has to
// withstand, and says what is wrong with the folder. Its players are functions, but for
// the folder's own bots. It knows nothing of commands.
package conformance

import (
	"context"
	"errors"
)

// Run runs all parts, and reports whether nothing is wrong. After one in which a judge
// erred no other is run. An error is umpire's, or that of ctx.
func (s *Suite) Run(ctx context.Context) (ok bool, err error) {
	s.game, ok = s.Folder.Game(), true
	for _, part := range []struct {
		name string
		run  func(context.Context, *Part) error
	}{
		{"cases", s.cases}, {"generate", s.generate}, {"bots", s.bots}, {"play", s.play}, {"pictures", s.pictures}, {"failures", s.failures}, {"rules", s.rules},
	} {
		if part.name == "generate" && s.Folder.Generate == "" {
			continue
		}
		p := Part{Name: part.name}
		if err := part.run(ctx, &p); err != nil {
			wrong, isFinding := errors.AsType[*Finding](err)
			if !isFinding || ctx.Err() != nil {
				return false, err
			}
			p.Wrong, p.Did, ok = wrong, "", false
		}
		s.Told(p)
		if p.Wrong != nil && (p.Wrong.judge || part.name == "cases") {
			return false, nil
		}
	}
	return ok, nil
}
