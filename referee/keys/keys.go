// Package keys keeps files of names with the hashes of their keys: those of remote
// players and people, and those of workers.
package keys

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"umpire/referee/pattern"
	"umpire/referee/userfile"
)

// Same reports whether two secrets are the same, and there is one: in a time that does not
// depend on where they differ.
func Same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return b != "" && subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// nameForm is the form of a name.
var nameForm = pattern.New(`^[A-Za-z0-9._-]{1,32}$`)

// Kind is who has the keys of a file.
type Kind string

const (
	Player Kind = "player"
	Worker Kind = "worker"
	Run    Kind = "run" // of whoever may have runs at a server that outlives them
)

// human begins the names of people among the players.
const human = "human:"

// PersonKey is the name under which a person has a key: no player's.
func PersonKey(name string) string { return human + name }

// CheckName returns an error unless one of a kind may have the name.
func (k Kind) CheckName(name string) error {
	if !nameForm().MatchString(name) || name == "." || name == ".." { // these are no parts of a URL's path
		return fmt.Errorf("%s's name: found %q, expected 1 to 32 letters, digits, dots, underscores or hyphens", k, name)
	}
	return nil
}

// checkOwner returns an error unless a key may be kept under the name.
func (k Kind) checkOwner(name string) error {
	if k == Player {
		name = strings.TrimPrefix(name, human)
	}
	return k.CheckName(name)
}

// maxKeys is the most names that a file may have.
const maxKeys = 100_000

// File holds names, those of people in the form of PersonKey, with the hashes of their
// keys. It is safe for concurrent use.
type File struct {
	kind Kind
	path string // "": kept in memory only
	mu   sync.Mutex
	list []keyHash
	read fs.FileInfo // the file as it was read or written last; nil: it was not there
}

type keyHash struct {
	name    string
	sum     [sha256.Size]byte
	revoked bool // it is a key no more, and what was done with it does not count
}

// revoked follows the hash of a key that was revoked.
const revoked = " revoked"

// Hash is the SHA-256 of a key in hexadecimal.
func Hash(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// UserFile returns the file of the user's own workers, or runs; "" if the system does not
// say where the user's configuration is.
func (k Kind) UserFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "umpire", string(k)+"s")
}

// MakeUserFolder makes the folder of UserFile.
func (k Kind) MakeUserFolder() error { return os.MkdirAll(filepath.Dir(k.UserFile()), 0o700) }

// Open reads a file of keys, which need not exist yet; with path "" they are kept in
// memory only. Each line of the file is a name, a space and the SHA-256 of a key in
// hexadecimal, which "revoked" may follow; blank lines and those that begin with # are
// ignored.
func Open(path string, kind Kind) (*File, error) {
	k := &File{kind: kind, path: path}
	if path == "" {
		return k, nil
	}
	// A link stays one: it is the file behind it that is replaced.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		k.path = real
	}
	return k, k.load()
}

// load reads the file.
func (k *File) load() error {
	read, _ := os.Stat(k.path)
	text, err := os.ReadFile(k.path) // if it has changed since, refresh reads it again
	switch {
	case errors.Is(err, fs.ErrNotExist):
		k.list, k.read = nil, nil
		return nil
	case err != nil:
		return fmt.Errorf("read %ss: %w", k.kind, err)
	}
	var list []keyHash
	known := make(map[string]bool)
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		one, err := k.parse(line)
		switch {
		case err != nil || one.revoked:
		case known[one.name]:
			err = fmt.Errorf("found %s a second time", one.name)
		}
		if err == nil && len(list) == maxKeys {
			err = fmt.Errorf("found more than %d %ss", maxKeys, k.kind)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", k.path, n, err)
		}
		known[one.name] = known[one.name] || !one.revoked
		list = append(list, one)
	}
	k.list, k.read = list, read
	return nil
}

// refresh reads the file again if another program has changed it. A file that
// can't be read changes nothing.
func (k *File) refresh() error {
	if k.path == "" {
		return nil
	}
	switch now, err := os.Stat(k.path); {
	case err != nil && k.read == nil:
		return nil
	case err == nil && k.read != nil && os.SameFile(now, k.read) && now.ModTime().Equal(k.read.ModTime()) && now.Size() == k.read.Size():
		return nil
	}
	return k.load()
}

func (k *File) parse(line string) (keyHash, error) {
	name, sum, _ := strings.Cut(line, " ")
	if err := k.kind.checkOwner(name); err != nil {
		return keyHash{}, err
	}
	sum, isRevoked := strings.CutSuffix(sum, revoked)
	hash, err := hex.DecodeString(strings.TrimSpace(sum))
	if err != nil || len(hash) != sha256.Size {
		return keyHash{}, fmt.Errorf("found %q after the name, expected the SHA-256 of a key in %d hexadecimal digits", sum, 2*sha256.Size)
	}
	return keyHash{name: name, sum: [sha256.Size]byte(hash), revoked: isRevoked}, nil
}

