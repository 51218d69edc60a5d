package cms

import (
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"umpire/referee/external/problem"
)

// write writes a package.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, all := filepath.Join(t.TempDir(), "guess"), make(fstest.MapFS)
	for name, text := range files {
		all[strings.TrimSuffix(name, "/")] = &fstest.MapFile{Data: []byte(text)}
		if strings.HasSuffix(name, "/") {
			all[strings.TrimSuffix(name, "/")].Mode = fs.ModeDir
		}
	}
	if err := os.CopyFS(dir, all); err != nil {
		t.Fatal(err)
	}
	return dir
}

// least is a package with one case; more replaces or adds files.
func least(more map[string]string) map[string]string {
	files := map[string]string{Marker: "name: sums\ntitle: Sums\nn_input: 1\n", "check/manager.py": "", "input/input0.txt": "1\n"}
	maps.Copy(files, more)
	return files
}

func loaded(t *testing.T, more map[string]string) *problem.Problem {
	t.Helper()
	p, err := load(t.Context(), write(t, least(more)), true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLoad: what is read, in both languages of the keys, and what stands for what is not said.
func TestLoad(t *testing.T) {
	p := loaded(t, nil)
	if p.Judge != "check/manager.py" || p.Title != "Sums" || !p.Interactive || p.Processes != 1 || p.ByFIFOs || p.Stub != "" ||
		p.Limits.Time != 2*time.Second || !p.Limits.CPU || p.Limits.Memory != 2<<30 || len(p.Warnings) != 0 {
		t.Errorf("found %+v", p)
	}
	if c := p.Cases[0]; c.Name != "input/000" || filepath.Base(c.Input) != "input0.txt" || c.Answer != "" || len(p.Cases) != 1 {
		t.Errorf("found cases %+v", p.Cases)
	}
	p = loaded(t, map[string]string{
		Marker:        "nome_breve: somme\nnome: Somme\ntimeout: 1.5\nmemlimit: 64\nnum_processes: 3\nn_input: 1\ntoken_mode: disabled\nodd: 1\n",
		"sol/stub.py": "", "sol/stub.cpp": "", "sol/somme.h": "", "sol/grader.cpp": "", "sol/soluzione.cpp": "", "sol/slow.py": "", "sol/notes.txt": "",
		"check/manager": "\x7fELF", "check/manager.h": "", "input/input1.txt": "",
	})
	if p.Limits.Time != 1500*time.Millisecond || p.Limits.Memory != 64<<20 || p.Processes != 3 || !p.ByFIFOs || p.Stub != "stub" || p.FileName != "somme" ||
		fmt.Sprint(p.Include) != "map[:[{somme.h sol/somme.h} {stub.cpp sol/stub.cpp} {stub.py sol/stub.py}]]" {
		t.Errorf("found %+v", p)
	}
	if found := fmt.Sprint(p.Warnings); !strings.Contains(found, "task.yaml:8: not used: the format has no key odd") || !strings.Contains(found, "check/manager: not used") ||
		!strings.Contains(found, "input/input1.txt: not used") || len(p.Warnings) != 3 {
		t.Errorf("found warnings %s", found)
	}
	if found := fmt.Sprint(p.Submissions[0].Name, p.Submissions[0].Required, " ", p.Submissions[1].Name, p.Submissions[1].Required, p.Submissions[1].Score, len(p.Submissions)); found != "slow.py[] soluzione.cpp[AC] 100 2" {
		t.Errorf("found submissions %s", found)
	}
	if p = loaded(t, map[string]string{"sol/stub.py": "", Marker: "name: a\nuser_io: std_io\n"}); p.ByFIFOs || p.Stub == "" {
		t.Errorf("found %+v, expected a stub and standard streams", p)
	}
	if p = loaded(t, map[string]string{Marker: "name: a\nuser_io: fifo_io\n"}); !p.ByFIFOs {
		t.Errorf("found %+v, expected FIFOs", p)
	}
}

// score grades a package whose cases give scores, "-" being a failed one.
func score(p *problem.Problem, scores ...string) string {
	outcomes := make(map[string]problem.Outcome)
	for i, c := range p.Cases {
		if n, ok := new(big.Rat).SetString(scores[i]); ok {
			outcomes[c.Name] = c.Worth.Outcome("ok", n)
		} else {
			outcomes[c.Name] = c.Worth.Outcome("crash", new(big.Rat))
		}
	}
	grade := p.Grading.Grade(outcomes)
	list := []string{grade.Points().FloatString(2)}
	for _, g := range grade.Groups {
		list = append(list, g.Group.Name+" "+g.Score.FloatString(1))
	}
	return strings.Join(list, ", ")
}

// TestSubtasks: gen/GEN says what cases are worth.
func TestSubtasks(t *testing.T) {
	inputs := map[string]string{"input/input1.txt": "", "input/input2.txt": "", Marker: "name: a\n"}
	with := func(gen, task string) *problem.Problem {
		files := maps.Clone(inputs)
		if gen != "" {
			files["gen/GEN"] = gen
		}
		if task != "" {
			files[Marker] = task
		}
		return loaded(t, files)
	}
	p := with("# all of them\n#ST: 30\n1 2 # small\n\n#COPY: example.txt\n# ST: 70\n1000 #large\n", "")
	if found := fmt.Sprint(p.Cases[0].Name, p.Cases[1].Name, p.Cases[2].Name); found != "subtask1/000subtask1/001subtask2/002" {
		t.Errorf("found cases %s", found)
	}
	for scores, want := range map[string]string{
		"1 1 1": "100.00, subtask1 30.0, subtask2 70.0", "1 0.5 1": "85.00, subtask1 15.0, subtask2 70.0",
		"1 - 0.25": "17.50, subtask1 0.0, subtask2 17.5", "- - -": "0.00, subtask1 0.0, subtask2 0.0",
	} {
		if found := score(p, strings.Fields(scores)...); found != want {
			t.Errorf("%s: found %s, expected %s", scores, found, want)
		}
	}
	if found := score(with("a\nb\nc\n", ""), "1", "-", "0.5"); found != "50.00" {
		t.Errorf("without subtasks: found %s, expected 50.00", found)
	}
	if found := score(with("", "name: a\nn_input: 3\ntotal_value: 30\n"), "1", "1", "0.5"); found != "25.00" {
		t.Errorf("without gen/GEN: found %s, expected 25.00", found)
	}
	if p := with("#ST: 30\na\nb\nc\n", ""); len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "give 30 points in all") {
		t.Errorf("found warnings %v", p.Warnings)
	}
}

// TestRefused: what is not judged, or wrong, is said with file, line and reason.
func TestRefused(t *testing.T) {
	task := func(text string) map[string]string { return map[string]string{Marker: "name: a\n" + text} }
	gen := func(text string) map[string]string { return map[string]string{"gen/GEN": text, Marker: "name: a\n"} }
	for _, test := range []struct {
		files map[string]string
		want  string
	}{
		{task("output_only: true\n"), "task.yaml:2: output_only: "},
		{task("task_type: Batch\n"), `task.yaml:2: task_type: found "Batch", expected Communication`},
		{task("score_type: GroupMul\n"), `task.yaml:2: score_type: found "GroupMul"`},
		{task("\nnum_processes: 0\n"), "task.yaml:3: num_processes: found 0, expected 1 to 64"},
		{task("num_processes: 1000000\n"), "task.yaml:2: num_processes: found 1000000"},
		{task("num_processes: two\n"), "task.yaml:2: "},
		{task("user_io: pipes\n"), `task.yaml:2: user_io: found "pipes", expected std_io or fifo_io`},
		{task("time_limit: -1\n"), "task.yaml:2: time_limit: found -1, expected a number above 0"},
		{task("time_limit: .nan\n"), "task.yaml:2: time_limit: found NaN"},
		{task("time_limit: 0.0000001\n"), "task.yaml:2: time_limit: found 100ns"},
		{task("memory_limit: 1e300\n"), "task.yaml:2: memory_limit: found 1e+300"},
		{task("n_input: 2\n"), "input/input1.txt: found no such file, of 2 cases"},
		{task("n_input: 1000000000\n"), "task.yaml:2: found 1000000000 cases"},
		{task("n_input: 0\n"), "task.yaml:2: found 0 cases"},
		{task("total_value: 0\n"), "task.yaml:2: total_value: found 0"},
		{task("a: b: c\n"), "task.yaml:2: "},
		{task("name: b\n"), "task.yaml:2: "},
		{map[string]string{Marker: "name: ../a\n"}, `task.yaml:1: name: found "../a"`},
		{map[string]string{Marker: "- a\n"}, "task.yaml:1: "},
		{map[string]string{Marker: strings.Repeat("[", 5000)}, "task.yaml:1: "},
		{map[string]string{Marker: "\x00\xff"}, "task.yaml"},
		{map[string]string{"check/manager.cpp": ""}, "check/manager.py: is a second manager beside check/manager.cpp"},
		{map[string]string{"check/controller.cpp": ""}, "check/controller.cpp: controllers of task-maker are not supported"},
		{gen("a\n#ST: 100\nb\n"), "gen/GEN:2: found cases before the first #ST:"},
		{gen("#ST: many\na\n"), `gen/GEN:1: #ST: found "many", expected points`},
		{gen("#ST: -1\na\n"), `gen/GEN:1: #ST: found "-1"`},
		{gen("#ST: 100\n"), "gen/GEN:1: #ST: found no cases in this subtask"},
		{gen("a #ST: 100\n"), "gen/GEN:1: found a case and a command in one line"},
		{map[string]string{"gen/GEN": "a\nb\n"}, "task.yaml:3: n_input: found 1, and gen/GEN makes 2 cases"},
		{gen("a\nb\n"), "input/input1.txt: found no such file, of 2 cases: generate them first"},
	} {
		_, err := load(t.Context(), write(t, least(test.files)), true)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("found %v\nexpected %s", err, test.want)
		}
	}
	for want, files := range map[string]map[string]string{
		"task.yaml: found no judge, expected check/manager":            {Marker: "name: a\n", "input/input0.txt": "", "check/checker.cpp": ""},
		"task.yaml: found no cases, expected input/input0.txt":         {Marker: "name: a\n", "check/manager.py": "", "gen/generator.py": ""},
		"task.yaml:1: found 0 cases, expected 1 to 10000: files input": {Marker: "name: a\n", "check/manager.py": ""},
	} {
		if _, err := load(t.Context(), write(t, files), true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v\nexpected %s", err, want)
		}
	}
	if _, err := load(t.Context(), write(t, least(nil)), false); err == nil || !strings.Contains(err.Error(), "FIFOs, which Windows does not have") {
		t.Errorf("found %v, expected a refusal on Windows", err)
	}
}

// FuzzTask: whatever stands in task.yaml and gen/GEN, it is refused, or makes a problem that
// can be judged and graded.
func FuzzTask(f *testing.F) {
	f.Add("name: a\nn_input: 1\ntime_limit: 1\n", "#ST: 100\na\n")
	f.Add("nome_breve: a\nnum_processes: 2\nuser_io: std_io\ntotal_value: 3.5\n", "a # b\n")
	f.Fuzz(func(t *testing.T, task, gen string) {
		p, err := load(t.Context(), write(t, least(map[string]string{Marker: task, "gen/GEN": gen})), true)
		if err != nil {
			return
		}
		if p.Limits.Time <= 0 || p.Limits.Memory <= 0 || len(p.Cases) == 0 || p.Judge == "" || p.Processes < 1 || len(p.Grading.Names()) != len(p.Cases) {
			t.Errorf("found %+v", p)
		}
		p.Grading.Grade(nil)
	})
}
