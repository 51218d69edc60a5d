package protocols_test

import (
	"bytes"
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	// The guide's game is built from these: changing one outdates a cached
	// result.
	_ "umpire/bots/bottest"
	_ "umpire/protocols/protocoltest"

	"umpire/referee/testlevel"
)

// TestGuide checks that the game of the guide compiles and passes its tests as
// written. The guide's files are laid over the module, which stays unchanged.
func TestGuide(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // builds two test programs
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{} // from a file's path in the module to the file that holds its text
	for name, text := range guideFiles(t) {
		if strings.HasSuffix(name, ".go") {
			if tidy, err := format.Source(text); err != nil || !bytes.Equal(tidy, text) {
				t.Errorf("%s: gofmt wants to change it: %v", name, err)
			}
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		write(t, file, text)
		files[filepath.Join(root, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), overlay)
	for _, pkg := range []string{"./protocols/nim", "./bots/nim"} {
		test := filepath.Join(dir, "nim.test")
		run(t, root, "go", "test", "-c", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"), "-o", test, pkg)
		run(t, dir, test, "-test.short")
	}
}

// guideFiles returns the files that the guide shows, by their paths in the
// module.
func guideFiles(t *testing.T) map[string][]byte {
	t.Helper()
	block := regexp.MustCompile("(?ms)^##+ `([a-z_/]+/[a-z_]+\\.[a-z]+)`\n\n```\\w+\n(.*?)^```$")
	files := map[string][]byte{}
	for _, doc := range []string{"README.md", "nim.md"} {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range block.FindAllSubmatch(text, -1) {
			files[string(m[1])] = m[2]
		}
	}
	if len(files) != 12 {
		t.Fatalf("found %d files in the guide, expected 12", len(files))
	}
	return files
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}
