package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"umpire/protocols"
)

// drive carries lines between a match and its one contestant until the match
// is over.
func drive(m protocols.Match, to io.Writer, from io.Reader) error {
	lines := bufio.NewReader(from)
	for {
		step := m.Next()
		if len(step.Await) == 0 {
			return nil
		}
		for _, l := range step.Send {
			if _, err := fmt.Fprintln(to, l.Text); err != nil {
				return fmt.Errorf("send a line: %w", err)
			}
		}
		reply, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("read a reply: %w", err)
		}
		if foul := m.Reply(1, strings.TrimRight(reply, "\r\n")); foul != nil {
			return foul
		}
	}
}
