package keys_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"umpire/referee/keys"
)

func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "players")
	file, err := keys.Open(path, keys.Player)
	if err != nil {
		t.Fatal(err)
	}
	alice, err := file.Add("alice")
	if err != nil {
		t.Fatal(err)
	}
	bob, err := file.Add("bob.2_x-Y")
	if err != nil || alice == bob {
		t.Fatal(err, alice, bob)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), alice) || strings.Count(string(text), "\n") != 2 {
		t.Errorf("found file %q, error %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("found mode %v, error %v", info.Mode(), err)
	}
	if _, err := file.Add("alice"); err == nil {
		t.Error("alice got a second key")
	}
	again, err := keys.Open(path, keys.Player)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ key, name string }{{alice, "alice"}, {bob, "bob.2_x-Y"}, {alice + " ", ""}, {"", ""}, {alice[1:], ""}} {
		if name, ok := again.Find(test.key); name != test.name || ok != (name != "") {
			t.Errorf("key of %q: found %q", test.name, name)
		}
	}
	if err := again.Remove("alice"); err != nil {
		t.Error(err)
	}
	// What one program changes another notices, and keeps.
	if _, ok := file.Find(alice); ok {
		t.Error("alice's key is accepted by a program that had the file open")
	}
	if _, err := file.Add("carol"); err != nil || !again.Has("carol") || file.Has("alice") {
		t.Error("changes are lost")
	}
	if _, ok := again.Find(alice); ok || again.Has("alice") || !again.Has("bob.2_x-Y") {
		t.Error("alice is still a player")
	}
	if err := again.Remove("alice"); err == nil {
		t.Error("alice was removed twice")
	}
}

// A name whose key was revoked has none, and may get a new one. The old one stays revoked.
func TestRevoke(t *testing.T) {
	path := filepath.Join(t.TempDir(), "workers")
	file, err := keys.Open(path, keys.Worker)
	if err != nil {
		t.Fatal(err)
	}
	old, err := file.Add("lab")
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Revoke("lab"); err != nil {
		t.Fatal(err)
	}
	again, err := keys.Open(path, keys.Worker)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := again.Find(old); ok || again.Has("lab") || len(again.Names()) != 0 || !again.IsRevoked(keys.Hash(old)) {
		t.Errorf("found names %v, revoked %v", again.Names(), again.IsRevoked(keys.Hash(old)))
	}
	if err := again.Revoke("lab"); !errors.Is(err, keys.ErrUnknown) {
		t.Errorf("revoked again: found error %v", err)
	}
	renewed, err := again.Add("lab")
	if name, ok := file.Find(renewed); err != nil || !ok || name != "lab" || file.IsRevoked(keys.Hash(renewed)) {
		t.Errorf("found name %q of a new key, error %v", name, err)
	}
	if err := errors.Join(again.Remove("lab"), again.Remove("lab")); !errors.Is(err, keys.ErrUnknown) {
		t.Errorf("removed twice: found error %v", err)
	}
	if !file.IsRevoked(keys.Hash(old)) || file.IsRevoked(keys.Hash(renewed)) {
		t.Error("the old key is revoked no more, or the new one is")
	}
	if _, ok := file.Find(old); ok {
		t.Error("the old key is accepted again")
	}
}

// A players file that is not in its form is refused, with its line.
func TestBadKeys(t *testing.T) {
	sum := strings.Repeat("0f", 32)
	for text, want := range map[string]string{
		"alice " + sum + "\nalice " + sum:   ":2: found alice a second time",
		"# players\n\nalice":                ":3: found",
		"alice " + sum[2:]:                  ":1: found",
		"a/b " + sum:                        ":1: player's name",
		" " + sum + " alice":                ":1: player's name",
		strings.Repeat("a", 33) + " " + sum: ":1: player's name",
	} {
		path := filepath.Join(t.TempDir(), "players")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := keys.Open(path, keys.Player); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found error %v, expected %q", text, err, want)
		}
	}
}

// Programs that add players to a file at the same time lose none, whether they
// reach the file itself or by a link to it.
func TestKeysOfManyWriters(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "players"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("players", link); err != nil {
		t.Fatal(err)
	}
	const writers, each = 4, 5
	added := make(chan [2]string, writers*each)
	var group sync.WaitGroup
	for i := range writers {
		file, err := keys.Open([]string{path, link}[i%2], keys.Player)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for n := range each {
				name := fmt.Sprintf("p%d.%d", i, n)
				key, err := file.Add(name)
				if err != nil {
					t.Error(err)
				}
				added <- [2]string{name, key}
			}
		})
	}
	group.Wait()
	close(added)
	all, err := keys.Open(path, keys.Player)
	if err != nil {
		t.Fatal(err)
	}
	for a := range added {
		if name, _ := all.Find(a[1]); name != a[0] {
			t.Errorf("found %q with the key of %s", name, a[0])
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced by a file: found %v, error %v", info.Mode(), err)
	}
}
