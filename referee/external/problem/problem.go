// Package problem is a problem package as plain data: what the reader of a format makes of a
// folder, and what verdicts and scores come to by it. It judges nothing.
package problem

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"umpire/protocols"
	"umpire/referee/interaction"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/talk"
)

// Problem is a problem package.
type Problem struct {
	Name, Title string
	Format      interaction.Format
	Version     string // of the format
	Dir         string // absolute
	Archive     string // absolute path of the archive that Dir was unpacked from; "": none
	Digest      string // of everything that determines how submissions are judged
	Rules       string // its statement, and what else is known, as text
	Cases       []Case
	Extra       []Case // others that Find knows: see ExtraCase
	// Judge is the file or folder of the program that judges, relative to Dir; "": output
	// is compared with the answer, token by token.
	Judge string
	// Command, if not "", is the judge in place of Judge: a program of the user's, which lies
	// where that says.
	Command string
	// Checker is the file of the program that looks at what an interactive judge has written
	// to {out}, relative to Dir; "": there is none. It is called as Judge is.
	Checker string
	// Argv are the arguments of the judge, before those of a case: in them, {in}, {out}, {ans}
	// and {feedback} stand for the paths of input, output, answer, and the folder that the judge
	// may write in. Without {out}, a judge that looks at output reads it from its standard input.
	Argv []string
	// Include are files that are put beside the sources of submissions, by the suffix of
	// those of a language; under "" for all.
	Include map[string][]Included
	// Stub, if not "", is the name without suffix of the one of these that has the main, and
	// FileName is then that of a submission of one file, as it is imported.
	Stub, FileName string
	// Suffixes are those of the languages that submissions may be in; nil: any.
	Suffixes    []string
	Interactive bool // judge and submission run at the same time, and talk
	Passes      int  // how often a submission is run on a case, at most; 1 unless the judge asks for more
	// Processes, if not 0, is how many processes a submission has, with which the judge talks
	// by FIFOs, having the input as its own; with ByFIFOs, they have FIFOs likewise.
	Processes int
	ByFIFOs   bool

	Limits      protocols.Limits
	LimitFrom   string        // who says how much time there is
	Timing      *Timing       // how the time limit is inferred; nil: the package says it
	Output      int64         // bytes that a submission may write
	JudgeTime   time.Duration // CPU time of the judge, for each run
	JudgeMemory int64         // bytes
	JudgeOutput int64         // bytes that the judge may write to files, and as many to standard output and standard error together
	Validators  []string      // files and folders of the programs that check inputs, relative to Dir
	// SubmissionDir is the folder of the submissions, relative to Dir, with slashes.
	SubmissionDir string
	Submissions   []Submission
	// Grading is what scores come to; nil: the problem is pass-fail.
	Grading  *Group
	EachCase bool // what is expected of a submission is said of each case, not of the whole
	IEEE     bool // of Comparison
	// Ignores reports whether files and folders with a base name are none of the package's; nil:
	// all are.
	Ignores  func(base string) bool
	Warnings []string // what is in the folder and does not count

	caseSet func() (fs.FS, error)
}

// Limits where a package, or its format, says none.
const (
	defaultTime      = 2 * time.Second
	defaultMemory    = 2 << 30
	defaultOutput    = 64 << 20
	defaultJudgeTime = time.Minute
)

// New returns a problem in a folder by its absolute path, of which only what that says
// is set, and limits.
func New(dir string, format interaction.Format) *Problem {
	p := &Problem{
		Name: NameOf(filepath.Base(dir)), Dir: dir, Format: format, Passes: 1,
		Limits: protocols.Limits{Time: defaultTime, Memory: defaultMemory, CPU: true}, Output: defaultOutput,
		JudgeTime: defaultJudgeTime, JudgeMemory: defaultMemory, JudgeOutput: defaultOutput,
	}
	p.caseSet = sync.OnceValues(func() (fs.FS, error) { return caseSet(p.Cases) })
	return p
}

