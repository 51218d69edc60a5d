package tournament

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"umpire/referee/settings"
	"umpire/referee/yamlfile"
)

// Key is a key of a configuration.
type Key struct {
	settings.Setting
	In    string // the key that it is nested in: bots or budgets; "" at the top
	About string // description for the schema

	// NoFlag reports that no flag of the key's name sets it: game and bots are
	// arguments, and the output is -o.
	NoFlag bool
	// Decides reports whether the key decides a result, or who meets whom: a
	// run is resumed only with the same value. Cases, isolation and languages
	// also decide results, but are compared after they have been resolved.
	Decides bool
	// Always reports whether the configuration in a run folder has the key even
	// if nobody has set it. If it is missing, an older version wrote the file.
	Always bool

	form string // schema of the value, if it does not follow from the kind
}

// keys lists all keys of a configuration, in the order in which it is written.
// Config and its parts have a field for each.
var keys = []Key{
	{Setting: key("game"), NoFlag: true, About: "The game; `umpire games` lists them."},
	{Setting: key("folder"), NoFlag: true, About: "Base of relative paths, and working directory of bots without a folder of their own."},
	{
		Setting: key("bots"), NoFlag: true, form: `"type": "array", "minItems": 2`,
		About: "The bots. In a gauntlet the challengers come first; Swiss and knockout seed the bots in this order.",
	},
	{
		Setting: key("name"), In: "bots", NoFlag: true, form: `"type": "string", "pattern": "^[^@/= \\t]*$"`,
		About: "Name in tables and records; by default the file's name.",
	},
	{
		Setting: key("command"), In: "bots", NoFlag: true, form: `"type": "string", "minLength": 1`,
		About: "@NAME of a built-in bot, an executable or source file, or a command line.",
	},
	{
		Setting: settings.Setting{Name: "format", Kind: settings.Choice, Choices: words(Formats), Default: string(RoundRobin), Help: "`|`: who meets whom"},
		About:   "Who meets whom.", Decides: true, Always: true,
	},
	{Setting: settings.Case, About: "The one case to play: its name, a file, or its text."},
	{Setting: settings.Cases, About: "A folder or file of cases instead of the standard ones."},
	{Setting: settings.Group, About: "Only cases of this group."},
	{Setting: settings.N, About: "Number of cases to generate."},
	{
		Setting: count("cases-per-pair", 1, "every pair or table plays `N` of the cases (default: all)"),
		About:   "How many of the cases every pair or table plays, drawn by the seed; if there are fewer, they are played again. By default all, once.",
		Decides: true,
	},
	{
		Setting: count("seats", 2, "a match has `N` seats (default: the game's most, or the number of bots)"),
		About:   "Seats of a match, for games with a range; by default the most the game has, or the number of bots if that is smaller.",
		Decides: true, Always: true,
	},
	{
		Setting: count("rounds", 1, "swiss: `N` rounds (default: as many as a knockout takes)"),
		About:   "Rounds of a Swiss tournament; by default as many as a knockout would take.", Decides: true,
	},
	{
		Setting: settings.Setting{Name: "challengers", Kind: settings.Count, Min: 1, Default: "1", Help: "gauntlet: the first `N` bots meet the others"},
		About:   "Gauntlet: how many bots, the first ones, meet each of the others.", Decides: true, Always: true,
	},
	{
		Setting: settings.Setting{Name: "tiebreaks", Help: "what breaks ties, in order: `LIST` of direct, buchholz, buchholz-cut1, sonneborn-berger, wins, difference, points, match-points, firsts, failures"},
		About:   "What breaks ties, in this order, parted by commas; those of rounds are for swiss. By default: swiss buchholz; the rest of the game's rule; direct; failures.",
	},
	{
		Setting: settings.Setting{Name: "sprt", Help: "two bots: stop when a sequential `TEST` has decided whether the second is the stronger one: elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalized|logistic]"},
		About:   "Of two bots: a sequential test that ends the tournament when it has decided whether the second is stronger by elo0 or by elo1: elo0=0,elo1=5, and, if not 0.05, 0.05 and normalized, alpha, beta, model.",
		Decides: true,
	},
	{
		Setting: settings.Setting{Name: "until", Help: "round-robin of two seats: play on where the order is least certain, until `GOAL`: sure (it is decided), 10elo (bounds of ±10 Elo between neighbours) or 20m (a time)"},
		About:   "Round-robin of two seats: further mirrored pairs are played where the order is least certain, until it is decided (sure), until the bounds of the difference of any two neighbours are that close (10elo), or for a time (20m). A run may be resumed with another goal.",
	},
	{Setting: settings.Seed, About: "Everything random follows from it.", Decides: true, Always: true},
	{Setting: key("budgets"), NoFlag: true, form: `"type": "object"`, About: "A contestant's budgets in a match; by default the game's limits."},
	{Setting: settings.Time, In: "budgets", About: "Time for all replies together, as in 1s or 500ms.", Decides: true},
	{Setting: settings.TimePerMove, In: "budgets", About: "Time for each reply.", Decides: true},
	{Setting: settings.Startup, In: "budgets", About: "Time of the first reply that is not charged.", Decides: true},
	{Setting: settings.Clock, In: "budgets", About: "What times are measured in.", Decides: true},
	{Setting: settings.Memory, In: "budgets", About: "Memory limit, as in 256M; 0: no limit.", Decides: true},
	{Setting: settings.Grace, In: "budgets", About: "Remote players: time of each reply that is not charged.", Decides: true},
	{Setting: settings.Isolation, About: "What contestants may touch."},
	{
		Setting: settings.Pondering, About: "Thinking during the opponent's turn: allow it, charge it, or charge it and stop a bot that is seen computing until its turn.",
		Decides: true, Always: true,
	},
	{Setting: settings.Jobs, About: "Number of concurrent matches."},
	{Setting: settings.Affinity, About: "Whether each match gets its own CPU."},
	{Setting: settings.Gather, About: "Remote players and people: how long a match waits for them."},
	{Setting: settings.Absent, About: "Remote players and people: whether a match to which they have not come does not count, or they fail in it."},
	{Setting: settings.Idle, About: "Remote players and people: time for a reply where there is no budget."},
	{Setting: settings.Languages, About: "A language table; its rows precede the built-in ones."},
	{Setting: key("output"), NoFlag: true, About: "The run folder, as with -o."},
}

