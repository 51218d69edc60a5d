package problem

import (
	"io/fs"
	"testing"

	"umpire/referee/interaction"
)

// TestCaseSet: the set is made once, however many of its files are opened.
func TestCaseSet(t *testing.T) {
	p := New(t.TempDir(), interaction.Kattis)
	p.Cases = []Case{{Name: "secret/group/1"}, {Name: "sample/1"}}
	set, err := p.CaseSet()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secret/group-1.txt", "sample/1.txt"} {
		if _, err := fs.Stat(set, name); err != nil {
			t.Error(err)
		}
	}
	if again, _ := p.CaseSet(); again != set {
		t.Error("found another set the second time")
	}
}