// Included is a file of a package that is put beside the source of every submission.
type Included struct {
	Name string // beside the source, with slashes
	File string // in the package, relative to its folder
}

// Case is a case of a package.
type Case struct {
	Name          string // its path below data/, without suffix
	Input, Answer string // files, absolute
	Case          interaction.Case
	Args          []string            // of the judge
	Given         []string            // arguments of the submission
	Files         string              // folder, absolute, whose files are in the submission's working folder; "": none
	Worth         *Worth              // nil: the problem has no scores
	ValidatorArgs map[string][]string // of the input validators, by their paths
}

// Submission is a submission that a package brings along, and what is expected of it.
type Submission struct {
	Name string // its path below SubmissionDir
	// Permitted are the classes of verdicts that it may get, and of Required it must get
	// one: of the whole or, if the problem says EachCase, of its cases; nil: any.
	Permitted, Required []string
	Score               ScoreRange // that the whole must have
	Rules               []Rule     // what else must hold
	Main                string     // its file or class that has the main; "": it is found
}

// Warn adds a warning.
func (p *Problem) Warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}

// Bots are the bots of the package: the files in bots/, by their names without suffix, and its
// submissions, by their paths.
func (p *Problem) Bots() map[string]string {
	bots := program.BotsIn(p.Dir)
	for _, s := range p.Submissions {
		bots[s.Name] = p.File(s)
	}
	return bots
}

// File is the path of a submission.
func (p *Problem) File(s Submission) string {
	return filepath.Join(p.Dir, filepath.FromSlash(p.SubmissionDir), filepath.FromSlash(s.Name))
}

// HasJudge reports whether a program judges.
func (p *Problem) HasJudge() bool { return p.Judge != "" || p.Command != "" }

// NameOf makes a game's name of a file's or folder's.
func NameOf(base string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, base)
	return cmp.Or(strings.Trim(name, "-"), "problem")
}

// Package is what records say of the problem.
func (p *Problem) Package() *record.Package {
	return &record.Package{Format: string(p.Format), Digest: p.Digest, Facts: talk.Facts{Title: strings.ToValidUTF8(p.Title, "�"), MinSeats: 1, MaxSeats: 1}}
}

// Game returns the facts of the problem, as of a game with one seat.
func (p *Problem) Game() protocols.Game {
	g := interaction.Game(p.Name, p.Title)
	g.Rules = p.Rules
	g.Parse = func(text string) (protocols.Case, error) {
		c, err := interaction.ParseCase(text)
		c.Bounds = p.Limits
		return c, err
	}
	g.Generate = func(string, uint64) (protocols.Case, error) {
		return nil, fmt.Errorf("%s draws no cases: they are in its data folder", p.Name)
	}
	return g
}

// Find returns a case by its text.
func (p *Problem) Find(c protocols.Case) (Case, error) {
	for _, own := range slices.Concat(p.Cases, p.Extra) {
		if own.Case.String() == c.String() {
			return own, nil
		}
	}
	return Case{}, fmt.Errorf("found no case %s in %s", c, p.Name)
}

// CaseSet is the set of the problem's cases, made once: each is in the group of its folder
// below data/, and what lies deeper there is part of its name.
func (p *Problem) CaseSet() (fs.FS, error) { return p.caseSet() }

func caseSet(cases []Case) (fs.FS, error) {
	var buf bytes.Buffer
	out := zip.NewWriter(&buf) // a file system in memory
	for _, c := range cases {
		f, err := out.CreateHeader(&zip.FileHeader{Name: SetName(c.Name) + ".txt"})
		if err == nil {
			_, err = f.Write([]byte(c.Case.String()))
		}
		if err != nil {
			return nil, err
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
}

// SetName is the name of a case in CaseSet, by its path below data/.
func SetName(name string) string {
	group, rest, _ := strings.Cut(name, "/")
	return path.Join(group, strings.ReplaceAll(rest, "/", "-"))
}
