package polygon

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"umpire/referee/external/problem"
)

// write writes a package.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, all := filepath.Join(t.TempDir(), "shares"), make(fstest.MapFS)
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, all); err != nil {
		t.Fatal(err)
	}
	return dir
}

// document is a problem.xml with the parts that tests change, each on a line of its own.
func document(judging, tests, groups, assets string) string {
	return `<problem>
<judging ` + judging + `>
<testset name="tests"><time-limit>1500</time-limit><memory-limit>67108864</memory-limit>
<input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests>` + tests + `</tests>
<groups>` + groups + `</groups>
</testset></judging>
<assets>` + assets + `</assets>
</problem>`
}

const (
	oneTest = `<test/>`
	checker = `<checker><source path="files/check.py"/></checker>`
)

// least is a package with one test; more replaces or adds files.
func least(more map[string]string) map[string]string {
	files := map[string]string{Marker: document("", oneTest, "", checker), "files/check.py": "", "tests/01": "1\n", "tests/01.a": "1\n"}
	maps.Copy(files, more)
	return files
}

// TestLoad: what is read of a batch problem, and of an interactive one.
func TestLoad(t *testing.T) {
	p, err := Load(t.Context(), write(t, least(nil)))
	if err != nil {
		t.Fatal(err)
	}
	if p.Interactive || p.Judge != "files/check.py" || p.Checker != "" || p.Limits.Time != 1500*time.Millisecond || !p.Limits.CPU || p.Limits.Memory != 64<<20 || p.Grading != nil || p.Title != "shares" {
		t.Errorf("found %+v", p)
	}
	if c := p.Cases[0]; c.Name != "tests/01" || c.Worth != nil || filepath.Base(c.Input) != "01" || filepath.Base(c.Answer) != "01.a" || c.Case.Input == c.Case.Answer && c.Case.Input == "" {
		t.Errorf("found case %+v", c)
	}
	p, err = Load(t.Context(), write(t, least(map[string]string{
		Marker: document(`run-count="1"`, oneTest, "", checker+`<interactor><source path="files/talk.cpp"/></interactor>
<validators><validator><source path="files/valid.py"/></validator></validators><solutions>
<solution tag="main"><source path="solutions/a.py"/></solution><solution tag="rejected"><source path="solutions/b.py"/></solution>
<solution tag="time-limit-exceeded-or-accepted"><source path="solutions/c.py"/></solution><solution tag="do-not-run"><source path="solutions/d.py"/></solution>
<solution tag="main"><source path="files/check.py"/></solution></solutions>`),
		"files/talk.cpp": "#include \"testlib.h\"\n", "files/testlib.h": "", "files/valid.py": "",
		"solutions/a.py": "", "solutions/b.py": "", "solutions/c.py": "", "solutions/d.py": "",
	})))
	if err != nil {
		t.Fatal(err)
	}
	if !p.Interactive || p.Judge != "files/talk.cpp" || p.Checker != "files/check.py" || fmt.Sprint(p.Validators, len(p.Warnings)) != "[files/valid.py] 2" {
		t.Errorf("found %+v", p)
	}
	var found []string
	for _, s := range p.Submissions {
		found = append(found, fmt.Sprint(s.Name, s.Permitted, s.Required))
	}
	if got := fmt.Sprint(found); got != "[a.py[AC AC] [AC] b.py[AC WA TLE RTE] [WA TLE RTE] c.py[AC AC TLE] [AC TLE]]" {
		t.Errorf("found submissions %s", got)
	}
}

// TestStray: files that problem.xml does not name are warned of, but for those that Polygon
// puts there.
func TestStray(t *testing.T) {
	assets := checker + `<solutions><solution tag="main"><source path="solutions/a.py"/></solution></solutions>`
	p, err := Load(t.Context(), write(t, least(map[string]string{
		Marker: document("", oneTest, "", assets), "solutions/a.py": "", "solutions/a.py.desc": "", "solutions/new.py": "",
		"tests/02": "", "tests/02.a": "", "files/more.h": "", "statements/english/problem.tex": "", "doall.sh": "", "check.cpp": "", "README.md": "", "tests.old/01": "",
	})))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"tests.old: not used: problem.xml names no such file",
		"solutions/new.py: not used: problem.xml names no such file",
		"tests/02, and 1 more there: not used: problem.xml names no such file",
	}
	if !slices.Equal(p.Warnings, want) {
		t.Errorf("found    %q\nexpected %q", p.Warnings, want)
	}
}

