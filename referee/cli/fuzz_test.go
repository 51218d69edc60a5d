package cli

import (
	"bytes"
	"context"
	"os"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzReaders gives every command that reads records the same file: none of them
// panics or sends control characters, what verify does not take as records
// nobody takes, and what it finds valid can be replayed.
func FuzzReaders(f *testing.F) {
	const seats, events = `"seats":[{"bot":"a","place":1},{"bot":"b","place":2}]`, `"events":[{"seat":1,"reply":"8"}]`
	f.Add([]byte(`{"id":"x","game":"ioiwari","case":{"text":"4 3 2 4 2 3 2"},` + seats + `,` + events + `}`))
	f.Add([]byte(`{"id":"x","game":"ioiwari","case":{"text":"4 3 2 4 2 3 2"},` + seats + `,"events":[{"seat":1,"fail":"time"}],"error":"\u001b"}`))
	f.Add([]byte(`{"game":"mensch","case":{"text":"1 2 7"},"seats":[{},{},{},{},{}],"events":[{"seat":9,"reply":""}]}`))
	f.Add([]byte(`{"game":"mensch-1","case":{"text":"6"},"seats":[{}],"events":[{"seat":1,"reply":"6"}]}` + "\n{"))
	f.Add([]byte(`{"game":"patolli","case":{"text":"1"},"seats":[],"Seats":[{}],"repetition":-1}` + "\n\x9b"))
	f.Add([]byte(`{"game":"vmukni","seats":[{"place":1,"score":1e999},{}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		verified, said := runReader(t, file, "verify", "-")
		none := bytes.HasPrefix(said, []byte("0 records")) // which is a fault only where one is shown
		replayed, _ := runReader(t, file, "replay", "-")
		positions, _ := runReader(t, file, "replay", "--json", "-")
		standings, _ := runReader(t, file, "standings", "-")
		scored, _ := runReader(t, file, "score", "ioiwari", "--from", "-")
		analysed, _ := runReader(t, file, "analyse", "-")
		codes := []int{replayed, positions, standings, scored, analysed}
		if verified == exitOK && !none && (replayed != exitOK || positions != exitOK) {
			t.Errorf("%q is valid, and replay exits with %d and %d", file, replayed, positions)
		}
		for _, code := range codes {
			if bytes.Contains(said, []byte("not a match record")) && code != exitUsage {
				t.Errorf("%q is no record, and the others exit with %v", file, codes)
			}
		}
		if max(verified, replayed, positions, standings, analysed) >= exitFailed {
			t.Errorf("%q is umpire's failure: %d, %v", file, verified, codes)
		}
	})
}

// runReader runs a command with the file as its input, and gives its exit code and
// what it printed.
func runReader(t *testing.T, file []byte, args ...string) (int, []byte) {
	var out, errs bytes.Buffer
	a := newApp(bytes.NewReader(file), &out, &errs, os.DirFS("../../testdata/cases"))
	code := a.code(a.run(context.Background(), args))
	for _, text := range [][]byte{out.Bytes(), errs.Bytes()} {
		if i := bytes.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && r != utf8.RuneError && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%q of %q prints %q", args, file, text[i:min(len(text), i+20)])
		}
	}
	return code, out.Bytes()
}
