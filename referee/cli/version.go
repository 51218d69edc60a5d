package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"sync"

	"umpire/referee/cli/shell"
)

// Version is umpire's version, to which CHANGELOG.md has a heading.
const Version = "0.1.0"

// What a release is built from. The linker sets these (scripts/release), as it builds
// an archive of the sources, in which no version control can be asked.
var commit, commitDate string

// thisBuild returns what this program was built from.
var thisBuild = sync.OnceValue(func() shell.Build {
	b := shell.Build{Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.Date = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	b.Commit, b.Date = cmp.Or(commit, b.Commit), cmp.Or(commitDate, b.Date)
	return b
})

// version returns umpire's version with the beginning of the commit it was built from,
// if known.
func version() string {
	if b := thisBuild(); len(b.Commit) >= 12 {
		return Version + "+" + b.Commit[:12]
	}
	return Version
}
