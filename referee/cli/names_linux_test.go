package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestNamesWithoutText names bots by files whose names are no UTF-8, and that
// would be written alike.
func TestNamesWithoutText(t *testing.T) {
	k := killer{t: t, dir: t.TempDir()}
	k.umpire = link(t, os.Args[0], filepath.Join(k.dir, "umpire"))
	args := []string{"tournament", "ioiwari", "--cases-per-pair", "1", "--isolation", "none", "--quiet", "--json", "-o", filepath.Join(k.dir, "run")}
	for _, name := range []string{"bot\xff", "bot\xfe"} {
		path := filepath.Join(k.dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 1 # "+name+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	out, err := k.command(args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var result struct {
		Standings []struct{ Bot string }
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range result.Standings {
		names = append(names, row.Bot)
	}
	slices.Sort(names)
	if want := []string{"bot\ufffd", "bot\ufffd-2"}; !slices.Equal(names, want) {
		t.Errorf("the bots are called %q, expected %q", names, want)
	}
}
