package serve

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// FuzzOutput: a body that is read piece by piece holds what encoding/json finds in it.
func FuzzOutput(f *testing.F) {
	long := strings.Repeat("1", longText+1)
	for _, text := range []string{
		`{"reply":"1"}`, `{"reply":"` + long + `"}`, `{"reply":"` + long + `","reply":"2"}`, `{"` + long + `":"1"}`, `{"reply":["` + long + `"]}`,
		`{"reply":"` + long + `"} 1`, `{"reply":"` + long, `{"reply":"` + long + `\`, `{"reply":"\"\\\/\b\f\n\r\t\u0031\u00e4\ud83d\ude00"}`,
		`{"reply":"\ud83d\ud83d\ude00 \ude00\ud83d"}`, `{"reply":"\u12g4"}`, `{"reply":"\x"}`, "{\"reply\":\"\n\"}", "{\"reply\":\"\xff\"}", "{\"reply\":\"" + long + "\xff\"}",
		`{"\u0072eply":"1"}`, `{"reply":"\u+123"}`, `{"reply":null}`, `{"reply":"`, `"` + long + `"`, `{"reply":"\uD83D\u00e4"}`, `{"reply":"\ud83d\u`, "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var found, want replyBody
		cut, err := parseOutput(strings.NewReader(text), 1<<20, &found)
		wrong := parseJSON([]byte(text), &want)
		if len(text) > 1<<20 || cut {
			t.Skip()
		}
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%q: found error %v, expected %v", text, err, wrong)
		}
		if one, two := mustJSON(found), mustJSON(want); err == nil && one != two {
			t.Errorf("%q: found %s, expected %s", text, one, two)
		}
	})
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// However long the body is, no more than the text is in memory.
func TestOutputIsReadInPieces(t *testing.T) {
	many := escapes(strings.Repeat(`\u0031`, 1000))
	body := func(texts int) io.Reader {
		return io.MultiReader(strings.NewReader(`{"reply":"`), io.LimitReader(many, int64(6*texts)), strings.NewReader(`"}`))
	}
	const most = 1 << 20
	for texts, cut := range map[int]bool{most: false, most + 1: true} {
		var found replyBody
		if got, err := parseOutput(body(texts), most, &found); err != nil || got != cut || !cut && *found.Reply != strings.Repeat("1", most) {
			t.Errorf("%d bytes: found cut %v, error %v", texts, got, err)
		}
	}
	bytes := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parseOutput(body(most), most, new(replyBody)); err != nil {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if bytes > 8*most { // of which most is garbage as the text grows
		t.Errorf("found %d bytes allocated for a text of %d", bytes, most)
	}
}

// escapes holds escapes of a digit, which it writes for ever.
type escapes string

func (e escapes) Read(into []byte) (int, error) {
	return copy(into, e[:min(len(e), len(into)/6*6)]), nil
}
