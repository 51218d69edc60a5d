package tree

import (
	"fmt"
	"strings"
	"testing"
)

// TestDecodeYAML: aliases are read, but not those that stand for billions of values.
func TestDecodeYAML(t *testing.T) {
	var small struct{ B []string }
	if err := DecodeYAML([]byte("a: &a x\nb: [*a, *a]\n"), &small); err != nil || fmt.Sprint(small.B) != "[x x]" {
		t.Errorf("found %v, %v", small.B, err)
	}
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'j'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 8), c-1)
	}
	var all any
	if err := DecodeYAML([]byte(bomb), &all); err == nil || !strings.Contains(err.Error(), "stands for more than 1000000 values") {
		t.Errorf("found %v", err)
	}
}
