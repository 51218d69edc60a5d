package kattis

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"umpire/referee/external/problem"
)

// write writes a package: a name that ends in / is a folder, a text that begins with
// -> is a link.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, all := filepath.Join(t.TempDir(), "My_Problem"), make(fstest.MapFS)
	for name, text := range files {
		target, isLink := strings.CutPrefix(text, "-> ")
		file := &fstest.MapFile{Data: []byte(target)}
		if isLink {
			file.Mode = fs.ModeSymlink
		} else if strings.HasSuffix(name, "/") {
			file.Mode = fs.ModeDir
		}
		all[strings.TrimSuffix(name, "/")] = file
	}
	must(t, os.CopyFS(dir, all))
	return dir
}

// least is a batch problem.
func least(more map[string]string) map[string]string {
	files := map[string]string{"problem.yaml": "name: Least\n", "data/secret/1.in": "1\n", "data/secret/1.ans": "1\n"}
	maps.Copy(files, more)
	return files
}

// TestLoad: what is read of packages of each version.
func TestLoad(t *testing.T) {
	p, err := Load(t.Context(), write(t, least(nil)))
	must(t, err)
	if p.Name != "my-problem" || p.Title != "Least" || p.Version != "legacy" || p.Interactive || p.Judge != "" || p.Passes != 1 || p.EachCase ||
		p.Limits.Time != 2*time.Second || !p.Limits.CPU || p.Limits.Memory != 2<<30 || p.JudgeTime != time.Minute || p.Output != 8<<20 {
		t.Errorf("found %+v", p)
	}
	p, err = Load(t.Context(), write(t, map[string]string{
		"problem.yaml":            "name: G\nvalidation: custom interactive\nvalidator_flags: a b\nlimits: {memory: 64, validation_time: 5}\n",
		".timelimit":              "3\n",
		"output_validators/v.cpp": "int main() {}",
		"output_validators/v.h":   "",
		"data/sample/1.in":        "", "data/sample/1.ans": "",
		"data/secret/g/2.in": "", "data/secret/g/2.ans": "",
		"data/secret/g/testdata.yaml": "output_validator_flags: c d\ninput_validator_flags: e\n",
		"data/secret/g/2.desc":        "",
		"input_validators/check.py":   "", "input_validators/x.ctd": "",
		"submissions/accepted/a.py": "", "submissions/wrong_answer/b.py": "", "submissions/mixed/c.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n",
		"submissions/odd/d.py": "",
	}))
	must(t, err)
	if !p.Interactive || p.Judge != "output_validators" || p.Limits.Time != 3*time.Second || p.LimitFrom != ".timelimit" || p.Limits.Memory != 64<<20 || p.JudgeTime != 5*time.Second {
		t.Errorf("found %+v", p)
	}
	if len(p.Cases) != 2 || fmt.Sprintf("%s %v %s %v %v", p.Cases[0].Name, p.Cases[0].Args, p.Cases[1].Name, p.Cases[1].Args, p.Cases[1].ValidatorArgs["input_validators/check.py"]) != "sample/1 [a b] secret/g/2 [a b c d] [e]" {
		t.Errorf("found cases %+v", p.Cases)
	}
	want := []problem.Submission{{Name: "accepted/a.py", Permitted: []string{"AC"}, Required: []string{"AC"}}, {Name: "mixed/c.py", Permitted: []string{"WA", "TLE"}, Required: []string{"WA", "TLE"}}, {Name: "wrong_answer/b.py", Permitted: []string{"WA"}, Required: []string{"WA"}}}
	if !reflect.DeepEqual(p.Submissions, want) {
		t.Errorf("found submissions %+v", p.Submissions)
	}
	if found := fmt.Sprint(p.Validators, len(p.Warnings)); found != "[input_validators/check.py] 2" {
		t.Errorf("found %s, %v", found, p.Warnings)
	}
	p, err = Load(t.Context(), write(t, map[string]string{
		"problem.yaml":             "problem_format_version: 2025-09\nname: {sv: Tal, en: Number}\ntype: [interactive, multi-pass]\nlimits: {time_limit: 1.5, validation_passes: 3}\n",
		"output_validator/note.md": "", "output_validator/check/v.cc": "", "output_validator/check/v.h": "", "data/secret/1.in": "", "data/secret/1.ans": "",
		"data/sample/demo.interaction": "",
		"data/secret/1.yaml":           "output_validator_args: [x, 1]\n", "data/secret/test_group.yaml": "output_validator_args: [y]\n",
		"submissions/wrong_answer/b.py": "",
	}))
	must(t, err)
	if p.Title != "Number" || !p.Interactive || p.Passes != 3 || p.Limits.Time != 1500*time.Millisecond || p.Judge != "output_validator/check" || !p.EachCase || len(p.Warnings) != 1 ||
		fmt.Sprint(p.Cases[0].Args, p.Submissions) != "[x 1] [{wrong_answer/b.py [WA AC] [WA]  [] }]" {
		t.Errorf("found %+v", p)
	}
}

