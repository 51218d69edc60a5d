package tournament

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/settings"
	"umpire/referee/yamlfile"
)

// Key is a key of a configuration that is also a flag.
type Key struct {
	settings.Setting
	In string // the key that it is nested in: budgets; "" at the top

	// Decides reports whether the key decides a result, or who meets whom: a
	// run is resumed only with the same value. Cases, isolation and languages
	// also decide results, but are compared after they have been resolved.
	Decides bool
	// Always reports whether the configuration in a run folder has the key even
	// if nobody has set it. If it is missing, an older version wrote the file.
	Always bool
}

// keys lists the keys of a configuration that are also flags, in the order in which it is
// written. Config and Budgets have a field for each, and the schema a description.
var keys = []Key{
	{
		Setting: settings.Setting{Name: "format", Kind: settings.Choice, Choices: Formats, Default: string(RoundRobin), Help: "`|`: who meets whom"},
		Decides: true, Always: true,
	},
	{Setting: settings.Case},
	{Setting: settings.Cases},
	{Setting: settings.Group},
	{Setting: settings.N},
	{Setting: count("cases-per-pair", "", "every pair or table plays `N` of the cases (default: all)"), Decides: true},
	{Setting: count("seats", "", "a match has `N` seats (default: the game's most, or the number of bots)"), Decides: true, Always: true},
	{Setting: count("rounds", "", "swiss: `N` rounds (default: as many as a knockout takes)"), Decides: true},
	{Setting: count("challengers", "1", "gauntlet: the first `N` bots meet the others"), Decides: true, Always: true},
	{
		Setting: settings.Setting{Name: "tiebreaks", Help: "what breaks ties, in order: `LIST` of direct, buchholz, buchholz-cut1, sonneborn-berger, wins, difference, points, match-points, firsts, failures"},
	},
	{
		Setting: settings.Setting{Name: "sprt", Help: "two bots: stop when a sequential `TEST` has decided whether the second is the stronger one: elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalized|logistic]"},
		Decides: true,
	},
	{
		Setting: settings.Setting{Name: "until", Help: "round-robin of two seats: play on where the order is least certain, until `GOAL`: sure (it is decided), 10elo (bounds of ±10 Elo between neighbours) or 20m (a time)"},
	},
	{Setting: settings.Seed, Decides: true, Always: true},
	{Setting: settings.Time, In: "budgets", Decides: true},
	{Setting: settings.TimePerMove, In: "budgets", Decides: true},
	{Setting: settings.Startup, In: "budgets", Decides: true},
	{Setting: settings.Clock, In: "budgets", Decides: true},
	{Setting: settings.Memory, In: "budgets", Decides: true},
	{Setting: settings.Grace, In: "budgets", Decides: true},
	{Setting: settings.Isolation},
	{Setting: settings.Pondering, Decides: true, Always: true},
	{Setting: settings.Jobs},
	{Setting: settings.Affinity},
	{Setting: settings.Gather},
	{Setting: settings.Absent},
	{Setting: settings.Idle},
	{Setting: settings.Languages},
}

func count(name, byDefault, help string) settings.Setting {
	return settings.Setting{Name: name, Kind: settings.Count, Default: byDefault, Help: help}
}

// Schema is the JSON schema of a configuration file, for editors.
//
//go:embed tournament.schema.json
var Schema string

// Flags returns the keys that are also flags.
func Flags() []Key { return keys }

// Own returns the flags that tournaments have but single matches do not.
func Own() []settings.Setting {
	shared := slices.Concat(settings.Names(settings.CaseChoice), settings.Names(settings.Conditions), settings.Names(settings.Running), settings.Names(settings.Guests))
	var own []settings.Setting
	for _, k := range keys {
		if !slices.Contains(shared, k.Name) {
			own = append(own, k.Setting)
		}
	}
	return own
}

// Override sets the keys that are flags and that another configuration has.
func (c *Config) Override(by Config) {
	lines := make(map[string]string)
	maps.Copy(lines, c.lines)
	maps.Copy(lines, by.lines)
	for _, k := range keys {
		lines[k.Name] = c.lines[k.Name]
		if value := by.Get(k); value != "" {
			c.Set(k, value)
			lines[k.Name] = by.lines[k.Name]
		}
	}
	c.lines = lines
}

// Place returns what an error says; if it is about a flag whose value a file has given, or
// about a bot in it, with the file's name, the line and the key.
func (c *Config) Place(text string) string {
	if bot, _, isBot := strings.Cut(text, "\": "); isBot && c.lines[bot+"\": "] != "" {
		return c.lines[bot+"\": "] + ": " + text
	}
	for _, k := range keys {
		if rest, ok := strings.CutPrefix(text, k.Flag()+": "); ok && c.lines[k.Name] != "" {
			return fmt.Sprintf("%s: %s: %s", c.lines[k.Name], k.Name, rest)
		}
	}
	return text
}

// PlaceGame returns an error about the game, with the file's name and the line if a file
// has given it.
func (c *Config) PlaceGame(err error) error {
	if at := c.lines["game"]; at != "" {
		return fmt.Errorf("%s: game: %w", at, err)
	}
	return err
}

// Complete sets the keys that a run folder always has to their defaults, if they have
// no value.
func (c *Config) Complete() {
	for _, k := range keys {
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
	case !slices.Contains(Formats, string(format)): // which Plan refuses
	case format != Swiss && valueOf(c.Rounds) != 0:
		return fmt.Errorf("--rounds: a %s tournament has no number of rounds to choose, only a swiss one", format)
	case format != Gauntlet && valueOf(c.Challengers) > 1:
		return fmt.Errorf("--challengers: a %s tournament has none, only a gauntlet", format)
	}
	return nil
}

// Setting returns the value of a flag, or its default, and whether it is set.
func (c *Config) Setting(name string) (text string, isSet bool) {
	for _, k := range keys {
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