func key(name string) settings.Setting { return settings.Setting{Name: name} }

func count(name string, least int, help string) settings.Setting {
	return settings.Setting{Name: name, Kind: settings.Count, Min: least, Help: help}
}

// Flags returns the keys that are also flags.
func Flags() []Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.NoFlag })
}

// Own returns the flags that tournaments have but single matches do not.
func Own() []settings.Setting {
	shared := slices.Concat(settings.Names(settings.CaseChoice), settings.Names(settings.Conditions), settings.Names(settings.Running), settings.Names(settings.Guests))
	var own []settings.Setting
	for _, k := range Flags() {
		if !slices.Contains(shared, k.Name) {
			own = append(own, k.Setting)
		}
	}
	return own
}

// Override sets the keys that are flags and that another configuration has.
func (c *Config) Override(by Config) {
	for _, k := range Flags() {
		if value := by.Get(k); value != "" {
			c.Set(k, value)
		}
	}
}

// Complete sets the keys that a run folder always has to their defaults, if they have
// no value.
func (c *Config) Complete() {
	for _, k := range Flags() {
		if k.Always && c.Get(k) == "" {
			c.Set(k, k.Default)
		}
	}
}

// CheckUsed refuses what a format would ignore, unless it is the default, which every
// configuration in a run folder states. The format "" is the default.
func (c *Config) CheckUsed(format Format) error {
	format = cmp.Or(format, RoundRobin)
	switch {
	case !slices.Contains(Formats, format): // which Plan refuses
	case format != Swiss && valueOf(c.Rounds) != 0:
		return fmt.Errorf("--rounds: a %s tournament has no number of rounds to choose, only a swiss one", format)
	case format != Gauntlet && valueOf(c.Challengers) > 1:
		return fmt.Errorf("--challengers: a %s tournament has none, only a gauntlet", format)
	}
	return nil
}

// Setting returns the value of a flag, or its default, and whether it is set.
func (c *Config) Setting(name string) (text string, isSet bool) {
	for _, k := range Flags() {
		if k.Name == name {
			text = c.Get(k)
			return cmp.Or(text, k.Default), text != ""
		}
	}
	return "", false
}

// Get returns the value of a key as written in a flag; "" if it is not set.
func (c *Config) Get(k Key) string {
	v := c.field(k)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	return fmt.Sprint(v.Interface())
}

// Set sets a key to a value as written in a flag. An invalid number counts as
// 0.
func (c *Config) Set(k Key, text string) {
	v := c.field(k)
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Int:
		n, _ := strconv.ParseInt(text, 10, 0)
		v.SetInt(n)
	case reflect.Uint64:
		n, _ := strconv.ParseUint(text, 10, 64)
		v.SetUint(n)
	default:
		v.SetString(text)
	}
}

// field returns the field of a key.
func (c *Config) field(k Key) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	if k.In != "" {
		v = fieldOf(v, k.In)
	}
	return fieldOf(v, k.Name)
}

func fieldOf(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if yamlfile.KeyOf(v.Type().Field(i)) == name {
			return v.Field(i)
		}
	}
	panic("configuration: no field for key " + name)
}
