package judging

import (
	"path/filepath"
	"testing"

	"umpire/referee/sandbox"
)

// TestFolders: the folders of a match lie where those of an umpire that was killed are removed.
func TestFolders(t *testing.T) {
	temp, err := sandbox.NewTempDir("")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := sandbox.RemoveTemp(); err != nil {
			t.Error(err)
		}
	}()
	match, err := newMatchFolder()
	if err != nil {
		t.Fatal(err)
	}
	defer match.remove()
	fifos, err := openChannels(0, false)
	if err != nil {
		t.Fatal(err)
	}
	defer fifos.close()
	files, err := workingFolder("", t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{string(match), fifos.folder, files} {
		if found, want := filepath.Dir(dir), filepath.Dir(temp); found != want {
			t.Errorf("%s is in %s, expected %s", filepath.Base(dir), found, want)
		}
	}
}
