//go:build !linux

package program

import (
	"context"
	"slices"
	"strings"

	"umpire/referee/sandbox"
)

// equip does nothing: this system has no level at which it is needed.
func equip(context.Context, *sandbox.Command) error { return nil }

func prepare(context.Context, string) error { return nil }

// toolchain is empty: nothing keeps programs from reading what they like.
func toolchain(string) []string { return nil }

// inSystem reports whether a path is the system's.
func inSystem(path string) bool {
	return slices.ContainsFunc([]string{"/bin/", "/usr/", "/System/", "/Library/"}, func(dir string) bool {
		return strings.HasPrefix(path, dir)
	})
}
