package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee/pattern"
	"umpire/referee/report"
)

// MaxText is how many bytes of a case or a configuration a page shows.
const MaxText = 32 << 10

// maxShort is how many characters of a move or a case a list shows.
const maxShort = 60

// Safe shows what can't be seen, as on a terminal. To keep it from being markup is left
// to those who put it on a page.
func Safe(text string) string { return report.Safe(text).String() }

// SafeLine is Safe for a text of one line.
func SafeLine(text string) string { return report.SafeLine(text).String() }

// Published makes text safe to show to everybody, such as a compiler's words: it is made
// safe, and of a file only its name is left, not the folders of those who ran umpire.
func Published(text string) string { return Safe(withoutFolders(text)) }

// PublishedLine is Published for a text of one line.
func PublishedLine(text string) string { return SafeLine(withoutFolders(text)) }

// fullPath matches the full name of a file or folder up to its last part, quoted as a whole
// or behind the beginning of a line, a space, a bracket, a quote or an equals sign.
var fullPath = pattern.New(`(?m)(["'])((?:~|[A-Za-z]:)?[/\\][^"'\n]*[/\\])|(^|[\s"'=(\[<` + "`" + `])((?:~|[A-Za-z]:)?[/\\](?:[^\s"'/\\:]+[/\\])+)`)

// systemFolders are the same on all machines, and say nothing about anybody.
var systemFolders = []string{"/usr/", "/lib", "/bin/", "/sbin/", "/etc/", "/proc/", "/sys/", "/dev/"}

// withoutFolders leaves of files only their names.
func withoutFolders(text string) string {
	if !strings.ContainsAny(text, `/\`) {
		return text
	}
	return fullPath().ReplaceAllStringFunc(text, func(found string) string {
		parts := fullPath().FindStringSubmatch(found)
		before, folders := parts[1]+parts[3], parts[2]+parts[4]
		for _, system := range systemFolders {
			if strings.HasPrefix(folders, system) {
				return found
			}
		}
		return before
	})
}

// Shorten cuts a text to what fits a list.
func Shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxShort {
		return text
	}
	return string([]rune(text)[:maxShort-1]) + "…"
}

// Clip cuts a text to limit bytes, and says so.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := limit
	for n > limit-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes in all)", text[:n], len(text))
}

// Prose is a text whose first line says what the others are.
type Prose struct{ Line, Words string }

// DetailOf is why a bot failed. Of what a compiler said, one line is enough to begin
// with.
func DetailOf(verdict, detail string) (p Prose) {
	words := Published(detail)
	if verdict != string(protocols.KindCompile) {
		p.Line, p.Words, _ = strings.Cut(words, "\n")
		return p
	}
	if p.Line = PublishedLine(report.BrokenLine(detail)); words != p.Line {
		p.Words = words
	}
	return p
}
