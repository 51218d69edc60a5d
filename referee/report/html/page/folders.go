package page

import (
	"strings"

	"umpire/referee/pattern"
)

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
