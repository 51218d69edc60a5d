package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"umpire/referee"
	"umpire/referee/testlevel"
)

// TestOutput lets a program change a folder that it was given.
func TestOutput(t *testing.T) {
	atEachLevel(t, levels()[1:], func(t *testing.T, l Launcher) {
		dir := filepath.Join(publicDir(t), "out")
		must(t, os.MkdirAll(dir+"/src/inner", 0o755), os.WriteFile(dir+"/src/a", []byte("old\n"), 0o644),
			os.WriteFile(dir+"/src/inner/run", []byte("#!/bin/sh\necho ran\n"), 0o755), os.Chmod(dir+"/src/inner/run", 0o755))
		for _, path := range []string{dir, dir + "/src", dir + "/src/inner", dir + "/src/a"} {
			must(t, os.Chown(path, os.Getuid(), os.Getgid()))
		}
		if l.Level() == referee.LevelBasic && os.Getuid() == 0 {
			must(t, os.Chmod(dir, 0o777), os.Chmod(dir+"/src", 0o777), os.Chmod(dir+"/src/a", 0o666))
		}
		c := command(t, "sh", "-c", "set -e; read old <a; echo new >a; inner/run; echo $old; mkdir -p ../bin/deep; "+
			"echo x >../bin/deep/bot; chmod 751 ../bin/deep/bot; echo y >../hidden; chmod 0 ../hidden; ln -s bin ../link; mkfifo ../pipe")
		c.Dir, c.Write = dir+"/src", []string{dir}
		if o := run(t, l, c, ""); o.exit.Status != 0 || o.out != "ran\nold\n" || o.exit.Err != nil || o.exit.OutOfDisk {
			t.Fatalf("%+v", o)
		}
		for path, want := range map[string]string{"src/a": "new\n", "bin/deep/bot": "x\n", "link/deep/bot": "x\n"} {
			if text, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(text) != want {
				t.Errorf("%s holds %q, %v", path, text, err)
			}
		}
		mode := fs.FileMode(0o751)
		if l.Level() == referee.LevelBasic {
			mode = 0o644 // where a program's chmod does nothing
		}
		if info, err := os.Stat(dir + "/bin/deep/bot"); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v, %v", info, err)
		}
		if _, err := os.Lstat(dir + "/hidden"); err != nil {
			t.Error(err)
		}
		if info, err := os.Lstat(dir + "/pipe"); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
			t.Errorf("found %v, %v, expected a FIFO", info, err)
		}
	})
}

// TestOutputAnyStatus: what a program has written is there whatever its exit status, if
// the command says so.
func TestOutputAnyStatus(t *testing.T) {
	atEachLevel(t, levels()[1:], func(t *testing.T, l Launcher) {
		for _, kept := range []bool{true, false} {
			dir := filepath.Join(publicDir(t), "out")
			must(t, os.MkdirAll(dir, 0o777), os.Chmod(dir, 0o777))
			c := command(t, "sh", "-c", "echo x >"+dir+"/file; exit 42")
			c.Write, c.AnyStatus = []string{dir}, kept
			if o := run(t, l, c, ""); o.exit.Status.ExitStatus() != 42 || o.exit.Err != nil {
				t.Fatalf("%+v", o)
			}
			if _, err := os.Stat(dir + "/file"); (err == nil) != kept && l.Level() != referee.LevelBasic {
				t.Errorf("AnyStatus %v: %v", kept, err)
			}
		}
	})
}

// TestOutputLimit lets a program write more into its folder than it may: from
// box on not a byte more comes to lie on the disk.
func TestOutputLimit(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	const disk = 4 << 20
	atEachLevel(t, levels()[1:], func(t *testing.T, l Launcher) {
		for name, program := range map[string]string{
			"full":   "for i in 1 2 3 4 5 6; do head -c 1M /dev/zero >$i || true; done",
			"holes":  "truncate -s 3M a; truncate -s 3M b",
			"deep":   "for i in $(seq 100); do mkdir d; cd d; done",
			"number": "seq 17000 | xargs touch",
		} {
			dir := filepath.Join(publicDir(t), "out")
			must(t, os.Mkdir(dir, 0o777), os.Chmod(dir, 0o777))
			c := command(t, "sh", "-c", program)
			c.Dir, c.Write, c.Limits = dir, []string{dir}, Limits{Disk: disk}
			o := run(t, l, c, "")
			// The kernel refuses to write what goes beyond the size.
			if refused := l.Level() != referee.LevelBasic && (name == "full" || name == "number"); !refused && !o.exit.OutOfDisk || refused != o.exit.DiskFull {
				t.Errorf("%s: %+v", name, o)
			}
			if size, files := sizeOf(t, dir); l.Level() != referee.LevelBasic && (size > disk || files > MaxFiles) {
				t.Errorf("%s: %d bytes in %d files are on the disk", name, size, files)
			}
		}
	})
}

func sizeOf(t *testing.T, dir string) (size int64, files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
			files++
		}
		return err
	})
	must(t, err)
	return size, files
}