// TestWorth: what cases are worth, and how groups come of folders.
func TestWorth(t *testing.T) {
	p, err := Load(t.Context(), write(t, map[string]string{
		"problem.yaml": "type: scoring\n", "data/testdata.yaml": "on_reject: continue\naccept_score: 3\ngrader_flags: ignore_sample\n",
		"data/sample/1.in": "", "data/sample/1.ans": "",
		"data/secret/b/1.in": "", "data/secret/b/1.ans": "", "data/secret/b/testdata.yaml": "on_reject: break\ngrader_flags: min always_accept\nrange: 0 5\n",
		"data/secret/a.in": "", "data/secret/a.ans": "",
		"submissions/partially_accepted/x.py": "# @EXPECTED_SCORE@: 1-2.5\n",
	}))
	must(t, err)
	secret := p.Grading.Items[1].Group
	b := secret.Items[1].Group
	if !p.Grading.IgnoreSample || p.Grading.Break || secret.IgnoreSample || secret.Items[0].Case != "secret/a" || b.Name != "secret/b" || !b.Break || b.Score != problem.Min ||
		b.Verdict != problem.AlwaysAccept || b.Max.RatString() != "5" || p.Cases[2].Worth.Accept.RatString() != "3" || p.Submissions[0].Score.String() != "1 to 2.5" {
		t.Errorf("found %+v, %+v, %+v", p.Grading, secret, b)
	}
	judged := map[string]string{ // by DOMjudge
		"problem.yaml": "type: scoring\n", "data/testdata.yaml": "grader_flags: sum\n", "data/secret/testdata.yaml": "grader_flags: sum\n", ".timelimit": "1\n",
		"data/sample/1.in": "", "data/sample/1.ans": "",
		"data/secret/a/1.in": "", "data/secret/a/1.ans": "", "data/secret/a/testdata.yaml": "accept_score: 10\n",
		"data/secret/b/1.in": "", "data/secret/b/1.ans": "", "data/secret/b/testdata.yaml": "accept_score: 10\ngrader_flags: sum\n",
	}
	for _, marked := range []bool{false, true} {
		if marked {
			judged["domjudge-problem.ini"] = ""
		}
		p, err = Load(t.Context(), write(t, judged))
		must(t, err)
		secret, once := p.Grading.Items[1].Group, problem.Sum
		if marked {
			once = problem.Min
		}
		if a, b := secret.Items[0].Group, secret.Items[1].Group; a.Score != once || b.Score != problem.Sum || secret.Score != problem.Sum || p.Grading.IgnoreSample != marked ||
			slices.ContainsFunc(p.Warnings, func(w string) bool { return strings.HasPrefix(w, ".timelimit: scores are those of legacy") }) == marked {
			t.Errorf("%t: found %+v, %+v, %+v, %q", marked, p.Grading, a, b, p.Warnings)
		}
	}
	p, err = Load(t.Context(), write(t, least(map[string]string{"problem.yaml": "type: scoring\n", "data/secret/1/2.in": "", "data/secret/1/2.ans": ""})))
	if err != nil || fmt.Sprint(p.Grading.Names()) != "[secret/1 secret/1/2]" {
		t.Errorf("found %v, %v, expected a case beside the folder of its name", p, err)
	}
	p, err = Load(t.Context(), write(t, map[string]string{
		"problem.yaml":     "problem_format_version: 2025-09\ntype: scoring\n",
		"data/secret/1.in": "", "data/secret/1.ans": "", "data/secret/x/2.in": "", "data/secret/x/2.ans": "", "data/secret/3.in": "", "data/secret/3.ans": "",
	}))
	if err != nil || len(p.Grading.Names()) != 3 || p.Cases[0].Worth.Max.RatString() != "100/3" {
		t.Errorf("found %v, %v, expected a third of 100 for each case", p, err)
	}
}

