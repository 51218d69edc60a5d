package kits

import (
	"bytes"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestKits: every kit has the files that its manifest and README name, and a helper of
// at most 60 lines.
func TestKits(t *testing.T) {
	named := regexp.MustCompile("`([A-Za-z/]+\\.(?:md|yaml|py|cpp|hpp|go|js|java))`|(?:judge|house|generate): (?:node |python3 )?(\\S+)|test \\. (\\S+)|@(\\w+)")
	for _, k := range Kits {
		list, err := k.Files("mine")
		if err != nil {
			t.Fatal(err)
		}
		files := make(map[string][]byte)
		for _, f := range list {
			files[f.Name] = f.Data
			if strings.HasPrefix(f.Name, "bots/") {
				files["@"+strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))] = f.Data
			}
		}
		for _, in := range []string{"umpire.yaml", "README.md"} {
			found := named.FindAllSubmatch(files[in], -1)
			if len(found) < 3 {
				t.Errorf("%s: found %q in %s", k.Lang, found, in)
			}
			for _, one := range found {
				name := string(bytes.Join(one[1:4], nil))
				if name == "" {
					name = "@" + string(one[4])
				}
				if len(files[name]) == 0 {
					t.Errorf("%s: %s names %q, which is not among the files", k.Lang, in, name)
				}
			}
		}
		if !bytes.Contains(files["umpire.yaml"], []byte("\ngame: mine\n")) {
			t.Errorf("%s: found no game mine in umpire.yaml", k.Lang)
		}
		if n := bytes.Count(files[k.helper], []byte("\n")); n > 60 {
			t.Errorf("%s: %s has %d lines, expected at most 60", k.Lang, k.helper, n)
		}
	}
}

// TestPythonJudge: the judge in Python has the lines of the guide's judge, in their order,
// and those that pick an opening and draw; examples have the same helper.
func TestPythonJudge(t *testing.T) {
	guide, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(guide), "    from umpire import")
	text, _, _ = strings.Cut("    from umpire import"+text, "\n\n")
	judge, err := files.ReadFile("py/judge.py")
	if err != nil {
		t.Fatal(err)
	}
	left := strings.Split(strings.TrimSpace(string(judge)), "\n")
	lines := strings.Split(text, "\n")
	if len(lines) != 13 {
		t.Errorf("found %d lines in the guide, expected 13", len(lines))
	}
	for _, line := range lines {
		at := slices.Index(left, strings.TrimPrefix(line, "    "))
		if at < 0 {
			t.Fatalf("found no line %q after those before", line)
		}
		left = left[at+1:]
	}
	helper, err := files.ReadFile("py/umpire.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range []string{"cards", "carts", "ioiwari", "lowest", "snakes"} {
		if other, err := os.ReadFile("../testdata/" + game + "/umpire.py"); err != nil || !bytes.Equal(other, helper) {
			t.Errorf("testdata/%s/umpire.py is another helper: %v", game, err)
		}
	}
}
