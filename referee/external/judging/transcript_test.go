package judging

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"umpire/referee"
)

// TestTranscriptBeyondBound: of a side that writes more than is kept, a record has the number
// and the hash of all bytes, and of another that does not, all its words.
func TestTranscriptBeyondBound(t *testing.T) {
	var s transcript
	var all, kept strings.Builder
	for i := range 40 {
		text := strings.Repeat(string(rune('a'+i%26)), 32_771)
		all.WriteString(text)
		s.add(referee.Exchange{Seat: 1, Text: text})
		s.add(referee.Exchange{Text: "on\n"})
	}
	s.finish()
	for _, e := range s.list {
		if e.Seat == 1 {
			kept.WriteString(e.Text)
		}
	}
	if kept.String() != all.String()[:maxKept] {
		t.Errorf("%d bytes are kept, expected the first %d", kept.Len(), maxKept)
	}
	last := s.list[len(s.list)-1]
	sum := sha256.Sum256([]byte(all.String()))
	if last.Seat != 1 || last.Bytes != int64(all.Len()) || last.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("found %d bytes with the hash %s, expected %d with %x", last.Bytes, last.SHA256, all.Len(), sum)
	}
}
