package record

import (
	"slices"
	"strings"
	"testing"
)

// TestForm: what is wrong with a record is found by every way of reading it, and
// named.
func TestForm(t *testing.T) {
	seats := func(n int) string { return strings.TrimSuffix(strings.Repeat(`{"place":1},`, n), ",") }
	for _, test := range []struct{ line, want string }{
		{`{"game":"x","seats":[{"place":1}]}`, ""},
		{`{"game":"x","seats":[` + seats(MaxSeats) + `]}`, ""},
		{`{"other":{"Score":[1,-2.5e3,"\u00e9",{}]},"game":"x","seats":[{"place":1,"more":0}]}`, ""},
		{`{"game":"x","seats":[{"place":1,"more":0,"more":1}]}`, `seats[0]: found "more" twice`},
		{`{"game":"x","seats":[{"place":1,"score":1,"scor\u0065":1}]}`, `seats[0]: found "score" twice`},
		{`{"game":"x","other":{"a":1,"a":1},"seats":[{"place":1}]}`, `other: found "a" twice`},
		{`{"gam\u0065":"x","seats":[{"plac\u0065":1}]}`, ""},
		{` {"game":"x", "seats":[ {"place":1,"score":-1000000000,"peak_bytes":null} ] , "error":null }` + "\r", ""},
		{`{"game":"x","seats":[` + seats(MaxSeats+1) + `]}`, "seats: found more than 16"},
		{`{"game":"x","seats":[{"place":1}],"seats":[{"place":1}]}`, `found "seats" twice`},
		{`{"game":"x","seats":[{"place":1,"score":1,"score":1}]}`, `seats[0]: found "score" twice`},
		{`{"game":"x","seats":[{"place":1,"score":999,"Score":7}]}`, `seats[0]: found "Score", expected it spelled "score"`},
		{`{"game":"x","seats":[{"place":1,"ſcore":7}]}`, `seats[0]: found "ſcore", expected it spelled "score"`},
		{`{"Game":"x","seats":[{"place":1}]}`, `found "Game", expected it spelled "game"`},
		{`{"game":"x","repetition":-1,"seats":[{"place":1}]}`, "repetition: found -1, expected 0 to 1000000000"},
		{`{"game":"x","seats":[{"place":17}]}`, "seats[0].place: found 17, expected 0 to 16"},
		{`{"game":"x","seats":[{"place":1},{"place":1,"score":99999999999999999999999}]}`, "seats[1].score: found 99999999999999999999999, expected"},
		{`{"game":"x","limits":{"memory_bytes":1000000000000000000},"seats":[{"place":1}]}`, ""},
		{`{"game":"x","limits":{"memory_bytes":2100000000000068435456},"seats":[{"place":1}]}`, "limits.memory_bytes: found 2100000000000068435456, expected"},
		{`{"game":"x","seats":[{"place":1}],"events":[{"seat":-2}]}`, "events[0].seat: found -2, expected 0 to 1000000000"},
		{`{"game":"x","seats":[{"place":1,"wall_us":-5}]}`, "seats[0].wall_us: found -5, expected 0 to 1000000000000"},
		{`{"game":"x","seats":[{"place":1,"score":-0.500001}]}`, ""},
		{`{"game":"x","seats":[{"place":1,"score":0.0000001}]}`, "seats[0].score: found 0.0000001, expected a number from -1000000000 to 1000000000 with at most 6 decimals"},
		{`{"game":"x","seats":[{"place":1,"score":1e3}]}`, "seats[0].score: found 1e3, expected a number from -1000000000 to 1000000000 with at most 6 decimals"},
		{`{"game":"x","seats":[{"place":1,"score":"7"}]}`, "seats[0].score: found \"7\", expected a number"},
		{`{"game":"x","seats":[{"place":1,"verdict":"fine"}]}`, `seats[0].verdict: found "fine", expected one of`},
		{`{"game":"x","limits":{"clock":"sun"},"seats":[{"place":1}]}`, `limits.clock: found "sun", expected one of wall, cpu`},
		{`{"game":"x","isolation":"","seats":[{"place":1}],"voids":[{"cause":"stall"},{"cause":"freeze","seat":1}]}`, ""},
		{`{"game":"x","isolation":"auto","seats":[{"place":1}]}`, `isolation: found "auto", expected one of none, basic, box, strict`},
		{`{"game":"x","seats":[{"place":1}],"events":[{}` + strings.Repeat(",{}", 1<<20) + `]}`, "events: found more than 1048576"},
		{`{"game":"x","seats":[{"place":1}],"voids":[{"cause":"rain"}]}`, `voids[0].cause: found "rain", expected one of stall, machine, memory, helper, freeze`},
		{`{"game":"x","seats":[{"place":1}],"voids":[{"seat":1},{"seat":1},{"seat":1}]}`, "voids: found more than 2"},
		{`{"game":"x","case":{"points":1e999},"seats":[{"place":1}]}`, "case.points: found 1e999, expected a finite number"},
		{`{"game":"x","seats":[{"place":1,"house":1}]}`, "seats[0].house: found 1, expected true or false"},
		{`{"v":2,"game":"x","seats":[{"place":1}]}`, "v: found 2, expected 0 to 1"},
		{`{"game":"` + strings.Repeat("x", MaxName+1) + `","seats":[{"place":1}]}`, "game: found 4097 bytes, expected at most 4096"},
		{`{"game":"x","seats":[{"place":1,"stderr":"a` + "\t" + `"}]}`, `seats[0].stderr: byte 44: found '\t' in string, expected non-control character`},
		{`{"game":"x","seats":[{"place":1,"stderr":"\q"}]}`, "seats[0].stderr: byte 43: found an invalid escape sequence `\\q` in string"},
		{`{"game":"x","seats":[{"place":1,"bot":"\ud800"}]}`, "seats[0].bot: byte 40: found an invalid surrogate pair `\\ud800\""},
		{`{"game":"x","seats":[{"place":1,"bot":"` + "\xff" + `"}]}`, "seats[0].bot: byte 40: found bytes that are not UTF-8"},
		{`{"game":"x","other":"` + "\xff" + `","seats":[{"place":1}]}`, "other: byte 22: found bytes that are not UTF-8"},
		{"\ufeff" + `{"game":"x","seats":[{"place":1}]}`, `byte 1: found '\ufeff', expected an object`},
		{`{"game":"x","seats":{"place":1}}`, `seats: found {"place":1}, expected an array`},
		{`{"game":"x","seats":[[]]}`, `seats[0]: found [], expected an object`},
		{`{"game":["x"],"seats":[{"place":1}]}`, `game: found ["x"], expected a string`},
		{`{"game":"x","case":{"points":"4"},"seats":[{"place":1}]}`, `case.points: found "4", expected a number`},
		{`{"game":"x","seats":[{"place":1}],}`, "byte 34: found ',', expected a member or the end of the object"},
		{`{"game":"x" "seats":[{"place":1}]}`, "byte 13: found '\"' after object value, expected ',' or '}'"},
		{`{"game":"x","seats":[{"place":01}]}`, "seats[0]: byte 32: found '1' after object value, expected ',' or '}'"},
		{`{1:2}`, "byte 2: object member name must be a string"},
		{`{"game":)}`, "game: byte 9: found ')', expected a string"},
		{`{"game":"x","other":` + strings.Repeat("[", 1<<20) + `}`, "nested deeper than 32"},
		{`[{"game":"x","seats":[{"place":1}]}]`, `found [{"game":"x","seats":[{"place":1}]}], expected an object`},
		{`{"game":"x","seats":[{"place":1}`, "seats: byte 33: found the end of the line, expected an element or the end of the array"},
		{``, "byte 1: found the end of the line, expected an object"},
		{`[]`, "found [], expected an object"},
		{`[{"game":"x","seats":[{"place":1}]}]`, "found [{\"game\":\"x\",\"seats\":[{\"place\":1}]}], expected an object"},
		{`nonsense`, "byte 2: found 'o' in literal null, expected 'u'"},
	} {
		var s Scanner
		var b Summary
		_, decoded := Line{File: "f", Number: 1, Bytes: []byte(test.line), Whole: true}.Record()
		for way, err := range map[string]error{"Record": decoded, "Scan": s.Scan([]byte(test.line), &b)} {
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s of %.90s: error %v, expected %q", way, test.line, err, test.want)
			}
		}
	}
}

