package session

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"umpire/referee/cases"
	"umpire/referee/program/build"
)

// CaseSource reads cases: the standard ones, and others from this machine.
func (u *Umpire) CaseSource(ctx context.Context) cases.Source {
	read := func(name string) ([]byte, error) { return build.ReadFile(ctx, name) }
	return cases.Source{Standard: u.StandardCases(), ReadFile: read, Open: func(name string) (fs.FS, []byte, error) {
		info, err := os.Stat(name)
		if err != nil {
			return nil, nil, err
		}
		if info.IsDir() {
			return inputs{os.DirFS(name)}, nil, nil
		}
		text, err := read(name)
		return nil, text, err
	}}
}

// inputs is a folder whose files are checked to be regular and not too large to be
// read whole.
type inputs struct{ folder fs.FS }

func (i inputs) Open(name string) (fs.File, error) {
	info, err := fs.Stat(i.folder, name)
	if err == nil && !info.IsDir() && (!info.Mode().IsRegular() || info.Size() > build.MaxInput) {
		err = fmt.Errorf("%s: expected a regular file of at most %d MiB", name, build.MaxInput>>20)
	}
	if err != nil {
		return nil, err
	}
	return i.folder.Open(name)
}