// TestDraft: groups of drafts of 2023-07 are those of 2025-09, with the names that the
// drafts had for them.
func TestDraft(t *testing.T) {
	p, err := Load(t.Context(), write(t, map[string]string{
		"problem.yaml": "problem_format_version: 2023-07\ntype: scoring\n", "data/sample/1.in": "", "data/sample/1.ans": "",
		"data/secret/testdata.yaml": "scoring: {score: 50}\n",
		"data/secret/a/1.in":        "", "data/secret/a/1.ans": "", "data/secret/a/testdata.yaml": "scoring: {score: 20, require-pass: sample}\n",
		"data/secret/b/1.in": "", "data/secret/b/1.ans": "", "data/secret/b/test_group.yaml": "max_score: 30\nscore_aggregation: min\n",
	}))
	must(t, err)
	secret := p.Grading.Items[1].Group
	a, b := secret.Items[0].Group, secret.Items[1].Group
	if secret.Max.RatString() != "50" || a.Max.RatString() != "20" || a.Score != problem.PassFail || fmt.Sprint(a.Require) != "[sample]" || b.Score != problem.Min || b.Max.RatString() != "30" {
		t.Errorf("found %+v, %+v, %+v", secret, a, b)
	}
}

// TestOrder: of several mistakes the first is said each time, and warnings come in order.
func TestOrder(t *testing.T) {
	inputs, listed := map[string]string{}, []string{}
	for i := range 8 {
		inputs[fmt.Sprintf("data/secret/2%d.in", i)] = ""
		listed = append(listed, fmt.Sprintf(`"submissions/accepted/%d.py": {"entry_point": "x"}`, i))
	}
	if _, err := Load(t.Context(), write(t, least(inputs))); err == nil || !strings.Contains(err.Error(), "data/secret/20.in: found no 20.ans") {
		t.Errorf("found %v, expected the first input without an answer", err)
	}
	p, err := Load(t.Context(), write(t, least(map[string]string{"submissions.json": "{" + strings.Join(listed, ",") + "}"})))
	must(t, err)
	if len(p.Warnings) < 8 || !slices.IsSorted(p.Warnings) {
		t.Errorf("found the warnings %q, expected one for each submission, in order", p.Warnings)
	}
}

// TestDigest: it covers what decides on verdicts, and nothing else.
func TestDigest(t *testing.T) {
	digest := func(more map[string]string) string {
		p, err := Load(t.Context(), write(t, least(more)))
		must(t, err)
		return p.Digest
	}
	whole := digest(nil)
	for name, same := range map[string]bool{"submissions/accepted/a.py": true, "statement/problem.en.md": true, "README.md": true, ".timelimit": false, "data/secret/2.ans": false} {
		if found := digest(map[string]string{name: "1\n"}) == whole; found != same {
			t.Errorf("%s: found the same digest: %v, expected %v", name, found, same)
		}
	}
}

