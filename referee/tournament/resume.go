package tournament

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/settings"
)

// A resumed run continues under the conditions it began under. Settings that
// decide a result are taken from the run folder; different ones would be a
// different tournament, and are refused. Changes that may affect a result
// without deciding it are reported, and recorded in run.json. Bots may be
// added, changed and removed.

// Past is a run folder's description of earlier runs.
type Past struct {
	Config Config // with isolation, seats and language table as they were
	Info   Info
	// AskedIsolation is the level that the user asked for; "" if it was left to
	// the machine.
	AskedIsolation string
}

// ReadPast reads a run folder's description of earlier runs. The error wraps
// fs.ErrNotExist if there is no description.
func ReadPast(dir string) (*Past, error) {
	config, info, err := Before(dir)
	if err != nil {
		return nil, err
	}
	p := &Past{config, info, config.Isolation}
	if p.Config.Folder == "" {
		p.Config.Folder = p.First().Folder
	}
	p.Config.Isolation = p.First().Isolation
	if info.Seats > 0 {
		p.Config.Seats = &info.Seats
	}
	p.Config.Languages = ""
	if path := filepath.Join(dir, LanguagesFile); program.Exists(path) {
		p.Config.Languages = at("", path)
	}
	return p, nil
}

// First returns how the run was begun.
func (p *Past) First() InfoRun {
	if len(p.Info.Runs) == 0 {
		return InfoRun{}
	}
	return p.Info.Runs[0]
}

// Conditions decide the results of a run.
type Conditions struct {
	Game        string
	Package     *record.Package // that the game is from; nil: it is built in
	Config      Config
	Cases       int // how many
	CasesDigest string
	Isolation   string // level
	Language    string // a language whose row differs from the run's; "" if none does
}

// digestOf returns the digest of a package.
func digestOf(p *record.Package) string {
	if p == nil {
		return "built in"
	}
	return p.Digest
}

// Differences lists how the conditions differ from the run's.
func (p *Past) Differences(now Conditions) []string {
	var differ []string
	differs := func(what, found, expected string) {
		differ = append(differ, fmt.Sprintf("%s: found %s, expected %s", what, found, expected))
	}
	compare := func(what, found, expected string) {
		if found != expected {
			differs(what, cmp.Or(found, "the game's"), cmp.Or(expected, "the game's"))
		}
	}
	compare("game", now.Game, p.Info.Game)
	if now.Game == p.Info.Game {
		compare("package", digestOf(now.Package), digestOf(p.Info.Package))
		if err := now.Package.Contradicts(p.Info.Package, InfoFile, false); err != nil {
			differ = append(differ, err.Error())
		}
	}
	for _, k := range keys {
		expected := p.Config.Get(k)
		if k.Decides && !(expected == "" && k.Always) {
			compare(k.Flag(), k.Canonical(now.Config.Get(k)), k.Canonical(expected))
		}
	}
	if digest := p.Info.CasesDigest; digest != "" && digest != now.CasesDigest {
		differs("cases", report.Plural(now.Cases, "case"), "the "+report.Plural(len(p.Info.Cases), "case")+" of this run, unchanged")
	}
	isolation := "isolation"
	if os.Getenv(settings.Isolation.Env) != "" {
		isolation = "isolation (--isolation, --config or UMPIRE_ISOLATION)"
	}
	compare(isolation, now.Isolation, p.First().Isolation)
	if now.Language != "" {
		differs("--languages", "another row for "+now.Language, "the table of this run, "+p.Config.Languages)
	}
	return differ
}

// Changes lists what has changed since the previous run that may affect results
// without deciding them.
func (p *Past) Changes(now InfoRun, bots []InfoBot) []string {
	if len(p.Info.Runs) == 0 {
		return nil
	}
	before := p.Info.Runs[len(p.Info.Runs)-1]
	var list []string
	compare := func(what, was, is string) {
		if was != is && was != "" {
			list = append(list, fmt.Sprintf("%s: so far %s, now %s", what, was, is))
		}
	}
	compare("umpire", before.Umpire, now.Umpire)
	compare(settings.Jobs.Flag(), fmt.Sprint(before.Jobs), fmt.Sprint(now.Jobs))
	compare(settings.Affinity.Flag(), before.Affinity, now.Affinity)
	compare("machine", before.Machine.String(), now.Machine.String())
	list = append(list, environmentChanges(before.Environment, now.Environment)...)
	digests := make(map[string]string) // of the bots as they were
	for _, b := range p.Info.Bots {
		digests[b.Name] = b.Digest
	}
	for _, b := range bots {
		if digest, ok := digests[b.Name]; ok && digest != b.Digest {
			list = append(list, b.Name+" is a different program than in the previous run; its earlier matches do not count")
		}
	}
	return list
}

// environmentChanges compares the environments that bots get; before is nil if
// it was not recorded.
func environmentChanges(before, now []string) (list []string) {
	if before == nil {
		return nil
	}
	for _, v := range now {
		if name, _, _ := strings.Cut(v, "="); !slices.Contains(before, v) {
			list = append(list, "environment: "+name+" differs from the previous run")
		}
	}
	for _, v := range before {
		name, _, _ := strings.Cut(v, "=")
		if os.Getenv(name) == "" {
			list = append(list, "environment: "+v+" was set in the previous run")
		}
	}
	return list
}

func (m Machine) String() string {
	return fmt.Sprintf("%s, %s, %s, %d CPUs", m.Name, m.Kernel, m.CPU, m.CPUs)
}
