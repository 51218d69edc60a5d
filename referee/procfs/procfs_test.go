package procfs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestField(t *testing.T) {
	const text = "low 1\noom 22\noom_kill 3\nPss:        \t45 kB\nlast 6"
	for _, c := range []struct {
		name string
		want int64
	}{
		{"low ", 1}, {"oom ", 22}, {"oom_kill ", 3}, {"Pss:", 45}, {"last ", 6},
		{"kill ", 0}, // not at the start of a line
		{"high ", 0},
	} {
		if got := Field([]byte(text), c.name); got != c.want {
			t.Errorf("%q is %d, expected %d", c.name, got, c.want)
		}
	}
	if got := Kibibytes([]byte(text), "Pss:"); got != 45*1024 {
		t.Errorf("45 kB are %d bytes", got)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "max": 0, "-1": 0, "17": 17, "17\n": 17, "9223372036854775807 x": 1<<63 - 1} {
		if got := Number([]byte(text)); got != want {
			t.Errorf("%q begins with %d, expected %d", text, got, want)
		}
	}
}

func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "info")
	if err := os.WriteFile(path, []byte("first line\nmodel name\t: A b\nmodel name : C\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var buf [5]byte
	if got := string(Read(path, buf[:])); got != "first" {
		t.Errorf("the beginning is %q", got)
	}
	if got := FirstLine(path); got != "first line" {
		t.Errorf("the first line is %q", got)
	}
	if got := Value(path, "model name"); got != "A b" {
		t.Errorf("the value is %q", got)
	}
	if got := Names(filepath.Dir(path)); !slices.Equal(got, []string{"info"}) {
		t.Errorf("the folder holds %q", got)
	}
	gone := path + ".gone"
	if Read(gone, buf[:]) != nil || FirstLine(gone) != "" || Value(gone, "model name") != "" || Names(gone) != nil {
		t.Error("a file that is not there holds something")
	}
}

// TestStatFields: the name of a program may look like what follows it.
func TestStatFields(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		"7 (cat) S 1 7\n":           {"S", "1", "7"},
		"7 (a) R 9 9 (b c) Z 1 7\n": {"Z", "1", "7"},
	} {
		if got := statFields([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q has %q, expected %q", text, got, want)
		}
	}
}
