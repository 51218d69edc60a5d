package program

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"umpire/referee/program/build"
)

func TestParseEntrant(t *testing.T) {
	for _, test := range [][4]string{
		{"alice=./alice.py", "alice", "./alice.py", KindPath},
		{"./a=b", "", "./a=b", KindPath},
		{"@greedy", "", "@greedy", KindBuiltIn},
		{"bob=@greedy", "bob", "@greedy", KindBuiltIn},
		{"x=y=z", "x", "y=z", KindPath},
		{"env A=1 ./bot", "", "env A=1 ./bot", KindCommand},
		{"sh a=entrant.go", "", "sh a=entrant.go", KindCommand},
		{"./entrant.go x=@greedy", "", "./entrant.go x=@greedy", KindCommand},
		{"anna smith=entrant.go", "anna smith", "entrant.go", KindPath},
		{"anna smith=@greedy", "anna smith", "@greedy", KindBuiltIn},
		{"anna smith=nobody.go", "", "anna smith=nobody.go", KindCommand},
		{"=x", "", "=x", KindPath},
		{"remote:alice", "", "remote:alice", KindRemote},
		{"me=human", "me", "human", KindHuman},
		{"remote", "", "remote", KindPath},
		{"program.go", "", "program.go", KindPath},
	} {
		if e := ParseEntrant("", test[0]); e.Name != test[1] || e.What != test[2] || e.Kind != test[3] {
			t.Errorf("%q: got %+v", test[0], e)
		}
	}
}

func TestDistinguish(t *testing.T) {
	bots := []Bot{{Name: "a"}, {Name: "a"}, {Name: "a-2"}, {Name: "b"}, {Name: "a"}}
	if renamed := UniqueNames(bots); len(renamed) != 3 {
		t.Errorf("got %d bots with another name, want 3", len(renamed))
	}
	var got []string
	for _, b := range bots {
		got = append(got, b.Name)
	}
	if want := []string{"a", "a-2", "a-2-2", "b", "a-3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCheckName: a bot that can't be played is called as others are, by a name whose
// accents are no characters of their own.
func TestCheckName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cafe\u0301")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := Resolver{Builder: new(build.Builder)}.Check(t.Context(), ParseEntrant("", path))
	broken, ok := errors.AsType[*BrokenError](err)
	if !ok || broken.Bot.Name != "caf\u00e9" {
		t.Errorf("got %+v, %v", broken, err)
	}
}
