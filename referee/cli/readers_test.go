package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

const goodRecord = `{"id":"good","game":"ioiwari","case":{"text":"4 3 2 4 2 3 2"},"seats":[` +
	`{"bot":"a","digest":"1","verdict":"foul","score":0,"place":2},{"bot":"b","digest":"2","verdict":"ok","score":0,"place":1,"house":true}],` +
	`"events":[{"seat":1,"reply":"x"}]}`

// TestReadersAgree: what one command does not take as a record none takes, and
// all say the same of it.
func TestReadersAgree(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "run", "results.jsonl")
	runSafe(t, dir, 0, "tournament", "ioiwari", "@greedy", "a=@greedy", "--cases-per-pair", "1", "--time", "1m", "-o", filepath.Dir(file))
	before, err := os.ReadFile(file)
	must(t, err)
	for _, test := range []struct{ from, to, want string }{
		{`"score":0,"place":2`, `"score":999,"Score":7,"place":2`, `seats[0]: found "Score", expected it spelled "score"`},
		{`"score":0,"place":2`, `"score":999,"score":0,"place":2`, `seats[0]: found "score" twice`},
		{`"events":`, `"seats":[{},{}],"events":`, `found "seats" twice`},
		{`"id":"good"`, `"id":"good","repetition":-1`, `repetition: found -1, expected 0 to 1000000000`},
		{`"id":"good"`, `"id":"good","wall_us":1e99`, `wall_us: found 1e99, expected a whole number`},
		{`"place":2`, `"place":99`, `seats[0].place: found 99, expected 0 to 16`},
		{`"score":0`, `"score":9000000000000000000`, `seats[0].score: found 9000000000000000000, expected a number from -1000000000 to 1000000000`},
		{`"seats":[`, `"seats":[` + strings.Repeat("{},", 5000), `seats: found more than 16`},
		{`{"id"`, `{"x":` + strings.Repeat("[", 5000) + `,"id"`, `nested deeper than 32`},
		{`{"id"`, `x {"id"`, `byte 1: found 'x', expected an object`},
	} {
		line := strings.Replace(goodRecord, test.from, test.to, 1)
		want := fmt.Sprintf("%s:%d: not a match record: ", file, strings.Count(string(before), "\n")+2)
		text := string(before) + goodRecord + "\n" + line + "\n" + goodRecord + "\n"
		write(t, file, text)
		said := runSafe(t, dir, 1, "verify", file)
		if n := strings.Count(text, "\n"); !strings.Contains(said, fmt.Sprintf("%d records: %d valid, 1 not\n", n, n-1)) {
			t.Errorf("verify does not continue after %.60s:\n%s", test.to, said)
		}
		for _, args := range [][]string{
			{"standings", file}, {"score", "ioiwari", "--from", file}, {"replay", file}, {"replay", "--json", file}, {"analyse", file},
			{"reproduce", file, "@greedy", "--id", "good"}, {"standings", "--export", "junit", file},
			{"tournament", "--resume", "-o", filepath.Dir(file)},
		} {
			said += runSafe(t, dir, 2, args...)
		}
		n := 0
		for line := range strings.Lines(said) {
			if strings.Contains(line, want) && strings.Contains(line, test.want) {
				n++
			}
		}
		if n != 9 {
			t.Errorf("%d of 9 say %s%s:\n%s", n, want, test.want, said)
		}
	}
}

// TestReadersTakeTheSame: of several records of a match the first counts that
// umpire did not fail to play, for every command.
func TestReadersTakeTheSame(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "results.jsonl")
	failed := strings.NewReplacer(`"foul"`, `""`, `"ok"`, `""`, `[{"seat":1,"reply":"x"}]`, `[],"error":"no room"`).Replace(goodRecord)
	later := strings.NewReplacer(`"score":0,"place":2`, `"score":987654,"place":2`, `"reply":"x"`, `"reply":"later"`).Replace(goodRecord)
	write(t, file, failed+"\n"+goodRecord+"\n"+later+"\n"+failed+"\n")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"standings", "--json", file}, `"matches":1,"failed":0,"duplicates":1`},
		{[]string{"standings", "--export", "csv", file}, "1,a,1,0,0,1,0,0,0,0,"},
		{[]string{"standings", "--export", "junit", file}, `<testsuites name="ioiwari" tests="2"`},
		{[]string{"score", "ioiwari", "--json", "--formula", "X", "--from", file}, `"score":0,"matches":1`},
		{[]string{"replay", "--json", "--id", "good", file}, `"reply":"x","fail":"foul"`},
		{[]string{"replay", "--id", "good", file}, "foul"},
		{[]string{"analyse", "--json", file}, `"matches":1,`},
	} {
		if said := runSafe(t, dir, 0, test.args...); !strings.Contains(said, test.want) || strings.Contains(said, "later") || strings.Contains(said, "987654") {
			t.Errorf("%q says %s, expected %s", test.args, said, test.want)
		}
	}
	if said := runSafe(t, dir, 1, "reproduce", "--json", "--id", "good", file, "@greedy"); !strings.Contains(said, `"recorded":{"reply":"x","fail":"foul"}`) {
		t.Errorf("reproduce says %s", said)
	}
	if said := runSafe(t, dir, 1, "verify", file); !strings.Contains(said, "4 records: 1 valid, 1 not, 2 without a result\n") {
		t.Errorf("verify says %s", said)
	}
}
