package build

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// binary is what a compiled program is called. Some linkers add the suffix, and some do
// not.
const binary = "bot.exe"

// Executable returns the bits of a file's mode that say who may execute it: all or
// nobody, by the file's suffix.
func Executable(info fs.FileInfo) fs.FileMode {
	if slices.Contains([]string{".exe", ".com", ".bat", ".cmd"}, strings.ToLower(filepath.Ext(info.Name()))) {
		return 0o111
	}
	return 0
}

// isEscape reports whether a backslash before a text takes the meaning from what follows:
// before quotes alone, as it stands between the folders of paths.
func isEscape(text string) bool { return text != "" && (text[0] == '"' || text[0] == '\'') }
