package remote

import (
	"bufio"
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
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// nameForm is the form of a player's name.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,32}$`)

// CheckName returns an error unless a player may have the name.
func CheckName(name string) error {
	if !nameForm.MatchString(name) || name == "." || name == ".." { // these are no parts of a URL's path
		return fmt.Errorf("player's name: found %q, expected 1 to 32 letters, digits, dots, underscores or hyphens", name)
	}
	return nil
}

// PersonKey is the name under which a person has a key: no player's.
func PersonKey(name string) string { return Human + ":" + name }

// checkOwner returns an error unless a player or a person can have a key under the name.
func checkOwner(name string) error { return CheckName(strings.TrimPrefix(name, PersonKey(""))) }

// maxKeys is the most players that a file may have.
const maxKeys = 100_000

// Keys holds the players, and people under their names of PersonKey, with the hashes of
// their keys. It is safe for concurrent use.
type Keys struct {
	path string // "": kept in memory only
	mu   sync.Mutex
	list []keyHash
	read fs.FileInfo // the file as it was read or written last; nil: it was not there
}

type keyHash struct {
	name string
	sum  [sha256.Size]byte
}

// OpenKeys reads a players file, which need not exist yet; with path "" the
// players are kept in memory only. Each line of the file is a name, a space and
// the SHA-256 of a key in hexadecimal; blank lines and those that begin with #
// are ignored.
func OpenKeys(path string) (*Keys, error) {
	k := &Keys{path: path}
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
func (k *Keys) load() error {
	f, err := os.Open(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		k.list, k.read = nil, nil
		return nil
	}
	if err != nil {
		return fmt.Errorf("read players: %w", err)
	}
	defer f.Close()
	read, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read players: %w", err)
	}
	var list []keyHash
	known := make(map[string]bool)
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(in.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		one, err := parseKey(line)
		switch {
		case err != nil:
		case known[one.name]:
			err = fmt.Errorf("found %s a second time", one.name)
		case len(list) == maxKeys:
			err = fmt.Errorf("found more than %d players", maxKeys)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", k.path, n, err)
		}
		known[one.name] = true
		list = append(list, one)
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("read players: %w", err)
	}
	k.list, k.read = list, read
	return nil
}

// refresh reads the file again if another program has changed it. A file that
// can't be read changes nothing.
func (k *Keys) refresh() error {
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

func parseKey(line string) (keyHash, error) {
	name, sum, _ := strings.Cut(line, " ")
	if err := checkOwner(name); err != nil {
		return keyHash{}, err
	}
	hash, err := hex.DecodeString(strings.TrimSpace(sum))
	if err != nil || len(hash) != sha256.Size {
		return keyHash{}, fmt.Errorf("found %q after the name, expected the SHA-256 of a key in %d hexadecimal digits", sum, 2*sha256.Size)
	}
	return keyHash{name, [sha256.Size]byte(hash)}, nil
}

func (k *Keys) index(name string) int {
	return slices.IndexFunc(k.list, func(h keyHash) bool { return h.name == name })
}

// ErrKnown is wrapped by the error of adding a player that exists, and
// ErrUnknown by that of removing one that does not.
var (
	ErrKnown   = errors.New("has a key already")
	ErrUnknown = errors.New("is not a player")
)

// Add adds a player and returns its key, which is stored nowhere.
func (k *Keys) Add(name string) (key string, err error) {
	if err := checkOwner(name); err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	unlock, err := k.lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	if err := k.refresh(); err != nil {
		return "", err
	}
	switch {
	case k.index(name) >= 0:
		return "", fmt.Errorf("%s %w", name, ErrKnown)
	case len(k.list) == maxKeys:
		return "", fmt.Errorf("found %d players, which is the most there may be", maxKeys)
	}
	key = rand.Text()
	with := append(slices.Clone(k.list), keyHash{name, sha256.Sum256([]byte(key))})
	if err := k.write(with); err != nil {
		return "", err
	}
	k.list = with
	return key, nil
}

// Remove removes a player: its key is not accepted from then on.
func (k *Keys) Remove(name string) error {
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
	i := k.index(name)
	if i < 0 {
		return fmt.Errorf("%s %w", name, ErrUnknown)
	}
	without := slices.Delete(slices.Clone(k.list), i, i+1)
	if err := k.write(without); err != nil {
		return err
	}
	k.list = without
	return nil
}

// Names lists the players, sorted.
func (k *Keys) Names() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh()
	names := make([]string, len(k.list))
	for i, h := range k.list {
		names[i] = h.name
	}
	slices.Sort(names)
	return names
}

// Has reports whether a player has a key.
func (k *Keys) Has(name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh()
	return k.index(name) >= 0
}

// Find returns the player that has a key; ok is false if none has. How long it
// takes does not depend on how much of a key is right, nor on whose it is.
func (k *Keys) Find(key string) (name string, ok bool) {
	sum := sha256.Sum256([]byte(key))
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.refresh()
	found := -1
	for i := range k.list {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], k.list[i].sum[:]), i, found)
	}
	if found < 0 {
		return "", false
	}
	return k.list[found].name, true
}

// lock keeps other programs from changing the file until unlock is called, as
// what they have written since it was read would be lost. The folder is locked,
// since the file itself is replaced.
func (k *Keys) lock() (unlock func(), err error) {
	if k.path == "" {
		return func() {}, nil
	}
	f, err := os.Open(filepath.Dir(k.path))
	if err != nil {
		return nil, fmt.Errorf("write players: %w", err)
	}
	for {
		switch err = unix.Flock(int(f.Fd()), unix.LOCK_EX); err {
		case unix.EINTR:
			continue
		case nil, unix.ENOLCK, unix.ENOTSUP: // not every file system has locks
			return func() { f.Close() }, nil
		}
		f.Close()
		return nil, fmt.Errorf("lock players: %w", err)
	}
}

// write replaces the file, which only its owner may read.
func (k *Keys) write(list []keyHash) error {
	if k.path == "" {
		return nil
	}
	var text bytes.Buffer
	for _, h := range list {
		fmt.Fprintf(&text, "%s %x\n", h.name, h.sum)
	}
	f, err := os.CreateTemp(filepath.Dir(k.path), ".players-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write players: %w", err)
	}
	_, err = f.Write(text.Bytes())
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), k.path)
	}
	if err == nil {
		k.read, err = os.Stat(k.path)
	} else {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	if err != nil {
		return fmt.Errorf("write players: %w", err)
	}
	return nil
}