// TestMissingOutcome: readers that count refuse a record of umpire's own of which a
// claim is missing, and no other program's; verify says of all that something is
// missing.
func TestMissingOutcome(t *testing.T) {
	own := string(encode(t, sample(t)).Bytes)
	byHand := strings.Replace(own, `"umpire":"0",`, "", 1)
	failed := `{"v":1,"umpire":"0","game":"morra","case":{"text":"1 1"},"seats":[{"bot":"a"},{"bot":"b"}],"events":[],"error":"x"}`
	missing := func(field string) string {
		return "seats[1]." + field + ": found none, expected it in a record of umpire 0"
	}
	for _, test := range []struct {
		line, from, to string
		want           string
		complete       bool
	}{
		{own, "", "", "", true},
		{own, `"verdict":"ok",`, "", missing("verdict"), false},
		{own, `"verdict":"ok"`, `"verdict" : null`, missing("verdict"), false},
		{own, `"score":5,`, "", missing("score"), false},
		{own, `"score":5`, `"score":null`, missing("score"), false},
		{own, `"replies":3,`, "", missing("replies"), false},
		{own, `"place":1,`, "", missing("place"), false},
		{own, `"v":1,`, "", "", true},
		{own, `"v":1,"id"`, `"v":0,"id"`, "", true},
		{byHand, `"score":5,`, "", "", false},
		{byHand, `"verdict":"ok",`, "", "", false},
		{byHand, `"replies":3,`, "", "", false},
		{failed, "", "", "", true},
	} {
		line := Line{File: "f", Number: 1, Bytes: []byte(strings.Replace(test.line, test.from, test.to, 1)), Whole: true}
		if test.from != "" && string(line.Bytes) == test.line {
			t.Fatalf("found no %s in %s", test.from, test.line)
		}
		var s Scanner
		var b Summary
		var r Record
		for way, err := range map[string]error{"Scan": s.Scan(line.Bytes, &b), "DecodeCounted": line.DecodeCounted(&r, &r)} {
			if (err == nil) != (test.want == "") || err != nil && !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("%s with %s for %s: error %v, expected %q", way, test.to, test.from, err, test.want)
			}
		}
		if judged, err := Verify(line, toys); err != nil || !judged.Valid || judged.Complete != test.complete {
			t.Errorf("verify with %s for %s: %+v, %v", test.to, test.from, judged, err)
		}
	}
}

// TestOwnRecordsAreInForm: the largest and oddest record that umpire writes is
// one that it reads.
func TestOwnRecordsAreInForm(t *testing.T) {
	r := sample(t)
	r.Limits.TimeUS, r.Limits.MemoryBytes = 1e15, 1<<42
	r.Case.Points = 1e300
	r.Seats[0].Bot, r.Seats[0].Stderr = "\x1b[31m\u202e\u0085\xff", "\x00\x07\u2028"
	if _, err := check(encode(t, r).Bytes); err != nil {
		t.Error(err)
	}
	if verdicts := allForms().seat.get("verdict").choices; !slices.Contains(verdicts, "memory") {
		t.Errorf("verdicts are %v", verdicts)
	}
}
