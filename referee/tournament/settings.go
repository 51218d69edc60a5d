package tournament

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/settings"
)

// Key is a key of a configuration.
type Key struct {
	settings.Setting
	In    string // the key that it stands below: bots or budgets; "" at the top
	About string // what it is, for the schema

	// NoFlag reports that no flag of the key's name sets it: game and bots are
	// arguments, and the output is -o.
	NoFlag bool
	// Decides reports whether the key decides a result, or who meets whom: a run
	// is resumed only with the same. Cases, isolation and languages do too, and are
	// compared by what they come to.
	Decides bool
	// Always reports whether the configuration in a run folder has the key also
	// where nobody has set it. Where it is missing, an older version wrote it.
	Always bool

	form string // of the value, in the schema, where the kind does not say it
}

// keys are all keys of a configuration, in the order in which it is written.
// Config and its parts have a field for each.
var keys = []Key{
	{Setting: key("game"), NoFlag: true, About: "The game; `umpire games` lists them."},
	{Setting: key("folder"), NoFlag: true, About: "Where relative paths begin, and where bots are started that have no folder of their own."},
	{
		Setting: key("bots"), NoFlag: true, form: `"type": "array", "minItems": 2`,
		About: "The bots. In a gauntlet the challengers come first; Swiss and knockout take the order as that of their seeds.",
	},
	{
		Setting: key("name"), In: "bots", NoFlag: true, form: `"type": "string", "pattern": "^[^@/= \\t]*$"`,
		About: "How it is shown; by default the file's name.",
	},
	{
		Setting: key("command"), In: "bots", NoFlag: true, form: `"type": "string", "minLength": 1`,
		About: "@NAME of a built-in bot, an executable or source file, or a command line.",
	},
	{
		Setting: settings.Setting{Name: "format", Kind: settings.Choice, Choices: words(Formats), Default: string(RoundRobin), Help: "`|`"},
		About:   "Who meets whom.", Decides: true, Always: true,
	},
	{Setting: settings.Case, About: "The one case to play: its name, a file, or its text."},
	{Setting: settings.Cases, About: "A folder or file of cases instead of the standard ones."},
	{Setting: settings.Group, About: "Only cases of this group."},
	{Setting: settings.N, About: "So many generated cases."},
	{
		Setting: count("cases-per-pair", 1, "every pair or table plays `N` of the cases (default: all)"),
		About:   "How many of the cases every pair or table plays, drawn by the seed; more than there are: they are played again. By default all, once.",
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
	{Setting: settings.Seed, About: "Everything random follows from it.", Decides: true, Always: true},
	{Setting: key("budgets"), NoFlag: true, form: `"type": "object"`, About: "What a contestant may use up in a match; by default the game's limits."},
	{Setting: settings.Time, In: "budgets", About: "For all replies, as in 1s or 500ms.", Decides: true},
	{Setting: settings.TimePerMove, In: "budgets", About: "For every reply.", Decides: true},
	{Setting: settings.Startup, In: "budgets", About: "What is not charged of the first reply.", Decides: true},
	{Setting: settings.Clock, In: "budgets", About: "What times are measured in.", Decides: true},
	{Setting: settings.Memory, In: "budgets", About: "As in 256M; 0: no limit.", Decides: true},
	{Setting: settings.Isolation, About: "What contestants may touch."},
	{
		Setting: settings.Pondering, About: "Thinking during the opponent's turn: allow it, charge it, or charge it and stop a bot that is seen computing until its turn.",
		Decides: true, Always: true,
	},
	{Setting: settings.Jobs, About: "Matches at once."},
	{Setting: settings.Affinity, About: "A CPU of its own for each match."},
	{Setting: settings.Languages, About: "A language table; its rows go before the built-in ones."},
	{Setting: key("output"), NoFlag: true, About: "The run folder, as with -o."},
}

func key(name string) settings.Setting { return settings.Setting{Name: name} }

func count(name string, least int, help string) settings.Setting {
	return settings.Setting{Name: name, Kind: settings.Count, Min: least, Help: help}
}

// Flags are the keys that are flags as well.
func Flags() []Key {
	return slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.NoFlag })
}

// Own are the flags that tournaments have and single matches do not.
func Own() []settings.Setting {
	shared := slices.Concat(settings.Names(settings.CaseChoice), settings.Names(settings.Conditions), settings.Names(settings.Running))
	var own []settings.Setting
	for _, k := range Flags() {
		if !slices.Contains(shared, k.Name) {
			own = append(own, k.Setting)
		}
	}
	return own
}

// Get is the value of a key as it is written in a flag; "" if it is not set.
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

// Set sets a key to a value as it is written in a flag. What is no number is 0.
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

// field is the field of a key.
func (c *Config) field(k Key) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	if k.In != "" {
		v = fieldOf(v, k.In)
	}
	return fieldOf(v, k.Name)
}

func fieldOf(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if keyOf(v.Type().Field(i)) == name {
			return v.Field(i)
		}
	}
	panic("configuration: no field for key " + name)
}

// keyOf is the key that a field is for.
func keyOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return name
}
