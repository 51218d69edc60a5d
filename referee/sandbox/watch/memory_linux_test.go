package watch

import (
	"bufio"
	"io"
	"os/exec"
	"testing"
)

// TestUsedAgain: a program is looked at again when it has done something, and only then: else the
// test does not end.
func TestUsedAgain(t *testing.T) {
	cat := exec.Command("cat")
	in, err := cat.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cat.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cat.Wait()
	})
	lines := bufio.NewReader(out)
	echo := func() {
		if _, err := io.WriteString(in, "x\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	echo()
	w := NewMemory(&Tree{Root: cat.Process.Pid, Program: cat.Process.Pid}, 64<<20, false)
	const noted = -1                      // no look finds so little
	for unchanged := false; !unchanged; { // once it has gone back to its read
		w.Used()
		w.used = noted
		unchanged = w.Used() == noted
	}
	echo()
	if got := w.Used(); got <= 0 {
		t.Errorf("a program that has done something was not looked at again: found %d bytes", got)
	}
}
