// Package pattern has regular expressions that are compiled when they are first used:
// umpire starts again for each of its own bots, which need none.
package pattern

import (
	"regexp"
	"sync"
)

// New returns what returns the expression. It panics when it is called first if the
// expression has an error.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
