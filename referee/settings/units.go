package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"umpire/referee/pattern"
)

// plainNumber matches a number in a time or size: no sign, exponent, infinity
// or underscore.
const plainNumber = `([0-9]+(?:\.[0-9]*)?|\.[0-9]+)`

var (
	secondsForm  = pattern.New(`^` + plainNumber + `$`)
	durationForm = pattern.New(`^(` + plainNumber + `(h|m|s|ms|us|µs))+$`)
	sizeForm     = pattern.New(`^` + plainNumber + `([Bb]|[KkMmGg](?:[Ii]?[Bb])?)?$`)
)

// ParseDuration reads a time; a bare number is seconds. Records hold whole
// microseconds, so that is the smallest unit.
func ParseDuration(text string) (time.Duration, error) {
	expected := fmt.Errorf("found %q, expected a time such as 2s, 500ms or 1m30s", text)
	duration := text
	if secondsForm().MatchString(text) {
		duration += "s"
	}
	if !durationForm().MatchString(duration) {
		return 0, expected
	}
	d, err := time.ParseDuration(duration)
	if err != nil || d > 24*365*time.Hour {
		return 0, fmt.Errorf("%w, at most a year", expected)
	}
	if short := d.Truncate(time.Microsecond); short > 0 || strings.Trim(text, "0.hmsuµ") == "" {
		return short, nil
	}
	return 0, fmt.Errorf("found %q, expected at least 1us, or 0 for none", text)
}

// leastMemory is the least memory limit: in 32 KiB not even a program that does nothing starts.
const leastMemory = 64 << 10

// ParseMemory reads a memory limit in bytes; 0: there is none.
func ParseMemory(text string) (int64, error) {
	size, err := ParseSize(text)
	if err == nil && size > 0 && size < leastMemory {
		return 0, fmt.Errorf("found %q, in which no program starts; expected %dK or more, or 0 for no limit", text, leastMemory>>10)
	}
	return size, err
}

// ParseSize reads a number of bytes, at most a pebibyte.
func ParseSize(text string) (int64, error) {
	m := sizeForm().FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("found %q, expected a size such as 256M or 1G, at most %dG", text, 1<<20)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	shift := 10 * (1 + strings.Index("KMG", strings.ToUpper(m[2] + "B")[:1]))
	size := math.Ldexp(n, shift)
	switch {
	case err != nil || size > 1<<50:
		return 0, fmt.Errorf("found %q, expected a size of at most %dG", text, 1<<20)
	case n == 0:
		return 0, nil
	case m[2] == "":
		return 0, fmt.Errorf("found %q: bytes? write %sM", text, text)
	case size < 1:
		return 0, fmt.Errorf("found %q, expected at least one byte, or 0 for no limit", text)
	}
	return int64(size), nil
}
