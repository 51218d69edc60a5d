package record

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee/interaction"
)

// maxPlainTalk is the most bytes of what a judge said that are kept as they are.
const maxPlainTalk = 64 << 10

// setTalk stores what a judge said, compressed if it is long or not UTF-8.
func (r *Record) setTalk(talk string) {
	r.Talk, r.TalkGzip = talk, ""
	if len(talk) > maxPlainTalk || !utf8.ValidString(talk) {
		r.Talk, r.TalkGzip = "", pack(talk)
	}
}

// Said returns what the judge said; "" if there was none.
func (r Record) Said() (string, error) {
	if r.TalkGzip == "" {
		return r.Talk, nil
	}
	said, err := unpack(r.TalkGzip, maxTalk)
	if err != nil {
		return "", fmt.Errorf("talk_gzip: %w", err)
	}
	return said, nil
}

// told returns the game of the record's package, and the case with what its judge
// said.
func (r Record) told() (protocols.Game, protocols.Case, error) {
	if r.IsRelayed() {
		c, err := interaction.ParseCase(r.Case.Text)
		return r.Package.Game(r.Game), c, err
	}
	said, err := r.Said()
	if err != nil {
		return protocols.Game{}, nil, err
	}
	c, err := r.Package.Facts.Told(r.Case.Text, said)
	if err != nil {
		return protocols.Game{}, nil, fmt.Errorf("package.facts: %w", err)
	}
	g := r.Package.Game(r.Game)
	g.Analysis = r.Package.Facts.Analysis(said)
	return g, c, nil
}

// JudgeErrorPrefix begins the Error of a record whose match had no result since its judge
// failed.
const JudgeErrorPrefix = "judge: "

// maxTalk is the most bytes that a judge's talk may unpack to.
const maxTalk = 32 << 20

// Game returns the game of a name that the package is.
func (p *Package) Game(name string) protocols.Game {
	if p.Format != FormatUmpire {
		return interaction.Game(name, cmp.Or(p.Facts.Title, name))
	}
	return p.Facts.Game(name)
}

// SameGame reports whether records are of a game that others are of: a package whose
// files have changed is another game.
func SameGame(name string, p *Package, other string, q *Package) bool {
	return name == other && (p == nil) == (q == nil) && (p == nil || p.Digest == q.Digest)
}

// Contradicts returns an error that names a fact in which a package is unlike another of the same
// digest, which where has; not what the game is called, and of how it scores submissions only
// if that is asked: the author may change these in files of the same digest.
func (p *Package) Contradicts(q *Package, where string, scored bool) error {
	if p == q || p == nil || q == nil || p.Digest != q.Digest || p.Facts == q.Facts {
		return nil
	}
	found, want := reflect.ValueOf(p.Facts), reflect.ValueOf(q.Facts)
	for i := range found.NumField() {
		name, _, _ := strings.Cut(found.Type().Field(i).Tag.Get("json"), ",")
		one, other := found.Field(i).Interface(), want.Field(i).Interface()
		if one == other || name == "title" || !scored && (name == "formula" || name == "submission") {
			continue
		}
		return fmt.Errorf("package.facts.%s: found %#v, %s has %#v", name, one, where, other)
	}
	return nil
}

// DescribeGame names a game where it may be taken for another.
func DescribeGame(name string, p *Package) string {
	if p == nil {
		return name
	}
	return fmt.Sprintf("%s (package %.8s)", name, p.Digest)
}