// index returns the index of the key that a name has; -1 if it has none.
func (k *File) index(name string) int {
	return slices.IndexFunc(k.list, func(h keyHash) bool { return h.name == name && !h.revoked })
}

// ErrKnown is wrapped by the error of adding a name that has a key, and ErrUnknown by
// that of removing one that has none.
var (
	ErrKnown   = errors.New("has a key already")
	ErrUnknown = errors.New("has no key")
)

// Add adds a name and returns its key, which is stored nowhere.
func (k *File) Add(name string) (key string, err error) {
	if err := k.kind.checkOwner(name); err != nil {
		return "", err
	}
	key = rand.Text()
	return key, k.change(func(list []keyHash, i int) ([]keyHash, error) {
		switch {
		case i >= 0:
			return nil, fmt.Errorf("%s %w", name, ErrKnown)
		case len(list) == maxKeys:
			return nil, fmt.Errorf("found %d %ss, which is the most there may be", maxKeys, k.kind)
		}
		return append(list, keyHash{name: name, sum: sha256.Sum256([]byte(key))}), nil
	}, name)
}

// Remove removes a name: its key is not accepted from then on.
func (k *File) Remove(name string) error {
	return k.change(func(list []keyHash, i int) ([]keyHash, error) {
		if i < 0 {
			return nil, fmt.Errorf("%s %w", name, ErrUnknown)
		}
		return slices.Delete(list, i, i+1), nil
	}, name)
}

// Revoke removes a name's key, and notes that what was done with it does not count, also when
// the name has another key.
func (k *File) Revoke(name string) error {
	return k.change(func(list []keyHash, i int) ([]keyHash, error) {
		if i < 0 {
			return nil, fmt.Errorf("%s %w", name, ErrUnknown)
		}
		list[i].revoked = true
		return list, nil
	}, name)
}

// change changes a copy of the list, in which a name has an index or -1, and writes it.
func (k *File) change(to func(list []keyHash, i int) ([]keyHash, error), name string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	unlock, err := k.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := k.refresh(); err != nil {
		return err
	}
	list, err := to(slices.Clone(k.list), k.index(name))
	if err == nil {
		err = k.write(list)
	}
	if err == nil {
		k.list = list
	}
	return err
}

// Names lists those that have keys, sorted.
func (k *File) Names() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh()
	names := []string{}
	for _, h := range k.list {
		if !h.revoked {
			names = append(names, h.name)
		}
	}
	slices.Sort(names)
	return names
}

// Has reports whether a name has a key.
func (k *File) Has(name string) bool {
	_, has := k.Sum(name)
	return has
}

// Sum returns the SHA-256 of the key that a name has; has is false if it has none.
func (k *File) Sum(name string) (sum [sha256.Size]byte, has bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh()
	if i := k.index(name); i >= 0 {
		return k.list[i].sum, true
	}
	return sum, false
}

// IsRevoked reports whether the key with a Hash was revoked.
func (k *File) IsRevoked(hash string) bool {
	sum, err := hex.DecodeString(hash)
	if err != nil || len(sum) != sha256.Size {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh()
	return slices.ContainsFunc(k.list, func(h keyHash) bool { return h.revoked && h.sum == [sha256.Size]byte(sum) })
}

// Find returns the name that has a key; ok is false if none has. How long it
// takes does not depend on how much of a key is right, nor on whose it is.
func (k *File) Find(key string) (name string, ok bool) {
	sum := sha256.Sum256([]byte(key))
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh()
	found := -1
	for i := range k.list {
		if !k.list[i].revoked {
			found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], k.list[i].sum[:]), i, found)
		}
	}
	if found < 0 {
		return "", false
	}
	return k.list[found].name, true
}

// lock keeps other programs from changing the file until unlock is called.
func (k *File) lock() (unlock func(), err error) {
	if k.path == "" {
		return func() {}, nil
	}
	if unlock, err = userfile.Lock(k.path); err != nil {
		return nil, fmt.Errorf("write %ss: %w", k.kind, err)
	}
	return unlock, nil
}

// write replaces the file, which only its owner may read.
func (k *File) write(list []keyHash) error {
	if k.path == "" {
		return nil
	}
	var text bytes.Buffer
	for _, h := range list {
		sum := hex.EncodeToString(h.sum[:])
		if h.revoked {
			sum += revoked
		}
		fmt.Fprintf(&text, "%s %s\n", h.name, sum)
	}
	err := userfile.Replace(k.path, text.Bytes(), 0o600)
	if err == nil {
		k.read, err = os.Stat(k.path)
	}
	if err != nil {
		return fmt.Errorf("write %ss: %w", k.kind, err)
	}
	return nil
}
