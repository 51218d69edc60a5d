package program

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// DescribeStartError adds a likely cause to the kernel's reason why the bot
// can't be executed.
func (b Bot) DescribeStartError(err error) error {
	hint := ""
	switch {
	case errors.Is(err, syscall.ENOEXEC) && isEmpty(b.Path):
		hint = "it is empty"
	case errors.Is(err, syscall.ENOEXEC):
		hint = "it was built for another kind of machine, or is a script without a first line such as #!/usr/bin/env python3"
	case (errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.EACCES)) && Exists(b.Path):
		if line, ok := strings.CutPrefix(firstLine(b.Path), script); ok {
			hint = interpreterHint(line, errors.Is(err, syscall.ENOENT))
		} else if errors.Is(err, syscall.ENOENT) {
			hint = "its interpreter or loader is missing"
		}
	}
	if hint == "" {
		return err
	}
	return fmt.Errorf("%w (%s)", err, hint)
}

func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == 0
}

// interpreterHint says what may be wrong with a script whose first line, after
// the #!, is line.
func interpreterHint(line string, missing bool) string {
	fields := strings.Fields(line)
	if len(fields) > 0 && Exists(fields[0]) && !inSystem(fields[0]) {
		return fmt.Sprintf("its first line names %s, which it may not execute: isolated bots get the system's programs and the language table's interpreters", fields[0])
	}
	if !missing {
		return ""
	}
	hint := fmt.Sprintf("its interpreter is missing: its first line is %q", "#!"+line)
	if strings.HasSuffix(line, "\r") {
		hint += ", with a carriage return at the end"
	}
	return hint
}

// firstLine returns the first line of a file, up to a sensible length.
func firstLine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadString('\n')
	return strings.TrimSuffix(line, "\n")
}
