package build

import (
	"strings"
	"testing"
)

// TestByHand: a person compiles and runs by the commands of a system.
func TestByHand(t *testing.T) {
	table, err := parse("languages.yaml", builtin, nil)
	must(t, err)
	dotnet := Language{Name: ".NET", Suffixes: []string{".net"}, Compile: "dotnet build -o {out} {source}", Run: "{out}/bot.exe"}
	table = append(table, dotnet)
	for _, c := range []struct{ system, file, compile, run string }{
		{"linux", "bot.cpp", "g++ -std=gnu++20 -O2 -pthread -o bot bot.cpp", "./bot"},
		{"linux", "Bot.java", "javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -proc:none -encoding UTF-8 -d Bot Bot.java", "java -XX:+UseSerialGC -XX:-UsePerfData -Xss64m -cp Bot Bot"},
		{"linux", "bot.cs", "mcs -optimize+ -out:bot.exe bot.cs", "mono bot.exe"},
		{"linux", "bot.py", "", "python3 bot.py"},
		{"linux", "bot.js", "", "node bot.js"},
		{"windows", "bot.go", "go build -buildmode=exe -o bot.exe bot.go", `.\bot.exe`},
		{"windows", "bot.c", "gcc -std=gnu17 -O2 -pthread -o bot.exe bot.c -lm", `.\bot.exe`},
		{"windows", "bot.rs", "rustc --edition 2021 -O -o bot.exe bot.rs", `.\bot.exe`},
		{"windows", "bot.cs", "mcs -optimize+ -out:bot.exe bot.cs", "mono bot.exe"},
		{"windows", "bot.net", "dotnet build -o bot bot.net", `.\bot\bot.exe`},
		{"windows", "bot.js", "", "node bot.js"},
	} {
		l, ok := table.ForFile(c.file)
		if !ok {
			t.Errorf("%s: found no row", c.file)
			continue
		}
		compile, run := l.byHandOn(c.system, c.file)
		if got := strings.Join(compile, " "); got != c.compile {
			t.Errorf("%s is compiled by %q, want %q", c.file, got, c.compile)
		}
		if got := strings.Join(run, " "); got != c.run {
			t.Errorf("%s is run by %q, want %q", c.file, got, c.run)
		}
	}
	if _, ok := table.ForFile("bot.txt"); ok {
		t.Error("found a row for bot.txt")
	}
}

// TestForFile checks that of several rows for a suffix the one that can be used
// is taken, and the first where none can.
func TestForFile(t *testing.T) {
	table := Languages{
		{Name: "absent", Suffixes: []string{".x"}, Run: "no-such-tool {source}"},
		{Name: "shell", Suffixes: []string{".x"}, Run: "sh {source}"},
		{Name: "gone", Suffixes: []string{".y"}, Run: "no-such-tool {source}"},
		{Name: "lost", Suffixes: []string{".y"}, Run: "no-such-tool-either {source}"},
	}
	for file, want := range map[string]string{"a.x": "shell", "a.y": "gone"} {
		l, _ := table.ForFile(file)
		if l.Name != want {
			t.Errorf("%s: found row %q, want %q", file, l.Name, want)
		}
	}
	if got := table[0].Missing(); got != "no-such-tool" {
		t.Errorf("missing %q, want no-such-tool", got)
	}
	if got := table[1].Missing(); got != "" {
		t.Errorf("missing %q, want nothing", got)
	}
}
