package program

import (
	"os"
	"path/filepath"
	"testing"

	"umpire/referee/program/build"
)

// TestMissingSource: a source is said to be missing only where its interpreter is certain to
// open it here.
func TestMissingSource(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "here.py"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	languages, err := build.LoadLanguages(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b := Resolver{Builder: &build.Builder{Languages: languages}}
	for line, want := range map[string]string{
		"python3 my.py":               "my.py",
		"python3 -O -u bots/my.py 7":  "bots/my.py",
		"node --stack-size=9 a.js":    "a.js",
		"bash run.sh here.py":         "run.sh",
		"nice python3 my.py":          "my.py",
		"env A=1 B=2 python3 my.py":   "my.py",
		"timeout 5 env python3 my.py": "my.py",

		"python3 here.py log.py": "",
		"python3":                "",
		"env":                    "",
		"timeout 5":              "",
		"docker run -i --rm img python3 /bot/my.py":       "",
		"ssh host python3 /bot/my.py":                     "",
		"env -C bots python3 my.py":                       "",
		"env --chdir=bots python3 my.py":                  "",
		"./A=1 python3 my.py":                             "",
		`bash -lc "exec ./run.sh"`:                        "",
		`bash -ec "exec sh run.sh"`:                       "",
		"bash -lc run.sh":                                 "",
		"python3 -m mod log.py":                           "",
		`bash -c "python3 bot.py \$0" log.sh`:             "",
		"node --require a.js b.js":                        "",
		"python3 -W 'ignore my.py' here.py":               "",
		"timeout -k 1 5 python3 my.py":                    "",
		"nice -n 5 python3 my.py":                         "",
		"sudo -u bot python3 my.py":                       "",
		"firejail --private=/srv/bots -- python3 gone.py": "",
	} {
		args, err := build.SplitWords(line)
		if err != nil {
			t.Fatal(err)
		}
		if found := b.missingSource(Entrant{}, args); found != want {
			t.Errorf("%s: found %q, expected %q", line, found, want)
		}
	}
}
