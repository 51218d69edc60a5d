package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"umpire/referee"
)

func TestToolchain(t *testing.T) {
	top := publicDir(t)
	for path, text := range map[string]string{
		"home/.pyenv/shims/python3":   "#!/bin/sh\n",
		"home/.cargo/bin/rustc":       "\x7fELF",
		"home/.rustup/settings":       "",
		"opt/jdk/bin/java":            "\x7fELF",
		"bots/alice.py":               "#!" + top + "/home/.pyenv/shims/python3\n",
		"bots/plain":                  "\x7fELF",
		"home/.nvm/versions/bin/node": "\x7fELF",
	} {
		must(t, os.MkdirAll(filepath.Join(top, filepath.Dir(path)), 0o755))
		must(t, os.WriteFile(filepath.Join(top, path), []byte(text), 0o755))
	}
	for path, want := range map[string][]string{
		"/bin/sh":                            nil,
		top + "/home/.pyenv/shims/python3":   {top + "/home/.pyenv"},
		top + "/home/.cargo/bin/rustc":       {top + "/home/.cargo", top + "/home/.rustup"},
		top + "/opt/jdk/bin/java":            {top + "/opt/jdk"},
		top + "/bots/alice.py":               {top + "/bots/alice.py"}, // its first line gives it nothing
		top + "/bots/plain":                  {top + "/bots/plain"},
		top + "/home/.nvm/versions/bin/node": {top + "/home/.nvm"},
	} {
		if got := Toolchain(path); !slices.Equal(got, want) {
			t.Errorf("%s needs %v, expected %v", path, got, want)
		}
	}
}

// TestGiven checks what a program sees of what it was given.
func TestGiven(t *testing.T) {
	atEachLevel(t, levels()[1:], func(t *testing.T, l Launcher) {
		top := publicDir(t)
		// Closed to other users, as a bot of root's may be.
		mode := os.FileMode(0o600)
		if thisMachine().privileges.ownUIDs && thisMachine().privileges.userNamespaced() {
			mode = 0o644 // which root without CAP_SYS_ADMIN can't open to another user
		}
		for _, dir := range []string{"read", "write", "hidden"} {
			must(t, os.Mkdir(top+"/"+dir, 0o755))
			must(t, os.WriteFile(top+"/"+dir+"/file", []byte(dir), mode))
		}
		c := command(t, "sh", "-c", "cat read/file write/file hidden/file; echo new > write/new; echo new > read/new; pwd")
		c.Dir, c.Read, c.Write = top, []string{top + "/read", top + "/write"}, []string{top + "/write"}
		o := run(t, l, c, "")
		if o.out != "readwrite"+top+"\n" {
			t.Errorf("%q, %s", o.out, o.err)
		}
		if text, _ := os.ReadFile(top + "/write/new"); string(text) != "new\n" {
			t.Errorf("write/new is %q", text)
		}
		if _, err := os.Stat(top + "/read/new"); err == nil {
			t.Error("read/new was made")
		}
		for _, path := range []string{"/", "/tmp", top + "/absent", "."} {
			c.Read = []string{path}
			if _, err := try(l, c, ""); l.Level() != referee.LevelBasic && err == nil {
				t.Errorf("%s was given", path)
			}
		}
	})
}

// TestModesAreKept runs what changes the mode of a file of umpire's user that it
// may read, as a compiler could do with those around the source.
func TestModesAreKept(t *testing.T) {
	atEachLevel(t, levels()[1:], func(t *testing.T, l Launcher) {
		top := publicDir(t)
		must(t, os.WriteFile(top+"/file", nil, 0o640))
		if err := os.Chmod(top+"/file", 0o640); err != nil { // whatever the mask of new files
			t.Fatal(err)
		}
		must(t, os.Mkdir(top+"/write", 0o777))
		for _, write := range [][]string{nil, {top + "/write"}} {
			c := command(t, "sh", "-c", "chmod 777 file; touch -t 200001010000 file")
			c.Dir, c.Read, c.Write = top, []string{top}, write
			run(t, l, c, "")
			info, err := os.Stat(top + "/file")
			if err != nil || info.Mode() != 0o640 || info.ModTime().Year() == 2000 {
				t.Errorf("write %v: %v %v, %v", write, info.Mode(), info.ModTime(), err)
			}
		}
	})
}

// privateMaskEnv keeps the file mode mask of the test binary as it was started with.
const privateMaskEnv = "SANDBOX_TEST_PRIVATE_MASK"

// TestPrivateMask runs tests of what a program sees again, in an umpire that was
// started with a mask that lets nobody else read what it makes.
func TestPrivateMask(t *testing.T) {
	exe, err := os.Executable()
	must(t, err)
	const again = `umask 077; ` + privateMaskEnv + `=1 exec "$0" -test.timeout "$1" -test.run '^(TestGiven|TestOutput|TestCellSeesFilesAnew)$'`
	if out, err := exec.Command("/bin/sh", "-c", again, exe, insideTimeout(t).String()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
