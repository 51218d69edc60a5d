//go:build unix

package build

import "io/fs"

// binary is what a compiled program is called.
const binary = "bot"

// Executable returns the bits of a file's mode that say who may execute it.
func Executable(info fs.FileInfo) fs.FileMode { return info.Mode() & 0o111 }

// isEscape reports whether a backslash before a text takes the meaning from what follows.
func isEscape(string) bool { return true }
