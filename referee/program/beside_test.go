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
