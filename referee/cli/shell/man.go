package shell

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func (s *Shell) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page",
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("found %q, expected no argument", c.Args().First())
			}
			s.Out.Printf("%s", s.manPage())
			return nil
		},
	}
}

// manPage returns the help of all commands as a manual page in the form of
// man(7).
func (s *Shell) manPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%[1]s %s\"\n", s.App.Name, s.Version)
	write := func(heading string, sections []section) {
		for _, part := range sections {
			if part.title != "" && len(part.items) > 0 {
				fmt.Fprintf(&b, "%s %s\n", heading, roff(part.title))
			}
			for _, one := range part.items {
				b.WriteString(one.roff())
			}
		}
	}
	b.WriteString(".SH NAME\n")
	write(".SH", s.overview(""))
	write(".SH", []section{{"Topics", s.topics(func(Topic) bool { return true })}})
	for _, c := range s.App.VisibleCommands() {
		fmt.Fprintf(&b, ".SH %s\n", roff(s.App.Name+" "+c.Name))
		write(".SS", s.describe(c, true))
	}
	return b.String()
}

// roff returns an item in the form of man(7).
func (i item) roff() string {
	switch {
	case i.label == "":
		return ".PP\n" + roff(i.text) + "\n"
	case i.text == "":
		return ".PP\n.nf\n" + strings.ReplaceAll(roff(i.label), "'", `\(aq`) + "\n.fi\n" // to be copied
	}
	return ".TP\n\\fB" + roff(i.label) + "\\fR\n" + roff(i.text) + "\n"
}

// roff writes text so that man(7) takes none of it for markup.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text // no request
	}
	return text
}
