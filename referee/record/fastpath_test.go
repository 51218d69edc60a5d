package record

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sameWithoutFastPath fails the test unless a line gives the same errors and
// the same summary with the fast path and without it, and what is read is what
// encoding/json reads.
func sameWithoutFastPath(t *testing.T, line []byte) {
	t.Helper()
	fast, general := Scanner{}, Scanner{noFastPath: true}
	var a, b Summary
	errA, errB := fast.Scan(line, &a), general.Scan(line, &b)
	if fmt.Sprint(errA) != fmt.Sprint(errB) {
		t.Fatalf("%q: error %v, without the fast path %v", line, errA, errB)
	}
	if errA == nil && fmt.Sprint(a) != fmt.Sprint(b) {
		t.Fatalf("%q: %+v, without the fast path %+v", line, a, b)
	}
	checked := check(line)
	if want := (&jsonScanner{text: line, noFastPath: true}).check(); fmt.Sprint(checked) != fmt.Sprint(want) {
		t.Fatalf("%q: check gives %v, without the fast path %v", line, checked, want)
	}
	if errA != nil {
		return
	}
	var r Record
	if err := json.Unmarshal(line, &r); err != nil || checked != nil {
		t.Fatalf("%q was read, but encoding/json says %v, check %v", line, err, checked)
	}
	for i, s := range r.Seats {
		want := a.Seats[i]
		want.Bot, want.Digest, want.Verdict, want.Score, want.Place, want.Replies, want.WallUS = s.Bot, s.Digest, s.Verdict, s.Score, s.Place, s.Replies, s.WallUS
		want.SlowestUS, want.Late, want.LostUS = 0, 0, 0
		for _, e := range r.Events {
			switch {
			case e.Seat != i+1:
			case e.Fail != "" && e.Fail != "time":
				want.LostUS += e.WallUS
			default:
				want.SlowestUS = max(want.SlowestUS, e.WallUS)
				if e.Fail == "time" && e.WallUS > 0 {
					want.Late++
				}
			}
		}
		if a.Seats[i] != want {
			t.Fatalf("%q: seat %d is %+v, encoding/json reads %+v", line, i+1, a.Seats[i], want)
		}
	}
}

// pieces of lines that the fast path must take as the general scanner does, or
// leave to it.
var oddPieces = []string{
	" ", "\t", "0", "00", "-0", "-", "1e3", "1.0", "999999999999", "1000000000000", "9999999999999", "18446744073709551617", "17", "16", "null", "true",
	`"`, `\`, `\"`, `\u0041`, `\ud800`, "\x00", "\x1f", "\x7f", "\xff", "é", "\u2028", "{", "}", "[", "]", ",", ":", `"seat":`, `"Seat":`, `"seat":1,`,
	`"wall_us":7,`, `"x":{"y":[1]},`, `{"seat":1,"reply":"","wall_us":1,"cpu_us":1,"wait_us":1},`, `,"charged_us":5`, `,"charged_us":null`, `"reply":null,`,
	`"fail":"time",`, `"events":[],`, "\n", "\r",
}

// TestFastPath changes lines at random places.
func TestFastPath(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	var line []byte
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		line = append(line[:0], briefSample...)
		for range 1 + random.IntN(3) {
			at := random.IntN(len(line))
			end := at
			if random.IntN(2) == 0 {
				end = min(len(line), at+1+random.IntN(4))
			}
			piece := oddPieces[random.IntN(len(oddPieces))]
			if random.IntN(8) == 0 { // take the piece from elsewhere in the line
				from := random.IntN(len(line))
				piece = string(line[from:min(len(line), from+random.IntN(60))])
			}
			line = append(line[:at], append([]byte(piece), line[end:]...)...)
		}
		sameWithoutFastPath(t, line)
	}
	for i := 0; i < len(briefSample); i += 7 {
		for _, piece := range oddPieces {
			sameWithoutFastPath(t, []byte(briefSample[:i]+piece+briefSample[i+1:]))
			sameWithoutFastPath(t, []byte(briefSample[:i]+piece))
		}
	}
}

// TestFastPathIsTaken: lines as umpire writes them are read by the fast path.
func TestFastPathIsTaken(t *testing.T) {
	for _, event := range []string{
		`{"seat":1,"reply":"6","wall_us":4742,"cpu_us":2108,"wait_us":3577}`,
		`{"seat":16,"reply":"6 é","wall_us":999999999999,"cpu_us":0,"wait_us":0,"charged_us":0}`,
	} {
		c := jsonScanner{text: []byte(event + ",")}
		if seat, _, ok := c.replyEvent(); !ok || seat == 0 || c.at != len(event) {
			t.Errorf("%s is left to the general scanner", event)
		}
	}
	const seat = `{"bot":"é","digest":"d1","house":true,"verdict":"ok","detail":"","score":1000000000,"place":16,"wall_us":999999999999,` +
		`"cpu_us":0,"charged_us":0,"peak_bytes":999999999999,"replies":4,"stderr":""}`
	c := jsonScanner{text: []byte(seat + ",")}
	if f, ok := c.okSeat(); !ok || string(f.bot) != "é" || c.at != len(seat) {
		t.Errorf("%s is left to the general scanner", seat)
	}
}

func FuzzFastPath(f *testing.F) {
	f.Add([]byte(briefSample))
	for _, piece := range oddPieces {
		f.Add([]byte(strings.Replace(briefSample, `"reply"`, piece+`"reply"`, 1)))
	}
	f.Fuzz(sameWithoutFastPath)
}
