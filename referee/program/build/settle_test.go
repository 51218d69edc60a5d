package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSettle(t *testing.T) {
	b, _ := fake(t, `ln -s /etc/passwd "$2"`)
	source := filepath.Join(folder(t, map[string]string{"a.fake": ""}), "a.fake")
	if _, err := b.Source(t.Context(), source, Extra{}); err == nil || !strings.Contains(err.Error(), "made bot, which is neither a file nor a folder") {
		t.Errorf("a link as a program: got error %v", err)
	}
	b, _ = fake(t, `cp "$1" "$2" && chmod 6311 "$2"`)
	p, err := b.Source(t.Context(), source, Extra{})
	must(t, err)
	if info, err := os.Stat(p.Args[0]); err != nil || info.Mode() != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
