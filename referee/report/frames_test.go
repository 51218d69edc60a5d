package report

import (
	"slices"
	"strings"
	"testing"
)

// TestOwnLines: what an author can use of each runtime's traces stays, and what
// lies inside the runtime goes.
func TestOwnLines(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"Node, thrown": {
			"/bot/a.js:2\nfunction f(){ throw new Error(\"boom\"); }\n              ^\n\nError: boom\n    at f (/bot/a.js:2:21)\n" +
				"    at Object.<anonymous> (/bot/a.js:3:1)\n    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n" +
				"    at node:internal/main/run_main_module:28:49\n\nNode.js v20.20.2\n",
			"/bot/a.js:2\nfunction f(){ throw new Error(\"boom\"); }\n              ^\n\nError: boom\n    at f (/bot/a.js:2:21)\n" +
				"    at Object.<anonymous> (/bot/a.js:3:1)\n",
		},
		"Node, no module": {
			"node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module './book'\nRequire stack:\n- /bot/a.js\n" +
				"    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)\n    at Object.<anonymous> (/bot/a.js:1:14) {\n" +
				"  code: 'MODULE_NOT_FOUND'\n}\n",
			"Error: Cannot find module './book'\nRequire stack:\n- /bot/a.js\n    at Object.<anonymous> (/bot/a.js:1:14) {\n" +
				"  code: 'MODULE_NOT_FOUND'\n}",
		},
		"Java": {
			"Exception in thread \"main\" java.util.NoSuchElementException: No line found\n\tat java.base/java.util.Scanner.nextLine(Scanner.java:1651)\n" +
				"\tat Bot.main(Bot.java:6)\n\tat java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)\n" +
				"\tat java.base/java.lang.reflect.Method.invoke(Method.java:580)\n\tat jdk.compiler/com.sun.tools.javac.launcher.Main.execute(Main.java:484)\n",
			"Exception in thread \"main\" java.util.NoSuchElementException: No line found\n\tat java.base/java.util.Scanner.nextLine(Scanner.java:1651)\n" +
				"\tat Bot.main(Bot.java:6)",
		},
		"Python": {
			"Traceback (most recent call last):\n  File \"<frozen runpy>\", line 198, in _run_module_as_main\n  File \"<frozen runpy>\", line 88, in _run_code\n" +
				"  File \"/usr/lib/python3.9/runpy.py\", line 87, in _run_code\n    exec(code, run_globals)\n" +
				"  File \"/bot/a.py\", line 1, in <module>\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\n",
			"Traceback (most recent call last):\n  File \"/bot/a.py\", line 1, in <module>\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero",
		},
		"Go": {
			"panic: boom\n\ngoroutine 1 [running]:\npanic({0x1?, 0x2?})\n\t/usr/local/go/src/runtime/panic.go:785 +0x132\nmain.main()\n\t/bot/a.go:4 +0x25\n",
			"panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/bot/a.go:4 +0x25",
		},
		"C#": {
			"System.Exception: boom\n  at Bot.Main () [0x00000] in <1>:0 \n  at (wrapper runtime-invoke) object.Invoke (int)\n",
			"System.Exception: boom\n  at Bot.Main () [0x00000] in <1>:0 ",
		},
		"anything else": {"at node 3\nFile \"x\"\n\nend", "at node 3\nFile \"x\"\n\nend"},
	} {
		if got := strings.Join(ownLines(test.text), "\n"); got != test.want {
			t.Errorf("%s: got\n%s\nexpected\n%s", name, got, test.want)
		}
	}
}

func TestAbridge(t *testing.T) {
	for _, test := range []struct {
		lines, most int
		want        string
	}{
		{3, 4, "a b c"}, {5, 4, "a b c d e"}, {6, 4, "a b … 2 lines left out … e f"},
	} {
		lines := strings.Split("abcdef"[:test.lines], "")
		if got := strings.Join(abridge(slices.Clone(lines), test.most, false), " "); got != test.want {
			t.Errorf("%d lines to %d: got %q, expected %q", test.lines, test.most, got, test.want)
		}
	}
}
