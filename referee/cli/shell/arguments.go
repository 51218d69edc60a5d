package shell

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/pattern"
	"umpire/referee/suggest"
)

// Sort returns a command line with the command's flags before its arguments,
// where the library expects them; users may write them anywhere. "--" ends the
// flags. A line that asks for help becomes that of the command help. Errors are
// the user's.
func (s *Shell) Sort(args []string) ([]string, error) {
	switch {
	case len(args) == 0:
		args = []string{"help"}
	case (len(args) == 1 || len(args) == 2 && asksHelp(args[1])) && s.isGroup(args[0]) && s.App.Command(args[0]) == nil:
		args = []string{"help", args[0]}
	case len(args) > 1 && args[0] == "help" && args[1] == "topics":
		args = append([]string{"help", "topic"}, args[2:]...)
	}
	command, words := s.find(args)
	if command == nil {
		return nil, s.unknown(args)
	}
	l := s.read(command, words)
	switch {
	case l.help != "" && command.Name != "help":
		return []string{"help", fmt.Sprint("--all=", l.help == helpAll), command.Name}, nil
	case l.waiting != nil:
		l.fail(usagef("%s: found nothing after it, expected a value", l.last))
	}
	return slices.Concat([]string{command.Name}, l.flags, []string{"--"}, l.args), l.mistake
}

// line is a command's words, as far as they are typed.
type line struct {
	command *cli.Command
	flags   []string // with their values: --NAME=VALUE
	args    []string
	given   map[cli.Flag]string // values
	last    string              // the last flag, as typed
	waiting cli.Flag            // that flag, while its value comes next; nil if none
	ended   bool                // after --
	mistake error               // the first one
	help    string              // the word that asks for help; "" if none
}

// helpAll asks for help on all flags.
const helpAll = "--help=all"

func asksHelp(word string) bool {
	return slices.Contains([]string{"--help", "-help", "-h", helpAll}, word)
}

// read reads a command's words.
func (s *Shell) read(command *cli.Command, words []string) *line {
	l := &line{command: command, given: make(map[cli.Flag]string)}
	for _, word := range words {
		name, value, hasValue := strings.Cut(word, "=")
		f := Flag(command, strings.TrimLeft(name, "-"))
		switch meant := mistyped(command, name); {
		case !l.ended && asksHelp(word):
			l.help = word
		case l.waiting != nil:
			l.set(l.waiting, word)
		case l.ended, word == "-", !strings.HasPrefix(word, "-") && meant == "":
			l.args = append(l.args, word)
		case word == "--":
			l.ended = true
		case meant != "":
			l.fail(usagef("%s: found another dash than the hyphen; write %s", word, meant))
		case f == nil && isFile(word): // a pattern such as *.py may match -a.py
			l.args = append(l.args, word)
		case f == nil:
			l.fail(s.unknownFlag(command, name))
		default:
			l.last = name
			if !hasValue {
				value = cmp.Or(s.Optional[f.Names()[0]], "true")
			}
			if !hasValue && TakesValue(f) && value == "true" {
				l.waiting = f
				continue
			}
			l.set(f, value)
		}
	}
	return l
}

// set notes the value of the last flag.
func (l *line) set(f cli.Flag, value string) {
	if err := checkValue(f, value, l.given[f]); err != nil {
		l.fail(usagef("%s: %w", l.last, err))
	}
	l.given[f], l.waiting = value, nil
	l.flags = append(l.flags, Dashed(f.Names()[0])+"="+value)
}

func isFile(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// fail notes a mistake, unless there was one before.
func (l *line) fail(mistake error) {
	if l.mistake == nil {
		l.mistake = mistake
	}
}

// unknownFlag says which flag of a command, or of the program where it is nil,
// was probably meant; name is as typed.
func (s *Shell) unknownFlag(command *cli.Command, name string) error {
	of, help, known := s.App.Name, s.App.Name+" --help", []string{"help", "version"}
	if command != nil {
		of, help, known = of+" "+command.Name, of+" help "+command.Name, known[:1]
		for _, f := range command.Flags {
			known = append(known, f.Names()...)
		}
	}
	if letter, value := attached(command, name); letter != "" {
		return usagef("unknown flag %s of %s; write %s %s", name, of, letter, value)
	}
	if near := suggest.Nearest(strings.TrimLeft(name, "-"), known); near != "" { // dashes are no letters that are alike
		return usagef("unknown flag %s of %s; did you mean %s?", name, of, Dashed(near))
	}
	return usagef("unknown flag %s of %s; `%s` lists them", name, of, help)
}

// attached returns the flag and the number in a word such as -j2, which other programs
// read as -j 2; "" if the command has no such flag.
func attached(command *cli.Command, word string) (letter, value string) {
	if command == nil || len(word) < 3 || !wholeForm().MatchString(word[2:]) {
		return "", ""
	}
	if f := Flag(command, word[1:2]); f == nil || !TakesValue(f) {
		return "", ""
	}
	return word[:2], word[2:]
}

// mistyped returns the flag of a command that was meant by a word with a dash such
// as text processors put in place of hyphens; "" if there is none.
func mistyped(command *cli.Command, word string) string {
	name := strings.TrimLeft(word, "-–—−")
	if !strings.ContainsAny(word[:len(word)-len(name)], "–—−") || Flag(command, name) == nil {
		return ""
	}
	return Dashed(name)
}

// Dashed is a flag's name as users write it.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// Flag returns a command's flag with a name; nil if it has none.
func Flag(c *cli.Command, name string) cli.Flag {
	for _, f := range c.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// TakesValue reports whether a flag is followed by a value.
func TakesValue(f cli.Flag) bool { return documented(f).TakesValue() }

// IsList reports whether a flag may be given several times.
func IsList(f cli.Flag) bool {
	_, ok := f.(*cli.StringSliceFlag)
	return ok
}

// wholeForm matches a whole number. One that begins with 0 would be read as
// octal.
var wholeForm = pattern.New(`^(0|-?[1-9][0-9]*)$`)

// checkValue checks a flag's value as far as possible without its command: that
// there is one, and only one unless the flag takes a list, and that a number is
// plainly written. Before is the value that the flag has been given already, ""
// if none.
func checkValue(f cli.Flag, value, before string) error {
	bounds := ""
	var err error
	switch f.(type) {
	case *cli.IntFlag:
		bounds = fmt.Sprintf("up to %d", math.MaxInt) // from what on, its command knows
		_, err = strconv.ParseInt(value, 10, 0)
	case *cli.Uint64Flag:
		bounds = fmt.Sprintf("from 0 to %d", uint64(math.MaxUint64))
		_, err = strconv.ParseUint(value, 10, 64)
	case *cli.BoolFlag:
		_, err = strconv.ParseBool(value)
	}
	switch {
	case value == "":
		return errors.New("found an empty text, expected a value")
	case before != "" && !IsList(f) && (TakesValue(f) || value != before):
		return fmt.Errorf("found twice, with %q and %q, expected one value", before, value)
	case bounds != "" && !wholeForm().MatchString(value):
		return fmt.Errorf("found %q, expected a whole number", value)
	case bounds != "" && err != nil:
		return fmt.Errorf("found %q, expected a whole number %s", value, bounds)
	case err != nil:
		return fmt.Errorf("found %q, expected true or false", value)
	}
	return nil
}
