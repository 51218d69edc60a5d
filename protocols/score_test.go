package protocols_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
)

func TestParseScore(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"7", "7"}, {"-0.5", "-0.5"}, {"0.50", "0.5"}, {"-0", "0"}, {"-0.000", "0"}, {"007", "7"},
		{"-13.000001", "-13.000001"}, {"1000000000", "1000000000"}, {"-1000000000.0", "-1000000000"},
		{"", ""}, {"-", ""}, {"+1", ""}, {".5", ""}, {"-.5", ""}, {"1.", ""}, {"1.-5", ""}, {"1.+5", ""}, {"1e3", ""}, {" 1", ""}, {"--1", ""},
		{"0.0000001", ""}, {"1000000000.000001", ""}, {"-1000000000.000001", ""}, {"99999999999999999999", ""}, {"NaN", ""}, {"0x10", ""}, {"1.5.5", ""},
	} {
		got, err := protocols.ParseScore(test.text)
		if (err == nil) != (test.want != "") || err == nil && got.String() != test.want {
			t.Errorf("%q: found %v, error %v, expected %q", test.text, got, err, test.want)
		}
	}
}

// TestScoreSums: sums, differences, order, text and JSON are those of rational numbers.
func TestScoreSums(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) string {
		sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		return fmt.Sprintf("%s%d.%06d", sign, rapid.Int64Range(0, 999_999_999).Draw(t, "whole"), rapid.Int64Range(0, 999_999).Draw(t, "millionths"))
	})
	rapid.Check(t, func(t *rapid.T) {
		var sum, last protocols.Score
		want, wantLast := new(big.Rat), new(big.Rat)
		for _, text := range rapid.SliceOfN(number, 1, 20).Draw(t, "scores") {
			one, err := protocols.ParseScore(text)
			if err != nil {
				t.Fatal(err)
			}
			exact, _ := new(big.Rat).SetString(text)
			if got := one.Compare(last); got != exact.Cmp(wantLast) {
				t.Fatalf("%v and %v compare as %d", one, last, got)
			}
			if rapid.Bool().Draw(t, "minus") {
				sum, want = sum.Minus(one), want.Sub(want, exact)
			} else {
				sum, want = sum.Plus(one), want.Add(want, exact)
			}
			last, wantLast = one, exact
		}
		n := rapid.Int64Range(1, 1000).Draw(t, "n")
		share, _ := new(big.Rat).Quo(want, big.NewRat(n, 1)).Float64()
		if got, _ := new(big.Rat).SetString(sum.String()); got.Cmp(want) != 0 || sum.Over(n) != share || sum.Times(6*n, 2) != sum.Times(3*n, 1) {
			t.Fatalf("found %v, a %d-th of it %v, expected %v and %v", sum, n, sum.Over(n), want, share)
		}
		if got, _ := new(big.Rat).SetString(sum.Times(n, 1).String()); got.Cmp(want.Mul(want, big.NewRat(n, 1))) != 0 {
			t.Fatalf("%d times %v is %v, expected %v", n, sum, got, want)
		}
		var read protocols.Score
		if text, err := json.Marshal(last); err != nil || json.Unmarshal(text, &read) != nil || read != last {
			t.Fatalf("%v is written as %s and read as %v", last, text, read)
		}
	})
}