// TestGroups: points of tests and groups, and the order of groups.
func TestGroups(t *testing.T) {
	files := func(groups string) map[string]string {
		return least(map[string]string{
			Marker:     document("", `<test points="1.5"/><test group="b" points="3"/><test group="a" points="4"/><test group="a" points="5"/><test group="c"/>`, groups, checker),
			"tests/02": "", "tests/02.a": "", "tests/03": "", "tests/03.a": "", "tests/04": "", "tests/04.a": "", "tests/05": "", "tests/05.a": "",
		})
	}
	p, err := Load(t.Context(), write(t, files(`
<group name="b" points-policy="each-test"><dependencies><dependency group="a"/></dependencies></group>
<group name="a" points="9" points-policy="complete-group"/><group name="c" points="8" points-policy="complete-group"/>`)))
	if err != nil {
		t.Fatal(err)
	}
	graded := func(accepted ...string) string {
		outcomes := make(map[string]problem.Outcome)
		for _, c := range p.Cases {
			outcomes[c.Name] = c.Worth.Outcome("wrong", nil)
			if strings.Contains(strings.Join(accepted, " "), c.Name[len(c.Name)-1:]) {
				outcomes[c.Name] = problem.Outcome{Class: problem.Accepted, Score: c.Worth.Accept}
			}
		}
		grade := p.Grading.Grade(outcomes)
		list := []string{grade.Score.FloatString(1)}
		for _, g := range grade.Groups {
			list = append(list, g.Group.Name+" "+g.Score.FloatString(0))
		}
		return strings.Join(list, ", ")
	}
	for accepted, want := range map[string]string{
		"1 2 3 4 5": "21.5, a 9, b 3, c 8",
		"1 2 3 4":   "13.5, a 9, b 3, c 0",
		"1 2 3 5":   "9.5, a 0, b 0, c 8",
		"":          "0.0, a 0, b 0, c 0",
	} {
		if found := graded(accepted); found != want {
			t.Errorf("accepted %s: found %s, expected %s", accepted, found, want)
		}
	}
	if most := p.Grading.Most().FloatString(1); most != "21.5" {
		t.Errorf("found at most %s, expected 21.5", most)
	}
	for groups, want := range map[string]string{
		`<group name="b"><dependencies><dependency group="a"/></dependencies></group><group name="a"><dependencies><dependency group="b"/></dependencies></group>`: "problem.xml:6: group a: depends on group b, which depends on it",
		`<group name="b"><dependencies><dependency group="z"/></dependencies></group>`:                                                                             `problem.xml:6: group b: depends on "z", which has no tests`,
		`<group name="b"/><group name="b"/>`:                     `problem.xml:6: group "b" is there twice`,
		`<group name="b" points-policy="half"/>`:                 `problem.xml:6: points-policy: found "half"`,
		`<group name="b" points="-1"/>`:                          `problem.xml:6: points: found "-1"`,
		`<group name="c" points="1" points-policy="each-test"/>`: "problem.xml:6: group c: found points of the group",
	} {
		if _, err := Load(t.Context(), write(t, files(groups))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v\nexpected %s", err, want)
		}
	}
}

