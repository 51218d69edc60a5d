package lone

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLoad: the cases of a folder, and how a judge is called.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	files := make(fstest.MapFS)
	for name, text := range map[string]string{"judge.py": "", "br{ans/judge.py": "", "cases/2.in": "2", "cases/2.ans": "", "cases/deep/1.in": "1", "cases/deep/1.ans": "1", "jam/1.in": "1", "space/a b.in": "", "empty/x": ""} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	digests := make(map[string]bool)
	for _, row := range []struct{ cases, command, format, want string }{
		{"cases", "judge.py", "kattis", "judge.py [{in} {ans} {feedback}/] [cases/2 deep/1]"},
		{"cases", "judge.py", "testlib", "judge.py [{in} {out} {ans}] [cases/2 deep/1]"},
		{"cases/2.in", "judge.py", "testlib", "judge.py [{in} {out} {ans}] [cases/2]"},
		{"jam", "python3 -O judge.py 7", "codejam", "python3 -O judge.py 7 [] [cases/1]"},
		{"jam", "judge.py 7 'a b'", "codejam", "judge.py [7 a b] [cases/1]"},
		{"jam", "python3 judge.py --in={in} 'a b' {in}", "codejam", "python3 judge.py [--in={in} a b {in}] [cases/1]"},
		{"jam", `judge.py '{"a": {}}' 'x {print $1}'`, "codejam", `judge.py [{"a": {}} x {print $1}] [cases/1]`},
		{"jam", `python3 -c 'print(f"{inp}")' {in}`, "codejam", `python3 -c 'print(f"{inp}")' [{in}] [cases/1]`},
		{"jam", "judge.py ${in1} {in} --pattern ^in{3}$ --tmpl {0} --tol ten{eps} {n} {x} {seed}", "codejam", "judge.py [${in1} {in} --pattern ^in{3}$ --tmpl {0} --tol ten{eps} {n} {x} {seed}] [cases/1]"},
		{"jam", "judge.py {in} {min} --max={inn}", "codejam", "judge.py [{in} {min} --max={inn}] [cases/1]"},
		{"jam", "env T={inp} python3 judge.py {in}", "codejam", "env T={inp} python3 judge.py [{in}] [cases/1]"},
		{"jam", "br{ans/judge.py {in}", "codejam", "br{ans/judge.py [{in}] [cases/1]"},
		{"jam", "judge.py {in}", "testlib", "judge.py [{in}] [cases/1]"},
	} {
		p, err := Load(t.Context(), row.cases, Judge{row.command, row.format})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range p.Cases {
			names = append(names, c.Name)
		}
		if found := fmt.Sprint(p.Command, " ", p.Argv, " ", names); found != row.want {
			t.Errorf("%s: found %s, expected %s", row.command, found, row.want)
		}
		digests[p.Digest] = true
	}
	if len(digests) != 13 {
		t.Errorf("found %d digests, expected one for each", len(digests))
	}
	for _, row := range []struct{ cases, command, format, want string }{
		{"jam", "judge.py", "kattis", "jam/1.in: found no 1.ans beside it"},
		{"none", "judge.py", "kattis", "none: found no such folder or file"},
		{"judge.py", "judge.py", "kattis", "judge.py: is no case"},
		{"empty", "judge.py", "kattis", "empty: found no cases, expected files NAME.in"},
		{"space", "judge.py", "codejam", "found a space in the name of a case"},
		{"cases", "judge.py", "spoj", `--judge-format: found "spoj", expected kattis, testlib, codejam`},
		{"cases", "'judge.py", "kattis", "--judge: "},
		{"jam", "python3 judge.py {input}", "codejam", "--judge: found {input}, expected one of {in} {out} {ans} {feedback}"},
		{"jam", "judge.py {min}", "codejam", "--judge: found {min}, expected one of {in} {out} {ans} {feedback}, or {in} as well"},
		{"jam", "judge.py --in={in", "codejam", "--judge: found {in, expected one of"},
		{"jam", "python3 judge.py {in} {sol}", "codejam", "--judge: found {sol}, expected one of"},
		{"jam", "judge.py {in} --dir={feedback_dir}/", "codejam", "--judge: found {feedback_dir}/, expected one of"},
		{"cases", "judge.py {in} {ans} {feedback/", "kattis", "--judge: found {feedback/, expected one of"},
	} {
		if _, err := Load(t.Context(), row.cases, Judge{row.command, row.format}); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("found %v, expected %s", err, row.want)
		}
	}
	before, _ := Load(t.Context(), "jam", Judge{"python3 judge.py {in}", "codejam"})
	if err := os.WriteFile("judge.py", []byte("print(1)"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after, err := Load(t.Context(), "jam", Judge{"python3 judge.py {in}", "codejam"}); err != nil || after.Digest == before.Digest {
		t.Errorf("found the same digest with another judge, %v", err)
	}
}
