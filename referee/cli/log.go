package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
)

func logFlag() cli.Flag {
	return &cli.StringFlag{Name: "log", Usage: "also add what is printed to standard error to `FILE`, with the time"}
}

// logged is standard error, which a file may keep as well.
type logged struct {
	io.Writer

	mu   sync.Mutex
	file *os.File // nil: none does
	open bool     // the last line of the file has not ended
}

// keep begins to keep what is written in a file, which --log names.
func (l *logged) keep(c *cli.Context) error {
	name := c.String("log")
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("--log: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file = file
	return nil
}

// Write writes to both. What the file can't take is lost: a command is not to fail by it.
func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_, _ = l.file.Write(l.stamped(b))
	}
	return l.Writer.Write(b)
}

// stamped puts the time before each line.
func (l *logged) stamped(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		if !l.open {
			b.WriteString(time.Now().UTC().Format("2006-01-02T15:04:05.000Z "))
		}
		b.Write(line)
		l.open = !bytes.HasSuffix(line, []byte("\n"))
	}
	return b.Bytes()
}
