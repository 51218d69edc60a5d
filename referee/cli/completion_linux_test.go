package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// TestShells completes command lines in real shells on a terminal: each line is
// typed, completed with the tab key, and then printed by the shell.
func TestShells(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // shells are slow to start
	t.Parallel()
	for shell, c := range map[string]struct {
		start []string
		setup string
	}{
		"bash": {[]string{"--norc", "--noprofile", "-i"}, "bind 'set enable-bracketed-paste off'; source <(umpire completion bash)"},
		"zsh":  {[]string{"-f", "-i"}, "bindkey -e; unsetopt zle_bracketed_paste; source <(umpire completion zsh)"},
		"fish": {[]string{"--no-config", "-i", "-C", "function fish_prompt; printf 'ready> '; end"}, "umpire completion fish | source"},
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed: its completion is not tested", shell)
			}
			s := newShell(t, path, c.start)
			s.until("ready> ")
			s.send(c.setup + "\n")
			s.until("ready> ")
			for typed, want := range map[string]string{
				"umpire tour":                                 "umpire tournament",
				"umpire test mensch-":                         "umpire test mensch-",
				"umpire test ioi":                             "umpire test ioiwari",
				"umpire test ./ali":                           "umpire test ./alice.py",
				"umpire compare ali":                          "umpire compare alice.py",
				"umpire test ioiwari @gr":                     "umpire test ioiwari @greedy",
				"umpire test ioiwari me=@op":                  "umpire test ioiwari me=@optimal",
				"umpire test vmukni @look":                    "umpire test vmukni @lookahead",
				"umpire test ioiwari ali":                     "umpire test ioiwari alice.py",
				"umpire test ioiwari me=ali":                  "umpire test ioiwari me=alice.py",
				"umpire test ioiwari @greedy --isol":          "umpire test ioiwari @greedy --isolation",
				"umpire match ioiwari --isolation st":         "umpire match ioiwari --isolation strict",
				"umpire tournament ioiwari --format kn":       "umpire tournament ioiwari --format knockout",
				"umpire tournament ioiwari --format=sw":       "umpire tournament ioiwari --format=swiss",
				"umpire score ioiwari --export mark":          "umpire score ioiwari --export markdown",
				"umpire test ioiwari --case official/2":       "umpire test ioiwari --case official/2",
				"umpire cases solitarschack --case 5/01 --js": "umpire cases solitarschack --case 5/01 --json",
				"umpire new ioiwari bot --lang ja":            "umpire new ioiwari bot --lang java",
				"umpire help stan":                            "umpire help standings",
				"umpire completion fi":                        "umpire completion fish",
				"umpire bot solitarschack/st":                 "umpire bot solitarschack/strong",
			} {
				if got := s.complete(typed); got != want {
					t.Errorf("%q is completed to %q, expected %q", typed, got, want)
				}
			}
		})
	}
}

// shell is an interactive shell on a terminal.
type shell struct {
	t        *testing.T
	terminal *os.File
	said     string
}

func newShell(t *testing.T, path string, args []string) *shell {
	t.Helper()
	k := newKiller(t)
	home := t.TempDir()
	write(t, filepath.Join(home, "alice.py"), "")
	cmd := k.command()
	cmd.Path, cmd.Args = path, append([]string{path}, args...)
	cmd.Dir = home
	cmd.Env = append(cmd.Env, "PATH="+k.dir+":"+os.Getenv("PATH"), "HOME="+home, "TERM=xterm", "PS1=ready> ", "LC_ALL=C.UTF-8", "INPUTRC=/dev/null")
	ours, theirs := openTerminal(t, 200)
	startOn(t, ours, theirs, cmd)
	return &shell{t: t, terminal: ours}
}

func (s *shell) send(text string) {
	s.t.Helper()
	if _, err := s.terminal.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// until reads up to a text, and returns what stands before it.
func (s *shell) until(text string) string {
	s.t.Helper()
	for {
		if before, after, ok := strings.Cut(s.said, text); ok {
			s.said = after
			return before
		}
		b := make([]byte, 4096)
		n, err := s.terminal.Read(b)
		if err != nil {
			s.t.Fatalf("%v: found no %q in %q", err, text, s.said)
		}
		s.said += string(b[:n])
	}
}

// complete types a line and a tab, and has the shell print the line that is
// there then.
func (s *shell) complete(typed string) string {
	s.t.Helper()
	s.send(typed + "\t")
	// The key before echo goes to the beginning of the line. What is typed is
	// not what is printed.
	s.send(" 'e''nd'\x01echo 'be''gin' \n")
	s.until("begin ")
	line := s.until("end")
	s.until("ready> ")
	return strings.TrimSpace(line)
}
