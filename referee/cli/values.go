package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee/cases"
	"umpire/referee/settings"
)

// values returns the value of a setting, or its default, and whether it is set.
type values func(name string) (text string, isSet bool)

// flagValues are the settings that flags set.
func flagValues(c *cli.Context) values {
	return func(name string) (string, bool) { return fmt.Sprint(c.Value(name)), c.IsSet(name) }
}

// count returns the value of a setting that counts something, or its default; 0 if it
// has neither.
func (v values) count(name string) (int, error) {
	text, isSet := v(name)
	n, err := strconv.Atoi(text)
	switch {
	case !isSet:
		return n, nil
	case err != nil || n < 1:
		return 0, usagef("%s: found %s, expected 1 or more", settings.Flag(name), text)
	case n > maxCount:
		return 0, usagef("%s: found %s, expected at most %d", settings.Flag(name), text, maxCount)
	}
	return n, nil
}

// duration returns the value of a setting that is a time.
func (v values) duration(set settings.Setting) (time.Duration, error) {
	text, _ := v(set.Name)
	d, err := settings.ParseDuration(text)
	if err != nil {
		return 0, usagef("%s: %w", set.Flag(), err)
	}
	return d, nil
}

// maxCount is the greatest value of a flag that counts something: what it
// counts is kept in memory.
const maxCount = cases.MaxGenerated
