package shell

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/suggest"
)

// Sort returns a command line with the command's flags before its arguments,
// where the library expects them; users may write them anywhere. "--" ends the
// flags. Errors are the user's.
func (s *Shell) Sort(args []string) ([]string, error) {
	command, words := s.find(args)
	if command == nil {
		return nil, s.unknown(args)
	}
	sorted, rest := []string{command.Name}, []string(nil)
	given := make(map[cli.Flag]string)
	for len(words) > 0 {
		word := words[0]
		if words = words[1:]; word == "--" {
			rest = append(rest, words...)
			break
		}
		if meant := mistyped(command.Flags, word); meant != "" {
			return nil, usagef("%s: found another dash than the hyphen; write %s", word, meant)
		}
		if len(word) < 2 || word[0] != '-' {
			rest = append(rest, word)
			continue
		}
		name, value, hasValue := strings.Cut(word, "=")
		f := Flag(command, strings.TrimLeft(name, "-"))
		switch {
		case f == nil:
			return nil, s.unknownFlag(command, name)
		case hasValue:
		case !TakesValue(f):
			value = "true"
		case len(words) == 0:
			return nil, usagef("%s: found nothing after it, expected a value", word)
		default:
			value, words = words[0], words[1:]
		}
		if err := checkValue(f, value, given[f]); err != nil {
			return nil, usagef("%s: %w", name, err)
		}
		given[f] = value
		sorted = append(sorted, name+"="+value)
	}
	return slices.Concat(sorted, []string{"--"}, rest), nil
}

// unknownFlag says which flag of a command, or of the program where it is nil,
// was probably meant; name is as typed.
func (s *Shell) unknownFlag(command *cli.Command, name string) error {
	of, help, known := s.App.Name, s.App.Name+" --help", []string{"--help", "--version"}
	if command != nil {
		of, help, known = of+" "+command.Name, of+" help "+command.Name, known[:1]
		for _, f := range command.Flags {
			for _, n := range f.Names() {
				known = append(known, dashed(n))
			}
		}
	}
	return usagef("unknown flag %s of %s%s", name, of, suggest.DidYouMean(dashed(strings.TrimLeft(name, "-")), known, "`"+help+"` lists them"))
}

// mistyped returns the flag that was meant by an argument with a dash such as
// text processors put in place of hyphens; "" if there is none.
func mistyped(known []cli.Flag, arg string) string {
	const dashes = "-–—−"
	word := strings.TrimLeft(arg, dashes)
	name, _, _ := strings.Cut(word, "=")
	if !strings.ContainsAny(arg[:len(arg)-len(word)], dashes[1:]) || flagOf(known, name) == nil {
		return ""
	}
	return dashed(name)
}

// dashed is a flag's name as users write it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// Flag returns a command's flag with a name; nil if it has none.
func Flag(c *cli.Command, name string) cli.Flag { return flagOf(c.Flags, name) }

func flagOf(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// TakesValue reports whether a flag is followed by a value.
func TakesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// IsList reports whether a flag may be given several times.
func IsList(f cli.Flag) bool {
	_, ok := f.(*cli.StringSliceFlag)
	return ok
}

// wholeForm matches a whole number. One that begins with 0 would be read as
// octal.
var wholeForm = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// checkValue checks a flag's value as far as possible without its command: that
// there is one, and only one unless the flag takes a list, and that a number is
// plainly written. Before is the value that the flag has been given already, ""
// if none.
func checkValue(f cli.Flag, value, before string) error {
	most := ""
	var err error
	switch f.(type) {
	case *cli.IntFlag:
		most = strconv.Itoa(math.MaxInt)
		_, err = strconv.ParseInt(value, 10, 0)
	case *cli.Uint64Flag:
		most = strconv.FormatUint(math.MaxUint64, 10)
		_, err = strconv.ParseUint(value, 10, 64)
	}
	switch {
	case value == "":
		return errors.New("found an empty text, expected a value")
	case before != "" && !IsList(f) && (TakesValue(f) || value != before):
		return fmt.Errorf("found twice, with %q and %q, expected one value", before, value)
	case most != "" && (err != nil || !wholeForm.MatchString(value)):
		return fmt.Errorf("found %q, expected a whole number, at most %s", value, most)
	}
	return nil
}
