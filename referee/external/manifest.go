// Package external brings games that are not built in: a folder with a manifest,
// umpire.yaml, and a judge, a program in any language that says how a match goes
// (package talk). It knows nothing of commands.
package external

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee/pattern"
	"umpire/referee/scoring"
	"umpire/referee/settings"
	"umpire/referee/talk"
	"umpire/referee/yamlfile"
)

// ManifestFile is the name of the file that makes a folder a game.
const ManifestFile = "umpire.yaml"

// written is a manifest as it is written. A missing key is its default.
type written struct {
	Game            string   `yaml:"game,omitempty"`
	Title           string   `yaml:"title,omitempty"`
	Seats           string   `yaml:"seats,omitempty"`
	Judge           string   `yaml:"judge,omitempty"`
	Time            string   `yaml:"time,omitempty"`
	Move            string   `yaml:"move,omitempty"`
	Startup         string   `yaml:"startup,omitempty"`
	Memory          string   `yaml:"memory,omitempty"`
	House           string   `yaml:"house,omitempty"`
	Rank            string   `yaml:"rank,omitempty"`
	Formula         string   `yaml:"formula,omitempty"`
	JudgeTime       string   `yaml:"judge-time,omitempty"`
	JudgeMemory     string   `yaml:"judge-memory,omitempty"`
	JudgeThinks     string   `yaml:"judge-thinks,omitempty"`
	JudgeMatches    string   `yaml:"judge-matches,omitempty"`
	OnFailure       string   `yaml:"on-failure,omitempty"`
	Lost            string   `yaml:"lost,omitempty"`
	Won             string   `yaml:"won,omitempty"`
	Replies         string   `yaml:"replies,omitempty"`
	Random          string   `yaml:"random,omitempty"`
	Hidden          string   `yaml:"hidden,omitempty"`
	MaxReplies      string   `yaml:"max-replies,omitempty"`
	Generate        string   `yaml:"generate,omitempty"`
	Groups          []string `yaml:"groups,omitempty"`
	SubmissionSeats string   `yaml:"submission-seats,omitempty"`
}

// Manifest is what a folder's manifest says.
type Manifest struct {
	Name        string
	Facts       talk.Facts
	Limits      protocols.Limits // of every case that does not have its own
	Judge       string           // a file of the folder, or a command line that is run in it
	JudgeTime   time.Duration    // for each step
	JudgeMemory int64            // bytes
	JudgeThinks bool             // it counts as a contestant where processors are shared out
	ManyMatches bool             // one process plays one match after the other
	House       string           // file of the bot that takes free seats; "": there is none
	houseLine   int              // of House in the file
	Random      bool             // the judge draws from a seed
	Generate    string           // command line; "": cases are not generated
	Groups      []string         // of generated cases
	decisive    []string         // what determines how matches go, as it is written
}

// defaultMove is the time of a reply where the manifest limits no time.
const defaultMove = time.Second

var gameName = pattern.New(`^[a-z][a-z0-9-]{0,39}$`)

// IsName reports whether a manifest may give a game that name.
func IsName(name string) bool { return gameName().MatchString(name) }

// parseManifest reads a manifest. The error names the file's name and the line.
func parseManifest(name string, text []byte) (m Manifest, err error) {
	file, err := yamlfile.ParseForeign(name, text)
	if err != nil {
		return m, err
	}
	var w written
	if err := file.DecodeStrict(&w); err != nil {
		return m, err
	}
	if key, err := m.read(w); err != nil {
		return m, file.Mistake(file.Line(key), "%s: %w", key, err)
	}
	m.houseLine = file.Line("house")
	return m, nil
}

// readInto reads a text, unless it is "".
func readInto[T any](to *T, text string, parse func(string) (T, error)) (err error) {
	if text != "" {
		*to, err = parse(text)
	}
	return err
}

