package page

import (
	"fmt"
	"slices"
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

// Safe escapes what can't be seen, as for a terminal, but for joiners where they change how a text
// looks. Whoever puts the text on a page must keep it from being markup.
func Safe(text string) string {
	return joined(text, false, func(text string) string { return report.Safe(text).String() })
}

// SafeLine is Safe for a text of one line.
func SafeLine(text string) string {
	return joined(text, true, func(text string) string { return report.SafeLine(text).String() })
}

// Published makes text of those who ran umpire safe to show to everybody, such as a
// configuration: of a file only its name is left, not the folders that they keep it in.
func Published(text string) string { return Safe(withoutFolders(text, "", anyFolder)) }

// PublishedLine is Published for a text of one line.
func PublishedLine(text string) string { return SafeLine(withoutFolders(text, "", anyFolder)) }

// Output makes safe to show to everybody what programs wrote, such as compilers. Folders of the
// machine give way to …/; what else looks like a path stays, as a bot may have printed it.
func Output(text string) string { return Safe(withoutFolders(text, "…/", ofMachine)) }

// OutputLine is Output for a text of one line.
func OutputLine(text string) string { return SafeLine(withoutFolders(text, "…/", ofMachine)) }

// fullPath matches the folders of a file's full name, quoted as a whole or behind what is no part
// of a name, the letters of an option (-I/x/y) or the scheme of a file's address.
var fullPath = pattern.New(`(?m)(["'‘“` + "`])(~?/" + quotedPart + `*/|[A-Za-z]:[/\\]` + quotedPart + `*[/\\])` +
	`|(^|[^\pL\pN_./\\~)}*]|file://|(?:^|\s)-[A-Za-z]+)(~?/(?:` + pathPart + `/)+|[A-Za-z]:[/\\](?:` + pathPart + `[/\\])+)`)

const (
	quotedPart = "[^\"'‘’“”`\\n]"
	pathPart   = "[^\\s\"'‘’“”`/\\\\:<>]*[^\\s\"'‘’“”`/\\\\:<>,;|{@]" // behind its end another path may begin
)

// systemFolders are the same on all machines, and say nothing about anybody; below userFolder
// lies what somebody has put there.
var (
	systemFolders = []string{"/usr/", "/lib", "/bin/", "/sbin/", "/etc/", "/proc/", "/sys/", "/dev/"}
	userFolder    = pattern.New(`^(?:~|[A-Za-z]:|(?:/[^/\s]+)?/(?:home\d*|Users)/|/(?:root|tmp|var|private|srv|opt|run|` +
		`data\d*|mnt|media|vol\d*|volume\d*|Volumes|nfs|net|storage|export|scratch|builds?|workspaces?|work|app|__w)/)`)
	fileName = pattern.New(`^[^\s"'/\\:<>]*\.[A-Za-z]`) // with a suffix
)

func anyFolder(_, _ string) bool { return true }

// ofMachine reports whether folders, before the rest of a text, are those of a file.
func ofMachine(folders, rest string) bool {
	return userFolder().MatchString(folders) || fileName().MatchString(rest)
}

func hasAnyPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// withoutFolders has a mark in the place of a file's folders, where they are to be left out.
func withoutFolders(text, mark string, leftOut func(folders, rest string) bool) string {
	if !strings.ContainsAny(text, `/\`) {
		return text
	}
	var out strings.Builder
	done := 0
	for _, at := range fullPath().FindAllStringSubmatchIndex(text, -1) {
		begin, end := max(at[4], at[8]), at[1]
		if folders := text[begin:end]; !hasAnyPrefix(folders, systemFolders) && leftOut(folders, text[end:]) {
			out.WriteString(text[done:begin] + mark)
			done = end
		} else if strings.Contains(folders, " ") { // a quoted command
			out.WriteString(text[done:begin] + withoutFolders(folders, mark, leftOut))
			done = end
		}
	}
	return out.String() + text[done:]
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

// compared matches the beginning of what umpire says of an output that it has compared itself.
var compared = pattern.New(`^(?:word \d+ of the output is|the output ends after word \d+, expected) "`)

// Detail is why a bot failed. Where that may quote its replies, nothing is left out, unless a judge
// may have worded it: that of a problem package or of a game of one's own.
func Detail(verdict, detail string, judged bool) string {
	broken := verdict == string(protocols.KindCompile) || verdict == string(protocols.KindCrash)
	if broken || judged && !compared().MatchString(detail) {
		return Output(detail)
	}
	return Safe(detail)
}

// DetailOf is Detail, of which one line is enough to begin with where a compiler said it.
func DetailOf(verdict, detail string, judged bool) (p Prose) {
	words := Detail(verdict, detail, judged)
	if verdict != string(protocols.KindCompile) {
		p.Line, p.Words, _ = strings.Cut(words, "\n")
		return p
	}
	if p.Line = OutputLine(report.BrokenLine(detail)); words != p.Line {
		p.Words = words
	}
	return p
}
