package external

import (
	"context"
	"errors"
	"fmt"

	"umpire/referee/program"
)

// Pack makes the package of what determines how matches go, for a machine that plays some
// elsewhere; judge is what Resolve has made of the folder.
func (f *Folder) Pack(ctx context.Context, judge program.Bot) (*program.Package, error) {
	p, err := judge.PackJudge(ctx, func(name string) bool { return name == ManifestFile || f.decides(name) })
	if err != nil {
		return nil, err
	}
	now, err := load(ctx, f.Dir)
	if err == nil && now.Digest != f.Digest {
		err = errors.New("it has changed since umpire read it")
	}
	return p, err
}

// Unpack reads the folder of a package, which must have a digest, and makes its judge.
func Unpack(ctx context.Context, r program.Resolver, dir, digest string, p *program.Package) (judge Judge, err error) {
	if dir, err = r.UnpackJudge(dir, p); err != nil {
		return judge, err
	}
	if judge.Folder, err = load(ctx, dir); err != nil {
		return judge, err
	}
	if judge.Folder.Digest != digest {
		return judge, fmt.Errorf("the game has the digest %s on this machine, expected %s", judge.Folder.Digest, digest)
	}
	judge.Bot, err = judge.Folder.Resolve(ctx, r)
	return judge, err
}