// TestRefused: what is not judged, or wrong, is said with file, line and reason.
func TestRefused(t *testing.T) {
	yaml := func(text string) map[string]string { return map[string]string{"problem.yaml": text} }
	legacy := func(text string) map[string]string {
		return map[string]string{"problem.yaml": "type: scoring\n", "data/testdata.yaml": text}
	}
	draft := func(text string) map[string]string {
		return map[string]string{
			"problem.yaml": "problem_format_version: 2023-07-draft\ntype: scoring\n", "data/secret/a/testdata.yaml": text, "data/secret/a/2.in": "", "data/secret/a/2.ans": "",
		}
	}
	groups := func(text string) map[string]string {
		return map[string]string{
			"problem.yaml": "problem_format_version: 2025-09\ntype: scoring\n", "data/secret/a/test_group.yaml": text, "data/secret/a/2.in": "", "data/secret/a/2.ans": "",
		}
	}
	rules := func(manifest string, more map[string]string) map[string]string {
		files := map[string]string{"problem.yaml": "problem_format_version: 2025-09\n" + manifest}
		maps.Copy(files, more)
		return files
	}
	expects := func(text string) map[string]string {
		return map[string]string{"submissions/submissions.yaml": text, "submissions/accepted/a.py": ""}
	}
	for _, test := range []struct {
		files map[string]string
		want  string
	}{
		{yaml("name: x\nproblem_format_version: 2031-01\n"), `problem.yaml:2: problem_format_version: found "2031-01", expected legacy`},
		{draft("grading: {score: 5}\n"), "data/secret/a/testdata.yaml:1: grading: the drafts of 2023-07 differ on what that means: write problem_format_version: 2025-09"},
		{draft("x: 1\nscoring: {score: 5, aggregation: sum}\n"), "data/secret/a/testdata.yaml:2: scoring: found aggregation: sum; the drafts of 2023-07 differ"},
		{yaml("type: scoring\ngrading: {custom_scoring: true}\n"), "problem.yaml:2: custom_scoring is not supported"},
		{legacy("name: x\non_reject: stop\n"), `data/testdata.yaml:2: on_reject: found "stop"`},
		{legacy("grading: custom\n"), "data/testdata.yaml:1: grading: custom is not supported"},
		{legacy("grader_flags: min most\n"), `data/testdata.yaml:1: grader_flags: found "most"`},
		{legacy("accept_score: many\n"), `data/testdata.yaml:1: accept_score: found "many"`},
		{legacy("range: 5\n"), `data/testdata.yaml:1: range: found "5"`},
		{legacy("range: 0 many\n"), `data/testdata.yaml:1: range: found "0 many"`},
		{groups("score_aggregation: max\n"), `data/secret/a/test_group.yaml:1: score_aggregation: found "max"`},
		{groups("score_aggregation: sum\n"), "data/secret/a/test_group.yaml: max_score: found unbounded"},
		{groups("\n"), "data/secret/a/test_group.yaml: max_score: found unbounded"},
		{groups("max_score: -1\n"), "test_group.yaml:1: max_score: found -1"},
		{groups("max_score: 100.5\n"), "test_group.yaml:1: max_score: found 100.5, expected a whole number"},
		{rules("name: x\ntype: []\n", nil), "problem.yaml:3: type: found none"},
		{rules("type: [interactive, interactive]\n", nil), "problem.yaml:2: type: found interactive twice"},
		{rules("languages: [cpp, c++]\n", nil), `problem.yaml:2: languages: found "c++", expected all, or names such as cpp`},
		{rules("languages: []\n", nil), "problem.yaml:2: languages: found none"},
		{rules("", map[string]string{"data/secret/test_group.in": "", "data/secret/test_group.ans": ""}), "data/secret/test_group.in: found a case that is called test_group"},
		{rules("", map[string]string{"data/secret/1/2.in": "", "data/secret/1/2.ans": ""}), "data/secret/1.in: found a folder of its name beside it"},
		{rules("", map[string]string{"data/secret/a/b/test_group.yaml": ""}), "data/secret/a/b/test_group.yaml: found a group in a folder"},
		{rules("", map[string]string{"data/sample/a/test_group.yaml": ""}), "data/sample/a/test_group.yaml: found a group in a folder"},
		{rules("", map[string]string{"data/secret/test_group.yaml": "args: [a]\nmax_score: 5\n"}), "data/secret/test_group.yaml:2: max_score: found it in a problem that is pass-fail"},
		{rules("type: scoring\n", map[string]string{"data/sample/test_group.yaml": "require_pass: sample\n"}), "data/sample/test_group.yaml:1: require_pass: found it of data/sample"},
		{rules("", map[string]string{"data/secret/1.yaml": "output_validator_args: [float_tolerance, 1, float_absolute_tolerance, 1]\n"}), "float_absolute_tolerance: found a second tolerance"},
		{groups("max_score: 10\nrequire_pass: secret/b\n"), `test_group.yaml:2: require_pass: found "secret/b"`},
		{groups("max_score: 10\nstatic_validation_score: 5\n"), "test_group.yaml:2: static validators are not supported"},
		{groups("max_score: 101\n"), "the groups give up to 101, expected at most max_score of secret, 100"},
		{yaml("problem_format_version: 2025-09\ntype: [pass-fail, submit-answer]\n"), "problem.yaml:2: submit-answer"},
		{yaml("problem_format_version: 2025-09\ntype: [scoring, multi-pass, pass-fail]\n"), "problem.yaml:2: type: found pass-fail and scoring, expected one of them"},
		{yaml("problem_format_version: 2025-09\ntype: multi-pass\n"), "problem.yaml:2: the problem is multi-pass, and found no output validator"},
		{yaml("name: x\nvalidation: default multi-pass\n"), "problem.yaml:2: a problem that is multi-pass needs a validator of its own: validation: custom multi-pass"},
		{yaml("type: puzzle\n"), `problem.yaml:1: type: found "puzzle"`},
		{yaml("type: {interactive: true}\n"), `problem.yaml:1: type: found "map[interactive:true]"`},
		{yaml("validation: magic\n"), `problem.yaml:1: validation: found "magic"`},
		{yaml("name: x\nvalidation: custom\n"), "problem.yaml:2: found validation: custom, but no output validator"},
		{yaml("validation: custom interactive\n"), "the problem is interactive, and found no output validator"},
		{yaml("problem_format_version: 2025-09\ntype: interactive\n"), "problem.yaml:2: the problem is interactive, and found no output validator"},
		{yaml("grading: {objective: max}\ntype: [\n"), "problem.yaml:"},
		{yaml("name: x\ngrading: custom\n"), "problem.yaml:2: grading: custom"},
		{yaml("name: x\nconstants: {a: 1}\n"), "problem.yaml:2: constants are not supported"},
		{yaml("limits:\n  memory: -1\n"), "problem.yaml:2: memory: found -1, expected a number above 0"},
		{yaml("problem_format_version: 2025-09\ntype: multi-pass\nlimits: {validation_passes: 1}\n"), "validation_passes: found 1"},
		{yaml("limits:\n  time_multiplier: 0.5\n"), "problem.yaml:2: limits.time_multiplier: found 0.5, expected 1 to 1000"},
		{yaml("limits:\n  time_resolution: 0\n"), "problem.yaml:2: time_resolution: found 0"},
		{map[string]string{".timelimit": "soon"}, `.timelimit:1: found time limit "soon"`},
		{map[string]string{"domjudge-problem.ini": "name=x\ntimelimit='-2'\n"}, `domjudge-problem.ini:2: found time limit "-2"`},
		{map[string]string{"data/secret/2.in": ""}, "data/secret/2.in: found no 2.ans beside it"},
		{map[string]string{"problem.yaml": "problem_format_version: 2025-09\n", "data/secret/1.yaml": "args: {a: 1}\n"}, "data/secret/1.yaml:1: args: found a map"},
		{map[string]string{"data/secret/testdata.yaml": "output_validator_flags: [\n"}, "data/secret/testdata.yaml:1: "},
		{map[string]string{"data/secret/testdata.yaml": "output_validator_flags: fuzzy\n"}, `flags of the default validator: found flag "fuzzy"`},
		{map[string]string{"graders/g.py": ""}, "graders: graders are not supported"},
		{map[string]string{"problem.yaml": "validation: custom\n", "output_validators/a.py": "", "output_validators/b.py": ""}, "output_validators/b.py: is a second output validator beside output_validators/a.py"},
		{map[string]string{"static_validator/a.py": ""}, "static_validator: static validators are not supported"},
		{map[string]string{"submissions.json": "[]"}, "submissions.json: json: "},
		{expects("accepted/**: {permitted: [AC]}\n"), "submissions/submissions.yaml:1: accepted/**: ** is not part of the format"},
		{expects("a:\n  permitted: [OK]\n"), `submissions/submissions.yaml:2: permitted: found "OK", expected some of AC, WA, TLE, RTE`},
		{expects("accepted:\n  {a: {score: [1]}}\n"), "score: found [1], expected a number or a list of two"},
		{expects("a:\n  permitted: []\n"), "submissions/submissions.yaml:2: permitted: found none, expected some of AC, WA, TLE, RTE"},
		{expects("'{a':\n  permitted: [AC]\n"), "{a: found { without }"},
		{expects("accepted:\n  grade: 5\n"), "submissions/submissions.yaml:2: grade: is no key of submissions.yaml"},
		{expects("accepted:\n  score: 5\n"), "accepted: score: the problem has no scores"},
		{expects("accepted/a.py:\n  permitted: [WA]\n"), "submissions/submissions.yaml: permits nothing to accepted/a.py on secret/1"},
		{expects("accepted:\n  use_for_time_limit: maybe\n"), "submissions/submissions.yaml:2: use_for_time_limit: found maybe"},
		{map[string]string{"problem.yaml": "validation: custom\n", "output_validators/a.py": "#!/usr/bin/env python2\n"}, "output_validators/a.py:1: Python 2 is not supported"},
		{map[string]string{"data/secret/link": "-> /etc/passwd"}, `data/secret/link: is a link to "/etc/passwd", which is not in the package`},
		{map[string]string{"data/more": "-> ../../.."}, "data/more: is a link to"},
		{map[string]string{"submissions/mixed/a.py": "# @EXPECTED_RESULTS@: FINE\n"}, `@EXPECTED_RESULTS@: found "FINE"`},
	} {
		_, err := Load(t.Context(), write(t, least(test.files)))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("found %v\nexpected %s", err, test.want)
		}
	}
	for want, files := range map[string]map[string]string{
		"data: found no cases, expected data/sample":                  {"problem.yaml": ""},
		"data: found no cases in sample/ and secret/, but generators": {"problem.yaml": "", "generators/g.py": ""},
	} {
		if _, err := Load(t.Context(), write(t, files)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v\nexpected %s", err, want)
		}
	}
}

