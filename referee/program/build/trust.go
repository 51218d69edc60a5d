package build

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// Trust keeps builds apart that a contestant without isolation may have made or changed.
// Entries of the cache are named by a secret that all isolated runs share; a run without
// isolation removes it when it begins and when it ends, and never learns the next one. It
// is safe for concurrent use.
type Trust struct{ lost atomic.Bool }

// tokenFile holds the secret, beside the folder with the entries.
const tokenFile = "build.token"

// Lose makes all present builds untrusted: this run has no isolation.
func (t *Trust) Lose() {
	t.lost.Store(true)
	t.End()
}

// End makes untrusted what a run without isolation may have left.
func (t *Trust) End() {
	if dir, err := CacheDir(); err == nil && t.lost.Load() {
		_ = os.Remove(filepath.Join(dir, tokenFile))
	}
}

// Token returns the word that names the builds which this run may take.
func (t *Trust) Token() (string, error) {
	if t.lost.Load() {
		return "untrusted", nil
	}
	dir, err := CacheDir()
	if err != nil {
		return "", inCache(err)
	}
	path := filepath.Join(dir, tokenFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeToken(dir, path)
	}
	if err != nil {
		return "", inCache(err)
	}
	return string(text), nil
}

// makeToken returns the content of a file that it makes whole, unless another umpire has.
func makeToken(dir, path string) ([]byte, error) {
	file, err := os.CreateTemp(dir, tokenFile)
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(rand.Text())
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(path)
}
