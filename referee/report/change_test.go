package report

import "testing"

// TestChange: better or worse by the verdict, the case's score, the seat's own
// score and its place, in this order.
func TestChange(t *testing.T) {
	match := func(verdict string, score float64, x, place int, was *Before) TestMatch {
		return TestMatch{Verdict: verdict, Score: score, X: x, Place: place, Before: was}
	}
	for _, test := range []struct {
		now           TestMatch
		one, several  int
		what, whatAll string
	}{
		{match("ok", 4, 9, 1, nil), 0, 0, "", ""},
		{match("ok", 4, 9, 1, &Before{"ok", 9, 1, 4}), 0, 0, "", ""},
		{match("ok", 0, 0, 2, &Before{"crash", 9, 1, 4}), 1, 1, "was crash", "was crash"},
		{match("time", 4, 9, 1, &Before{"ok", 0, 2, 0}), -1, -1, "was ok", "was ok"},
		{match("time", 0, 0, 2, &Before{"crash", 0, 2, 0}), 0, 0, "", ""},
		{match("ok", 4, 7, 1, &Before{"ok", 9, 2, 0}), 1, -1, "+4 points", "-2 score"},
		{match("ok", 0.5, 9, 1, &Before{"ok", 9, 2, 1}), -1, 1, "-0.5 points", "was place 2"},
		{match("ok", 4, 10, 2, &Before{"ok", 9, 1, 4}), 1, 1, "+1 score", "+1 score"},
		{match("ok", 4, 9, 2, &Before{"ok", 9, 1, 4}), -1, -1, "was place 1", "was place 1"},
	} {
		if got, what := test.now.change(false); got != test.one || what != test.what {
			t.Errorf("%+v after %+v: %d %q, expected %d %q", test.now, test.now.Before, got, what, test.one, test.what)
		}
		if got, what := test.now.change(true); got != test.several || what != test.whatAll {
			t.Errorf("%+v after %+v, of several seats: %d %q, expected %d %q", test.now, test.now.Before, got, what, test.several, test.whatAll)
		}
	}
}
