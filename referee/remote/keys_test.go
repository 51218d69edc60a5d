package remote_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"umpire/referee/remote"
)

func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "players")
	keys, err := remote.OpenKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	alice, err := keys.Add("alice")
	if err != nil {
		t.Fatal(err)
	}
	bob, err := keys.Add("bob.2_x-Y")
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
	if _, err := keys.Add("alice"); err == nil {
		t.Error("alice got a second key")
	}
	again, err := remote.OpenKeys(path)
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
	if _, ok := keys.Find(alice); ok {
		t.Error("alice's key is accepted by a program that had the file open")
	}
	if _, err := keys.Add("carol"); err != nil || !again.Has("carol") || keys.Has("alice") {
		t.Error("changes are lost")
	}
	if _, ok := again.Find(alice); ok || again.Has("alice") || !again.Has("bob.2_x-Y") {
		t.Error("alice is still a player")
	}
	if err := again.Remove("alice"); err == nil {
		t.Error("alice was removed twice")
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
		if _, err := remote.OpenKeys(path); err == nil || !strings.Contains(err.Error(), want) {
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
		keys, err := remote.OpenKeys([]string{path, link}[i%2])
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for n := range each {
				name := fmt.Sprintf("p%d.%d", i, n)
				key, err := keys.Add(name)
				if err != nil {
					t.Error(err)
				}
				added <- [2]string{name, key}
			}
		})
	}
	group.Wait()
	close(added)
	all, err := remote.OpenKeys(path)
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