// TestIgnored: names that the format does not have are ignored, and said unless they are hidden.
func TestIgnored(t *testing.T) {
	for _, version := range []string{"", "problem_format_version: 2025-09\n"} {
		files := least(map[string]string{"problem.yaml": version, "submissions/accepted/a.py": "", "data/secret/1.files/a b.txt": "", "data/secret/1.files/b.txt": ""})
		for _, name := range []string{"._1", ".hid", "-dash", "a+b", "a b", "é", ".git/1", "a+/1", "-a/1"} {
			files["data/secret/"+name+".in"] = ""
			files["data/secret/"+name+".ans"] = "wrong"
			files["submissions/accepted/"+name] = ""
		}
		files["submissions/accepted/-out"] = "-> /etc/passwd"
		p, err := Load(t.Context(), write(t, files))
		must(t, err)
		if found := fmt.Sprint(len(p.Cases), p.Cases[0].Name, len(p.Submissions), p.Submissions[0].Name); found != "1secret/11accepted/a.py" {
			t.Errorf("%q: found %s", version, found)
		}
		const why = ": not used: the format ignores such a name, expected letters, digits, -, _ and ., but not - first"
		want := []string{"data/secret/-a, and 9 more there" + why, "data/secret/1.files/a b.txt" + why, "submissions/accepted/-a, and 6 more there" + why}
		if !slices.Equal(p.Warnings, want) {
			t.Errorf("%q: found %q, expected %q", version, p.Warnings, want)
		}
	}
}