// read takes over what is written. An error comes with its key.
func (m *Manifest) read(w written) (key string, err error) {
	set := func(name string, wrong error) { // the first that is wrong
		if err == nil && wrong != nil {
			key, err = name, wrong
		}
	}
	expect := func(name string, ok bool, format string, args ...any) {
		if !ok {
			set(name, fmt.Errorf(format, args...))
		}
	}
	one := func(name, text string, words ...string) string {
		text = cmp.Or(text, words[0])
		expect(name, slices.Contains(words, text), "found %q, expected %s", text, strings.Join(words, " or "))
		return text
	}
	yes := func(name, text, otherwise string) bool {
		text = cmp.Or(map[string]string{"true": "yes", "false": "no"}[text], text, otherwise)
		return one(name, text, "yes", "no") == "yes"
	}
	duration := func(name, text string, to *time.Duration) { set(name, readInto(to, text, settings.ParseDuration)) }
	size := func(name, text string, to *int64) { set(name, readInto(to, text, settings.ParseMemory)) }
	unusual := func(name, text, usual string, others ...string) string {
		if text = one(name, text, append([]string{usual}, others...)...); text == usual {
			return ""
		}
		return text
	}
	m.decisive = []string{
		w.Game, w.Seats, w.Judge, w.Time, w.Move, w.Startup, w.Memory, w.JudgeTime, w.JudgeMemory, w.JudgeMatches,
		w.OnFailure, w.Lost, w.Won, w.Replies, w.Random, w.Hidden, w.MaxReplies, w.Generate,
	}
	m.Name, m.Judge = w.Game, strings.TrimSpace(w.Judge)
	expect("game", IsName(m.Name), "found %q, expected a name of lower-case letters, digits and '-', such as ttt", w.Game)
	expect("judge", m.Judge != "", "found none, expected a file of the folder or a command, such as judge.py")
	f := &m.Facts
	f.Title, f.Formula = cmp.Or(w.Title, w.Game), w.Formula
	var wrong error
	if w.Formula != "" {
		_, wrong = scoring.Compile(w.Formula)
		set("formula", wrong)
	}
	f.MinSeats, f.MaxSeats, wrong = seatRange(w.Seats)
	set("seats", wrong)
	m.JudgeTime, m.JudgeMemory, m.Limits.Memory = 10*time.Second, 1<<30, 256<<20
	duration("time", w.Time, &m.Limits.Time)
	duration("move", w.Move, &m.Limits.PerMove)
	duration("startup", w.Startup, &m.Limits.Startup)
	size("memory", w.Memory, &m.Limits.Memory)
	duration("judge-time", w.JudgeTime, &m.JudgeTime)
	expect("judge-time", m.JudgeTime > 0, "found %q, expected a time above 0, such as 10s", w.JudgeTime)
	size("judge-memory", w.JudgeMemory, &m.JudgeMemory)
	if w.Time == "" && w.Move == "" {
		m.Limits.PerMove = defaultMove
	}
	f.Rank = unusual("rank", w.Rank, "points", talk.ByWins, talk.ByPlaces)
	m.JudgeThinks = yes("judge-thinks", w.JudgeThinks, "no")
	m.ManyMatches = one("judge-matches", w.JudgeMatches, "one", "many") == "many"
	f.OnFailure = unusual("on-failure", w.OnFailure, "loses", talk.Continues)
	expect("on-failure", w.OnFailure != "" || f.MaxSeats <= 2, "found none, expected loses or continues, as a match may have more than two seats")
	f.Lost, f.Won = w.Lost, w.Won
	set("lost", readInto(new(protocols.Score), w.Lost, protocols.ParseScore))
	set("won", readInto(new(protocols.Score), w.Won, protocols.ParseScore))
	lost, won, wrong := f.Scores()
	expect("lost", wrong != nil || f.MaxSeats == 1 || lost.Compare(won) <= 0, "found %v, more than the %v of `won`: who fails would be ahead", lost, won)
	f.Replies = unusual("replies", w.Replies, "text", talk.Bytes)
	m.Random = yes("random", w.Random, "yes")
	f.Hidden = yes("hidden", w.Hidden, "no")
	wrong = readInto(&f.MaxReplies, w.MaxReplies, strconv.Atoi)
	inRange := w.MaxReplies == "" || wrong == nil && f.MaxReplies >= 1 && f.MaxReplies <= 1e6
	expect("max-replies", inRange, "found %q, expected a number from 1 to 1000000", w.MaxReplies)
	f.Submission = unusual("submission-seats", w.SubmissionSeats, "all", talk.FirstSeat)
	m.House, m.Generate, m.Groups = w.House, w.Generate, w.Groups
	expect("house", w.House == "" || filepath.IsLocal(w.House), "found %q, expected a file of the folder, such as bots/first.py", w.House)
	expect("groups", len(w.Groups) == 0 || w.Generate != "", "found groups, but no `generate:` that draws cases of them")
	return key, err
}

// seatRange reads N or MIN-MAX.
func seatRange(text string) (low, high int, err error) {
	from, to, isRange := strings.Cut(text, "-")
	low, ok := protocols.Number(strings.TrimSpace(from))
	if high = low; isRange {
		var okToo bool
		high, okToo = protocols.Number(strings.TrimSpace(to))
		ok = ok && okToo
	}
	if !ok || low < 1 || high < low || high > talk.MaxSeats {
		return 0, 0, fmt.Errorf("found %q, expected a number from 1 to %d, or a range such as 2-%d", text, talk.MaxSeats, talk.MaxSeats)
	}
	return low, high, nil
}
