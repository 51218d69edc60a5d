package cli_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

// TestNamesWithoutText names bots by files whose names are no UTF-8, and that
// would be written alike.
func TestNamesWithoutText(t *testing.T) {
	k := newKiller(t)
	args := []string{"tournament", "ioiwari", "--cases-per-pair", "1", "--isolation", "none", "--quiet", "--json", "-o", filepath.Join(k.dir, "run")}
	for _, name := range []string{"bot\xff", "bot\xfe"} {
		path := filepath.Join(k.dir, name)
		write(t, path, "#!/bin/sh\nexit 1 # "+name+"\n")
		args = append(args, path)
	}
	out, err := k.command(args...).Output()
	must(t, err)
	var result struct {
		Standings []struct{ Bot string }
	}
	must(t, json.Unmarshal(out, &result))
	var names []string
	for _, row := range result.Standings {
		names = append(names, row.Bot)
	}
	slices.Sort(names)
	if want := []string{"bot\ufffd", "bot\ufffd-2"}; !slices.Equal(names, want) {
		t.Errorf("the bots are called %q, expected %q", names, want)
	}
}
