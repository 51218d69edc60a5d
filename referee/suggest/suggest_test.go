package suggest

import "testing"

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3},
		{"tset", "test", 1}, {"ab", "ba", 1}, {"ca", "abc", 3}, {"вмъкни", "вмкъни", 1},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, expected %d", test.a, test.b, got, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	games := []string{"ioiwari", "vmukni", "mensch", "mensch-1"}
	for word, want := range map[string]string{
		"iowari": "ioiwari", "IOIWARI": "ioiwari", "mensh": "mensch", "mensch1": "mensch-1", "chess": "", "": "", "x": "",
	} {
		if got := Nearest(word, games); got != want {
			t.Errorf("Nearest(%q) = %q, expected %q", word, got, want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("of no words it finds %q", got)
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("kitten", "sitting")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 100 || len(b) > 100 {
			t.Skip()
		}
		there, back := distance(a, b), distance(b, a)
		if there != back || there < 0 || there > max(len(a), len(b)) || (there == 0) != (string([]rune(a)) == string([]rune(b))) {
			t.Errorf("distance of %q and %q is %d there and %d back", a, b, there, back)
		}
	})
}
