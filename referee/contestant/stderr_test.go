package contestant

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"umpire/referee"
)

// TestEnds: up to the bound all is kept, and beyond it both ends, by lines.
func TestEnds(t *testing.T) {
	var e ends
	for range referee.StderrKept / 8 {
		e.write([]byte("1234567\n"))
	}
	if got := string(e.bytes()); got != strings.Repeat("1234567\n", referee.StderrKept/8) {
		t.Fatalf("%d bytes are not kept as they are: %q", referee.StderrKept, got)
	}
	for range 1000 {
		e.write([]byte("more\n"))
	}
	e.write([]byte("last"))
	got := string(e.bytes())
	head, rest, ok := strings.Cut(got, "… ")
	missing, tail, cut := strings.Cut(rest, " bytes left out …\n")
	if !ok || !cut || head != strings.Repeat("1234567\n", half/8) || !strings.HasPrefix(tail, "more\n") || !strings.HasSuffix(tail, "more\nlast") {
		t.Fatalf("got %q", got)
	}
	total := referee.StderrKept + 5004
	if want := fmt.Sprint(total - len(head) - len(tail)); missing != want {
		t.Errorf("%s bytes are said to be left out, expected %s", missing, want)
	}
}

// TestEndsOfCharacters: where there are no lines, no character is cut in two.
func TestEndsOfCharacters(t *testing.T) {
	for shift := range 3 {
		var e ends
		e.write([]byte("ab"[:min(shift, 2)] + strings.Repeat("語", referee.StderrKept) + "c"))
		got := string(e.bytes())
		head, tail, _ := strings.Cut(got, "\n… ")
		if !utf8.ValidString(got) || len(head) < half-2 || len(tail) < half-2 || strings.Trim(head[shift:], "語") != "" {
			t.Errorf("shifted by %d: got %q", shift, got)
		}
	}
}

// TestStderrFolder: a file appears only for what is too long to be kept, and
// then holds all of it, in order.
func TestStderrFolder(t *testing.T) {
	folder := &StderrFolder{Dir: t.TempDir()}
	long := strings.Repeat("0123456789", 1000)
	for seat, text := range []string{"short", long} {
		s := stderr{whole: &wholeFile{folder: folder, path: folder.Path("id", seat+1)}}
		for i := 0; i < len(text); i += 999 {
			s.write([]byte(text[i:min(len(text), i+999)]))
		}
		s.stop()
		s.write([]byte("after"))
		s.close()
		if got := string(s.after.bytes()); got != "after" {
			t.Errorf("after the end: %q", got)
		}
	}
	if _, err := os.Stat(folder.Path("id", 1)); !os.IsNotExist(err) {
		t.Errorf("a file of what is short: %v", err)
	}
	if got, err := os.ReadFile(folder.Path("id", 2)); err != nil || string(got) != long+"after" {
		t.Errorf("%d bytes of %d: %v", len(got), len(long)+5, err)
	}
	if list, err := os.ReadDir(folder.Dir); err != nil || len(list) != 1 {
		t.Errorf("found %v, %v", list, err)
	}
}
