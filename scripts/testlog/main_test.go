package main

import (
	"strings"
	"testing"
)

const events = `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"    x_test.go:3: noise\n"}
{"Action":"pass","Package":"a","Test":"TestGood/part","Elapsed":12}
{"Action":"pass","Package":"a","Test":"TestGood","Elapsed":12.34}
{"Action":"pass","Package":"a","Test":"TestSlower","Elapsed":20}
{"Action":"pass","Package":"a","Test":"TestQuick","Elapsed":4.9}
{"Action":"output","Package":"a","Test":"TestLong","Output":"=== RUN   TestLong\n"}
{"Action":"output","Package":"a","Test":"TestLong","Output":"    x_test.go:9: left out: runs with UMPIRE_TEST=thorough\n"}
{"Action":"output","Package":"a","Test":"TestLong","Output":"--- SKIP: TestLong (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestLong"}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.012s\n"}
{"Action":"pass","Package":"a"}
go: downloading something
{"ImportPath":"c","Action":"build-output","Output":"c.go:1:1: broken\n"}
{"Action":"output","Package":"b","Test":"TestBad","Output":"=== RUN   TestBad\n"}
{"Action":"output","Package":"b","Test":"TestBad","Output":"    y_test.go:3: found 1, expected 2\n"}
{"Action":"output","Package":"b","Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\n"}
{"Action":"fail","Package":"b","Test":"TestBad"}
{"Action":"output","Package":"b","Test":"TestHangs","Output":"panic: test timed out\n"}
{"Action":"output","Package":"b","Output":"FAIL\tb\t600.1s\n"}
{"Action":"fail","Package":"b"}
{"Action":"output","Package":"d","Output":"?   \td\t[no test files]\n"}
{"Action":"skip","Package":"d"}
`

const expected = "ok  \ta\t0.012s\n" +
	"go: downloading something\n" +
	"c.go:1:1: broken\n" +
	"    y_test.go:3: found 1, expected 2\n--- FAIL: TestBad (0.00s)\n" +
	"panic: test timed out\n" +
	"FAIL\tb\t600.1s\n" +
	"?   \td\t[no test files]\n" +
	"slow:   20.0 s  a.TestSlower\nslow:   12.3 s  a.TestGood\n" +
	"skipped in a:\n  TestLong: left out: runs with UMPIRE_TEST=thorough\n"

func TestShow(t *testing.T) {
	var out strings.Builder
	if err := show(strings.NewReader(events), &out); err != nil || out.String() != expected {
		t.Errorf("%v, found\n%s\nexpected\n%s", err, &out, expected)
	}
}

func TestManySkipped(t *testing.T) {
	var in, out strings.Builder
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		in.WriteString(`{"Action":"output","Package":"p","Test":"` + name + `","Output":"x.go:1: no gcc\n"}` + "\n")
		in.WriteString(`{"Action":"skip","Package":"p","Test":"` + name + `"}` + "\n")
	}
	in.WriteString(`{"Action":"skip","Package":"q","Test":"F"}` + "\n")
	if err := show(strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	const want = "skipped in p:\n  A, B, C and 2 more: no gcc\nskipped in q:\n  F: no reason given\n"
	if out.String() != want {
		t.Errorf("found\n%s\nexpected\n%s", &out, want)
	}
}
