package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBeside: what a text names as missing is found beside the bot's file, and not the file itself,
// what lies nowhere, what lies elsewhere, or what is named otherwise.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bot.py", "book.txt", "myh.py", "solver.h", "Bot.java", "Helper.java", "MyH.pm", "bot.rs", "helper.rs", "bot.mjs", "lib/x.py", "exe"} {
		path := filepath.Join(dir, name)
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, nil, 0o600) != nil {
			t.Fatal(path)
		}
	}
	for _, test := range []struct{ bot, text, want string }{
		{"bot.py", "ModuleNotFoundError: No module named 'myh'", "myh.py"},
		{"bot.py", "ModuleNotFoundError: No module named 'lib'", "lib"},
		{"bot.py", "ModuleNotFoundError: No module named 'numpy'", ""},
		{"bot.py", "ModuleNotFoundError: No module named 'bot.x'; 'bot' is not a package", ""},
		{"bot.py", "ModuleNotFoundError: No module named 'bot'", ""},
		{"bot.py", "ImportError: cannot import name 'f' from 'myh' (myh.py)", ""},
		{"bot.py", "FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'", "book.txt"},
		{"bot.py", "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/book.txt'", ""},
		{"bot.py", "FileNotFoundError: [Errno 2] No such file or directory: '../bot.py'", ""},
		{"bot.py", "no book.txt today", ""},
		{"python3 bot.py", "ModuleNotFoundError: No module named 'myh'", "myh.py"},
		{"exe", "ModuleNotFoundError: No module named 'myh'", "myh.py"},
		{"bot.c", "cat: book.txt: No such file or directory", ""}, // the bot is not there
		{"bot.mjs", "Error: Cannot find module './helper.rs'", "helper.rs"},
		{"bot.mjs", "Error: ENOENT: no such file or directory, open 'book.txt'", "book.txt"},
		{"bot.rs", "error[E0583]: file not found for module `helper`", "helper.rs"},
		{"bot.rs", "bot.c:6:10: fatal error: solver.h: No such file or directory", "solver.h"},
		{"bot.rs", "bot.c:6:10: fatal error: 'solver.h' file not found", "solver.h"},
		{"bot.rs", "Can't locate MyH.pm in @INC (you may need to install the MyH module)", "MyH.pm"},
		{"Bot.java", "error: cannot find symbol\n  symbol:   variable Helper\n  location: class Bot", "Helper.java"},
		{"Bot.java", "error: package lib does not exist", "lib"},
		{"Bot.java", "java.io.FileNotFoundException: book.txt (No such file or directory)", "book.txt"},
		{"lib", "cat: x.py: No such file or directory", ""},
	} {
		got := ParseEntrant(dir, test.bot).Beside(test.text)
		if !strings.Contains(got, "such as "+test.want+",") && test.want != "" || (got == "") != (test.want == "") {
			t.Errorf("%s: %s: found %q, expected %q", test.bot, test.text, got, test.want)
		}
	}
}

// TestDefinedBeside: what a compiler finds undefined is in a source beside the bot's own, not in
// another language's, another program's or a test, nor where it is only declared, called or static.
func TestDefinedBeside(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"bot.go": "package main", "bot.c": "", "bot.cpp": "", "bot.cs": "", "big.c": "int big(void) {}" + strings.Repeat("\n", 1<<20),
		"other.go":    "package main\n\nfunc pick() {}\n\ntype Only struct{}\n\nfunc main() { pick() }\n",
		"pick.go":     "package main\n\nfunc pick[T any](n T) T { return n }\n\ntype Board [9]int\n",
		"bot_test.go": "package main\n\nfunc check() {}\n",
		"other.c":     "int alone(void) { return 1; }\nint main(void) { return alone(); }\n",
		"help.c":      "#include <x.h>\nint declared(int);\n// int noted(int n) {}\nstatic int inner(int n) { return n; }\nint *\nhelp(int n, int (*f)(int))\n{\n  if (n) return called(n);\n  else { return 1; }\n}\n",
		"ai.cpp":      "namespace ai { struct S { int f(); S(); }; int help(int n) { return n; } int S::f() { return 1; } }\n",
		"Tools.cs":    "public static class Tool {}\n  internal sealed class Helper { } // class Noted\n",
		"Other.cs":    "class Alone { }\nclass P { static async Task<int> Main(string[] a) { return 1; } static void Main() {} }",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ bot, text, want string }{
		{"bot.go", "./bot.go:6:14: undefined: pick\n./bot.go:9:1: too many errors", "pick.go"},
		{"bot.go", "./bot.go:6:14: undefined: Board", "pick.go"},
		{"bot.go", "./bot.go:6:14: undefined: Only", ""},
		{"bot.go", "./bot.go:6:14: undefined: check", ""},
		{"bot.go", "./bot.go:6:14: undefined: strings.pick", ""},
		{"bot.go", "./bot.go:6:14: undefined: help", ""},
		{"bot.c", "/usr/bin/ld: bot.c:(.text+0xd): undefined reference to `help'", "help.c"},
		{"bot.c", "ld.lld: error: undefined symbol: help", "help.c"},
		{"bot.c", "undefined reference to `declared'\nundefined reference to `called'\nundefined reference to `noted'", ""},
		{"bot.c", "undefined reference to `inner'\nundefined reference to `alone'\nundefined reference to `big'", ""},
		{"bot.cpp", "undefined reference to `ai::help(int)'", "ai.cpp"},
		{"bot.cpp", "undefined reference to `ai::S::f()'", "ai.cpp"},
		{"bot.cpp", "undefined reference to `ai::S::S()'", ""},
		{"bot.cs", "Bot.cs(1,81): error CS0103: The name `Tool' does not exist in the current context", "Tools.cs"},
		{"bot.cs", "error CS0246: The type or namespace name 'Helper' could not be found (are you missing a using", "Tools.cs"},
		{"bot.cs", "error CS0246: The type or namespace name 'Noted' could not be found", ""},
		{"bot.cs", "error CS0246: The type or namespace name 'Alone' could not be found", ""},
		{"bot.rs", "undefined reference to `help'", ""},
	} {
		got := ParseEntrant(dir, test.bot).definedBeside(test.text)
		if !strings.Contains(got, "such as "+test.want+",") && test.want != "" || (got == "") != (test.want == "") {
			t.Errorf("%s: %s: found %q, expected %q", test.bot, test.text, got, test.want)
		}
	}
}
