package shell

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"
)

// Build says what a program was built from, with what and for which machines. What is
// not known is "".
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`   // in full
	Date     string `json:"date"`     // of the commit, as RFC 3339 has it
	Modified bool   `json:"modified"` // files differed from those of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"` // as in linux/amd64
}

func (s *Shell) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Aliases: []string{"--version", "-v"}, Usage: "print the version, and what it was built from",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("version stands alone, found %q after it", strings.Join(c.Args().Slice(), " "))
			}
			if c.Bool("json") {
				return s.Out.JSON().Encode(s.Build)
			}
			s.Out.Printf("%s version %s\n", s.App.Name, s.Version)
			commit := cmp.Or(s.Build.Commit, "unknown")
			if s.Build.Modified {
				commit += ", and files that were changed since"
			}
			s.Out.Printf("commit    %s\ndate      %s\ngo        %s\nplatform  %s\n", commit, cmp.Or(s.Build.Date, "unknown"), s.Build.Go, s.Build.Platform)
			return nil
		},
	}
}
