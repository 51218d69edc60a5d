package build

import (
	"cmp"
	"context"
	"os/exec"
	"slices"

	"umpire/referee/pattern"
)

// checkSyntax has a row's check look at a source, unless it has accepted it before. By is
// the beginning of the command that will run the source, from the interpreter to
// its last option; nil: the row's own.
func (b *Builder) checkSyntax(ctx context.Context, s source, l Language, t tool, by []string) error {
	if l.Check == "" {
		return nil
	}
	args := fill(l.Check, map[string]string{"{source}": plain(s.main)})
	if by == nil && args[0] == l.interpreter() {
		by = []string{cmp.Or(t.real, t.path)}
	}
	if by != nil {
		args = slices.Concat(by, args[1:])
	}
	exact := s
	exact.single = false // its words name the file
	key := append([]string{"checked", exact.digest(), t.version}, args...)
	_, err := b.entry(ctx, Digest(key...), b.Use, func(dir string) error { return b.call(ctx, s, l, dir, args) })
	return err
}

// option matches an option of an interpreter that leaves it to run a file.
var option = pattern.New(`^-(\w|-[\w-]+(=.*)?)$`)

// checkBy checks a source that a command runs, if its beginning is the interpreter
// of the source's language, with nothing but options.
func (b *Builder) checkBy(ctx context.Context, s source, by []string) error {
	if len(by) == 0 || slices.ContainsFunc(by[1:], func(word string) bool { return !option().MatchString(word) }) {
		return nil
	}
	for _, l := range b.Languages.of(s.main) {
		if l.Compile != "" || !l.isCalledBy(by[0]) {
			continue
		}
		path, err := exec.LookPath(by[0])
		t, lack := b.tool(ctx, l)
		if err != nil || lack != nil {
			return nil // that it can't be started is found elsewhere
		}
		if by[0] == l.interpreter() && t.real != "" {
			path = t.real
		}
		return b.checkSyntax(ctx, s, l, t, append([]string{path}, by[1:]...))
	}
	return nil
}