// TestWarned: what is wrong in a package that is judged all the same.
func TestWarned(t *testing.T) {
	for manifest, want := range map[string]string{
		"problem_format_version: 2025-09\nlimits: {time_limit: 1.3}\n":                                              "problem.yaml:2: time_limit: found 1.3, expected a multiple of time_resolution, which is 1",
		"problem_format_version: 2025-09\nlimits: {time_limit: 1.3, time_resolution: 0.1}\nlanguages: [cpp, ada]\n": "submissions/loose.py: not tried: expected it in a folder, such as submissions/accepted",
		"problem_format_version: 2025-09\nlimits: {validation_passes: 3}\n":                                         "problem.yaml:2: validation_passes: not used: the problem is not multi-pass",
		"limits: {time_limit: 1.3}\ntype: []\nlanguages: [x]\n":                                                     "submissions/loose.py: not tried: expected it in a folder, such as submissions/accepted",
	} {
		p, err := Load(t.Context(), write(t, least(map[string]string{"problem.yaml": manifest, "submissions/loose.py": "", "submissions/submissions.yaml": "{}", "submissions/notes.md": ""})))
		must(t, err)
		if len(p.Warnings) == 0 || p.Warnings[0] != want || len(p.Warnings) > 2 {
			t.Errorf("%s: found %q, expected %q", manifest, p.Warnings, want)
		}
		if allowed := strings.Contains(manifest, "cpp"); allowed != slices.Equal(p.Suffixes, languages["cpp"]) || !allowed && p.Suffixes != nil {
			t.Errorf("%s: found the languages of %q", manifest, p.Suffixes)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add("name: x\nvalidation: custom interactive\nlimits: {memory: 1}\n")
	f.Add("problem_format_version: 2025-09\ntype: [multi-pass]\nname: {en: x}\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Load(t.Context(), write(t, least(map[string]string{"problem.yaml": text})))
		if err == nil && (p.Limits.Time <= 0 || p.Output <= 0 || len(p.Cases) != 1 || p.Passes < 1) {
			t.Errorf("found %+v", p)
		}
	})
}

// TestGiven: what programs are given on a case, by the nearest file that says so.
func TestGiven(t *testing.T) {
	p, err := Load(t.Context(), write(t, map[string]string{
		"problem.yaml":     "problem_format_version: 2025-09\n",
		"data/secret/1.in": "", "data/secret/1.ans": "", "data/secret/1.files/more/x.in": "x", "data/secret/1.yaml": "args: [a, b c]\ninput_validator_args: {v: [x]}\n",
		"data/secret/g/2.in": "", "data/secret/g/2.ans": "", "data/secret/test_group.yaml": "args: [d]\noutput_validator_args: [case_sensitive]\ninput_validator_args: [y]\n",
		"data/secret/2.args": "z", "data/secret/lone.ans": "",
		"input_validators/v/run": "", "input_validators/w.py": "",
		"include/cpp/lib.h": "", "include/default/data/all.txt": "", "include/cobol/x.cob": "", "include/stray.txt": "",
	}))
	must(t, err)
	one, two := p.Cases[0], p.Cases[1]
	found := fmt.Sprintf("%q %s %s %s %q %q %s %s", one.Given, filepath.Base(one.Files), one.Args, one.ValidatorArgs, two.Given, two.Files, two.Args, two.ValidatorArgs)
	if want := `["a" "b c"] 1.files [case_sensitive] map[input_validators/v:[x a b c] input_validators/w.py:[a b c]] ["d"] "" [case_sensitive] map[input_validators/v:[y d] input_validators/w.py:[y d]]`; found != want {
		t.Errorf("found    %s\nexpected %s", found, want)
	}
	if found, want := fmt.Sprint(p.Include), "map[:[{data/all.txt include/default/data/all.txt}] .C:[{lib.h include/cpp/lib.h}] .c++:[{lib.h include/cpp/lib.h}] .cc:[{lib.h include/cpp/lib.h}] .cpp:[{lib.h include/cpp/lib.h}] .cxx:[{lib.h include/cpp/lib.h}]]"; found != want {
		t.Errorf("found %s", found)
	}
	if len(p.Warnings) != 3 {
		t.Errorf("found %q, expected warnings of a language, a stray file, and an answer without input", p.Warnings)
	}
	p, err = Load(t.Context(), write(t, least(map[string]string{
		"problem.yaml":                 "validator_flags: case_sensitive\nlimits: {speed: 3}\n",
		"data/secret/testdata.yaml":    "output_validator_flags: {name: x, flags: float_tolerance 1e-6}\ninput_validator_flags: {name: b, flags: c d}\n",
		"data/secret/1.args":           "p  q\n",
		"input_format_validators/a.py": "", "input_format_validators/b.py": "",
	})))
	must(t, err)
	if found := fmt.Sprint(p.Cases[0].Given, p.Cases[0].Args, p.Cases[0].ValidatorArgs); found != "[p q] [case_sensitive float_tolerance 1e-6] map[input_format_validators/b.py:[c d]]" {
		t.Errorf("found %s", found)
	}
	if len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0], "problem.yaml:2: not used: no version of the format has the key limits.speed") {
		t.Errorf("found %q", p.Warnings)
	}
}

