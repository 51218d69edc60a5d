package contestant

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// gone tells that what a source was made into, or the source itself where an
// interpreter runs it, is no longer there: otherwise it would be the
// interpreter that fails, and the bot that is blamed.
func (b Bot) gone() error {
	if b.Program == nil {
		return nil
	}
	for _, path := range b.Read {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("it is gone: %w", err)
		}
	}
	return nil
}

// explain adds to the kernel's reason why a file can't be executed what is
// known about it.
func (b Bot) explain(err error) error {
	hint := ""
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		hint = "it is made for another kind of machine, or is a script without a first line such as #!/usr/bin/env python3"
	case errors.Is(err, syscall.ENOENT) && exists(b.Path):
		hint = "its interpreter or loader is missing"
		if line := firstLine(b.Path); strings.HasPrefix(line, "#!") {
			hint = fmt.Sprintf("its interpreter is missing: its first line is %q", line)
			if strings.HasSuffix(line, "\r") {
				hint += ", with a carriage return at the end"
			}
		}
	}
	if hint == "" {
		return err
	}
	return fmt.Errorf("%w (%s)", err, hint)
}

// firstLine is the first line of a file, as far as it is of sensible length.
func firstLine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadString('\n')
	return strings.TrimSuffix(line, "\n")
}
