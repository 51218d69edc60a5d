// Package procfs reads what the kernel tells in small text files: of processes
// in /proc, of itself in /proc/sys, of control groups. What is not there, as on
// other systems than Linux all is not, reads as nothing; a process may end at
// any time, so nobody would know what to do with an error. The package does not
// know what the facts are wanted for.
package procfs

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// Dir is the folder of a process.
func Dir(pid int) string { return "/proc/" + strconv.Itoa(pid) }

// FirstLine is the first line of a file, of which it reads 512 bytes at most.
func FirstLine(path string) string {
	var buf [512]byte
	line, _, _ := strings.Cut(string(Read(path, buf[:])), "\n")
	return line
}

// Value is the value of the first line "name: value" of a file of any length.
func Value(path, name string) string {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		key, value, found := strings.Cut(line, ":")
		if found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Number is the decimal number that a text begins with; 0 if it begins with
// none.
func Number(text []byte) (n int64) {
	for _, c := range text {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

// Field is the number that follows a name at the start of a line, spaces and
// tabs between them left out; 0 if there is none.
func Field(text []byte, name string) int64 {
	rest, ok := bytes.CutPrefix(text, []byte(name))
	if !ok {
		_, rest, _ = bytes.Cut(text, []byte("\n"+name))
	}
	return Number(bytes.TrimLeft(rest, "\t "))
}

// Kibibytes is a field that counts kB, in bytes.
func Kibibytes(text []byte, name string) int64 { return Field(text, name) << 10 }

// Names lists a folder, in no order.
func Names(path string) []string {
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	list, _ := dir.Readdirnames(-1)
	return list
}