// TestExpectations: what submissions.yaml says of which submissions, on which cases.
func TestExpectations(t *testing.T) {
	p, err := Load(t.Context(), write(t, map[string]string{
		"problem.yaml":     "problem_format_version: 2025-09\ntype: scoring\n",
		"data/sample/1.in": "", "data/sample/1.ans": "",
		"data/secret/g1/1-easy.in": "", "data/secret/g1/1-easy.ans": "", "data/secret/g1/test_group.yaml": "max_score: 40\n",
		"data/secret/g2/1-hard.in": "", "data/secret/g2/1-hard.ans": "", "data/secret/g2/test_group.yaml": "max_score: 60\n",
		"submissions/submissions.yaml": "wrong_answer: {permitted: [AC, WA, TLE]}\n" +
			"'{accepted,mixed}/*.{py,cpp}': {authors: me, message: fine, entrypoint: go.py}\n" +
			"mixed:\n  sample: {permitted: [AC]}\n  secret/g2: {score: [0, 5], required: [TLE]}\n  '*/*/*-easy': {permitted: [AC]}\n  none: {permitted: [AC]}\n" +
			"accepted/a.py: {score: 100}\n",
		"submissions.json":          `{"submissions/wrong_answer/c/": {"entry_point": "Main", "langid": "java"}}`,
		"submissions/accepted/a.py": "", "submissions/mixed/b.cpp": "", "submissions/wrong_answer/c/Main.java": "", "submissions/other/d.py": "",
		"submissions/mine/e/e.py": "# @EXPECTED_RESULTS@: TIMELIMIT\n# @EXPECTED_SCORE@: 40\n",
	}))
	must(t, err)
	var found []string
	for _, s := range p.Submissions {
		found = append(found, fmt.Sprintf("%s %v %v %q %q %d", s.Name, s.Permitted, s.Required, s.Score.String(), s.Main, len(s.Rules)))
		for _, r := range s.Rules {
			found = append(found, fmt.Sprintf("  %s %s", r, r.Cases))
		}
	}
	want := []string{
		`accepted/a.py [AC] [AC] "" "go.py" 2`, "  score 100 [sample/1 secret/g1/1-easy secret/g2/1-hard]", `  message "fine" [sample/1 secret/g1/1-easy secret/g2/1-hard]`,
		`mine/e [TLE AC] [TLE] "40" "" 0`,
		`mixed/b.cpp [] [] "" "go.py" 5`, "  */*/*-easy: only AC [secret/g1/1-easy]", "  none: only AC []", "  sample: only AC [sample/1]", "  secret/g2: once TLE, score 0 to 5 [secret/g2/1-hard]", `  message "fine" [sample/1 secret/g1/1-easy secret/g2/1-hard]`,
		`wrong_answer/c [AC WA TLE] [WA] "" "Main" 0`,
	}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("found    %q\nexpected %q", found, want)
	}
	if len(p.Warnings) != 2 {
		t.Errorf("found %q, expected warnings of a pattern that matches nothing, and of a submission that nothing is said of", p.Warnings)
	}
}

