package fleet

import (
	"strings"
	"testing"
)

// TestPack: what is packed is unpacked up to the bound, and what is not packed stays as it is.
func TestPack(t *testing.T) {
	const most = 1 << 20
	unpack := NewUnpacker(most)
	text := strings.Repeat("{}", most/2)
	for _, one := range [][2]string{{text, text}, {string(Pack([]byte(text))), text}, {"", ""}} {
		if got, err := unpack([]byte(one[0])); err != nil || string(got) != one[1] {
			t.Errorf("%.20q: found %.20q, %v", one[0], got, err)
		}
	}
	if _, err := unpack(Pack([]byte(text + " "))); err == nil {
		t.Error("unpacks more than it may")
	}
}
