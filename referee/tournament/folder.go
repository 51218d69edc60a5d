package tournament

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"umpire/referee/arena"
	"umpire/referee/procfs"
	"umpire/referee/record"
	"umpire/referee/userfile"
)

// Files of a run folder, beside the results file.
const (
	ConfigFile    = record.RunConfigFile // the tournament as it was resolved; --config takes it
	InfoFile      = record.RunInfoFile   // an Info
	LanguagesFile = "languages.yaml"     // the language table in force; --languages takes it
)

// Info describes how the results in a run folder came about.
type Info struct {
	Game        string          `json:"game"`
	Package     *record.Package `json:"package,omitempty"` // that the game is from; nil: it is built in
	Format      Format          `json:"format"`
	Seats       int             `json:"seats"`
	Seating     Seating         `json:"seating,omitempty"`
	Seed        uint64          `json:"seed"`
	Cases       []string        `json:"cases"`        // names
	CasesDigest string          `json:"cases_digest"` // hash of names, texts and groups
	CaseDigests []string        `json:"case_digests"` // of each case's text: those of equal text are repetitions
	// CaseSet holds the cases as they are in the records.
	CaseSet []record.Case `json:"case_set"`
	Bots    []InfoBot     `json:"bots"`
	// Earlier are bots of earlier runs that no longer take part, or not as the same
	// program; nil if they are not all known.
	Earlier []InfoBot `json:"earlier_bots"`
	// Results is the digest of the result lines when the last run ended; nil if none
	// has ended.
	Results *record.Digest `json:"results"`
	Repeat  string         `json:"repeat"` // the command that plays the whole tournament again
	Resume  string         `json:"resume"` // the command that plays the missing matches
	Runs    []InfoRun      `json:"runs"`   // the first run, and those that resumed it
}

// InfoBot is a bot that takes part.
type InfoBot struct {
	Name   string   `json:"name"`
	Label  string   `json:"label"` // as the user named it
	Digest string   `json:"digest"`
	Path   string   `json:"path"`
	Args   []string `json:"args"`
	// NotCovered describes, with their versions, the compiler or interpreter
	// whose files are not part of Digest.
	NotCovered []string `json:"not_covered,omitempty"`
	// Broken is why the bot could not be compiled or started; "" if it could.
	Broken string `json:"broken,omitempty"`
	// NotJudged is what the machine lacked to judge the bot; "" if nothing.
	NotJudged string `json:"not_judged,omitempty"`
}

// InfoRun is one start of umpire.
type InfoRun struct {
	Started   string   `json:"started"`
	Command   []string `json:"command"`
	Folder    string   `json:"folder"` // where umpire was started
	Umpire    string   `json:"umpire"`
	Go        string   `json:"go"`
	Isolation string   `json:"isolation"`
	Jobs      int      `json:"jobs"` // 0: all matches were played by workers
	Affinity  string   `json:"affinity"`
	Machine   Machine  `json:"machine"`
	// Environment is the part of umpire's environment that isolated bots get,
	// NAME=VALUE.
	Environment []string `json:"environment"`
}

// Machine is the machine umpire ran on.
type Machine struct {
	Name        string `json:"name"`
	OS          string `json:"os"`
	System      string `json:"system"` // distribution whose programs and libraries the bots use
	Kernel      string `json:"kernel"`
	Arch        string `json:"arch"`
	CPU         string `json:"cpu"`
	CPUs        int    `json:"cpus"` // number of CPUs that umpire may use
	MemoryBytes int64  `json:"memory_bytes"`
}

// ThisMachine describes the machine umpire runs on; unknown fields are empty.
func ThisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: len(arena.CPUs())}
	if m.CPUs == 0 {
		m.CPUs = runtime.NumCPU()
	}
	m.Name, _ = os.Hostname()
	m.System = systemName()
	m.Kernel = procfs.FirstLine("/proc/sys/kernel/osrelease")
	m.CPU = procfs.Value("/proc/cpuinfo", "model name")
	m.MemoryBytes = procfs.Number([]byte(procfs.Value("/proc/meminfo", "MemTotal"))) << 10
	return m
}

// systemName returns the distribution with its version; "" if unknown.
func systemName() string {
	text, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(text)) {
		if name, found := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); found {
			return strings.Trim(name, `"'`)
		}
	}
	return ""
}

// NewFolder makes a new folder base-DATE-N below parent.
func NewFolder(parent, base string, now time.Time) (string, error) {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		dir := filepath.Join(parent, fmt.Sprintf("%s-%s-%d", base, now.Format("2006-01-02"), n))
		err := os.Mkdir(dir, 0o755)
		if !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// Before reads a run folder's description of earlier runs. The error wraps
// fs.ErrNotExist if there is no description.
func Before(dir string) (config Config, info Info, err error) {
	path := filepath.Join(dir, ConfigFile)
	text, err := readBounded(path)
	if err == nil {
		config, err = ReadConfig(path, text)
	}
	if err != nil {
		return config, info, err
	}
	path = filepath.Join(dir, InfoFile)
	if text, err = readBounded(path); err == nil {
		if err = json.Unmarshal(text, &info); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	return config, info, err
}

// maxDescription is the most bytes that a file about a run may have.
const maxDescription = 64 << 20

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxDescription {
		return nil, errors.Join(err, fmt.Errorf("%s: expected a file of at most %d MiB", path, maxDescription>>20))
	}
	return io.ReadAll(io.LimitReader(f, maxDescription))
}

// Describe writes a run folder's description: its configuration, the language
// table in force, and the info, to which it adds the earlier runs. The configuration comes
// last: a folder that has it can be resumed, one without has not begun.
func Describe(dir string, config Config, languages []byte, info Info) error {
	info.Earlier = []InfoBot{}
	if _, before, err := Before(dir); err == nil {
		info.follow(before)
	}
	configText, err := config.text()
	if err != nil {
		return err
	}
	infoText, err := info.text()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{LanguagesFile, languages}, {InfoFile, infoText}, {ConfigFile, configText}} {
		if err := userfile.Replace(filepath.Join(dir, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// follow adds what is known of the runs before this one.
func (info *Info) follow(before Info) {
	info.Runs, info.Results = append(before.Runs, info.Runs...), before.Results
	if before.Earlier == nil {
		info.Earlier = nil
		return
	}
	for _, b := range slices.Concat(before.Earlier, before.Bots) {
		same := func(other InfoBot) bool { return other.Name == b.Name && other.Digest == b.Digest }
		if !slices.ContainsFunc(info.Bots, same) && !slices.ContainsFunc(info.Earlier, same) {
			info.Earlier = append(info.Earlier, b)
		}
	}
}

// text returns the info as the text of its file.
func (info Info) text() ([]byte, error) {
	text, err := json.MarshalIndent(info, "", "  ")
	return append(text, '\n'), err
}

// RenewDigest writes the digest of the results as they are now into the description
// of a run. In a folder without one it does nothing. Where lines have changed since the digest
// was taken, other than by being withdrawn, that stays.
func RenewDigest(dir string, withdrawn bool) (changed bool, err error) {
	_, info, err := Before(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	in, err := record.Open(dir)
	if err != nil {
		return false, err
	}
	defer in.Close()
	before := record.Digest{}
	if info.Results != nil && !withdrawn {
		before = *info.Results
	}
	first, all, err := record.Digests(in, before.Lines)
	if err != nil || before.Lines > 0 && first != before {
		return err == nil, err
	}
	info.Results = &all
	text, err := info.text()
	if err == nil {
		err = userfile.Replace(filepath.Join(dir, InfoFile), text, 0o644)
	}
	return false, err
}