// TestRefused: what is not judged, or wrong, is said with file, line and reason.
func TestRefused(t *testing.T) {
	xml := func(judging, tests, assets string) map[string]string {
		return map[string]string{Marker: document(judging, tests, "", assets)}
	}
	for _, test := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{Marker: "<problem>\n<judging>"}, "problem.xml:2: unexpected EOF"},
		{map[string]string{Marker: "<contest/>"}, "problem.xml:1: found no element <problem>"},
		{map[string]string{Marker: "<problem>" + strings.Repeat("<a>", 200)}, "deep"},
		{map[string]string{Marker: "\n<problem><assets/></problem>"}, "problem.xml:2: found no element <judging>"},
		{map[string]string{Marker: "<problem><judging/></problem>"}, "found no element <assets>"},
		{map[string]string{Marker: "<problem><judging/><assets>" + checker + "</assets></problem>"}, "found no element <testset>"},
		{xml(`run-count="2"`, oneTest, checker), "problem.xml:2: run-count: found 2, expected 1"},
		{map[string]string{Marker: `<?xml version="1.0" encoding="windows-1251"?>` + "\n" + document("", oneTest, "", checker)}, `problem.xml:1: found encoding "windows-1251", expected UTF-8`},
		{xml(`input-file="in.txt"`, oneTest, checker), `problem.xml:2: input-file: found "in.txt"`},
		{xml("", oneTest, checker+"\n<scorer/>"), "problem.xml:9: scorers are not supported"},
		{xml("", oneTest, checker+`<interactor><source path="files/check.py"/><runs><run>1</run><run>2</run></runs></interactor>`), "a second run of the interactor"},
		{xml("", oneTest, ""), "problem.xml:8: found no <checker> and no <interactor>"},
		{xml("", oneTest, `<checker><source path="files/no.cpp"/></checker>`), `problem.xml:8: found no file "files/no.cpp", the source of the checker: is this a full package?`},
		{xml("", oneTest, `<checker><source path="../check.py"/></checker>`), `found no file "../check.py"`},
		{xml("", oneTest, `<checker/>`), "problem.xml:8: the checker has no <source>"},
		{xml("", oneTest, `<checker><source path="files/check.py" type="python.2"/></checker>`), "in Python 2, which is not supported"},
		{xml("", oneTest+oneTest, checker), "problem.xml:5: found no tests/02 of test 2 of 2: download the full package, or run its doall.sh"},
		{xml("", "", checker), "problem.xml:3: found no tests"},
		{xml("", `<test points="many"/>`, checker), `problem.xml:5: points: found "many"`},
		{map[string]string{Marker: strings.Replace(document("", oneTest, "", checker), "tests/%02d.a", "tests/%s", 1)}, `answer-path-pattern: found "tests/%s"`},
		{map[string]string{Marker: strings.Replace(document("", oneTest, "", checker), "1500", "soon", 1)}, `problem.xml:3: time-limit: found "soon"`},
		{map[string]string{Marker: strings.Replace(document("", oneTest, "", checker), "<tests>", "<test-count>7</test-count><tests>", 1)}, "problem.xml:5: test-count: found 7, and 1 elements <test>"},
		{map[string]string{"files/check.py": "  # include \"testlib.h\"\n"}, "files/check.py: includes testlib.h, and found no files/testlib.h"},
		{map[string]string{Marker: strings.Replace(document("", oneTest, "", checker), "<judging ", `<files><resources><file path="files/g.cpp"><assets><asset name="SOLUTION"/></assets></file></resources></files><judging `, 1)}, "files/g.cpp is compiled with solutions"},
	} {
		_, err := Load(t.Context(), write(t, least(test.files)))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("found %v\nexpected %s", err, test.want)
		}
	}
}

// TestManyTexts: text between many elements takes no more than its length.
func TestManyTexts(t *testing.T) {
	text := []byte("<problem>" + strings.Repeat("x<a/>", 20_000) + "</problem>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := parse(text); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 500*uint64(len(text)) {
		t.Errorf("found %d bytes allocated for %d", used, len(text))
	}
}

// FuzzDocument: whatever stands in problem.xml, it is refused, or makes a problem that can be
// judged and graded.
func FuzzDocument(f *testing.F) {
	f.Add(document("", oneTest, "", checker))
	f.Add(document(`run-count="1"`, `<test points="3" group="1"/>`, `<group name="1" points-policy="complete-group"/>`, checker))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Load(t.Context(), write(t, least(map[string]string{Marker: text})))
		if err != nil {
			return
		}
		if p.Limits.Time <= 0 || p.Limits.Memory <= 0 || len(p.Cases) == 0 || p.Judge == "" {
			t.Errorf("found %+v", p)
		}
		if p.Grading != nil {
			p.Grading.Grade(nil)
			if n := len(p.Grading.Names()); n != len(p.Cases) {
				t.Errorf("found %d cases in groups, expected %d", n, len(p.Cases))
			}
		}
	})
}