// TestTiming: by which submissions a time limit is inferred, and what it is.
func TestTiming(t *testing.T) {
	files := map[string]string{
		"submissions/accepted/a.py": "", "submissions/wrong_answer/w.py": "", "submissions/time_limit_exceeded/t.py": "", "submissions/brute_force/b.py": "",
		"data/sample/1.in": "", "data/sample/1.ans": "",
	}
	of := func(more map[string]string) string {
		p, err := Load(t.Context(), write(t, least(merged(files, more))))
		must(t, err)
		if p.Timing == nil {
			return p.LimitFrom
		}
		return fmt.Sprint(p.Timing.Of, " ", p.Timing, " ", p.Timing.Limit(1300*time.Millisecond), " ", p.Timing.Limit(time.Millisecond))
	}
	newer := func(limits, expectations string) map[string]string {
		return map[string]string{"problem.yaml": "problem_format_version: 2025-09\nlimits: {" + limits + "}\n", "submissions/submissions.yaml": expectations}
	}
	for _, test := range []struct {
		files map[string]string
		want  string
	}{
		{nil, "[{accepted/a.py  [sample/1 secret/1]}] times 5, rounded to a multiple of 1s 7s 1s"},
		{map[string]string{"problem.yaml": "limits: {time_multiplier: 2}\n"}, "[{accepted/a.py  [sample/1 secret/1]}] times 2, rounded to a multiple of 1s 3s 1s"},
		{map[string]string{".timelimit": "3"}, ".timelimit"},
		{map[string]string{".timelimit": "3", "domjudge-problem.ini": "timelimit = 4\n"}, "domjudge-problem.ini"},
		{newer("", "{}"), "[{accepted/a.py  [sample/1 secret/1]} {wrong_answer/w.py  [sample/1 secret/1]}] times 2, rounded up to a multiple of 1s 3s 1s"},
		{newer("time_resolution: 0.5, time_multipliers: {ac_to_time_limit: 1.5}", "wrong_answer: {use_for_time_limit: false}"),
			"[{accepted/a.py  [sample/1 secret/1]}] times 1.5, rounded up to a multiple of 500ms 2s 500ms"},
		{newer("", "accepted: {use_for_time_limit: false}\nwrong_answer: {permitted: [AC, WA, TLE]}\n'*/b.py': {secret: {use_for_time_limit: lower}}\n"),
			"[{brute_force/b.py  [secret/1]}] times 2, rounded up to a multiple of 1s 3s 1s"},
	} {
		if found := of(test.files); found != test.want {
			t.Errorf("found    %s\nexpected %s", found, test.want)
		}
	}
}

func merged(list ...map[string]string) map[string]string {
	all := make(map[string]string)
	for _, one := range list {
		maps.Copy(all, one)
	}
	return all
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
