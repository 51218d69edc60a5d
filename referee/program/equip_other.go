//go:build !linux

package program

import (
	"context"
	"slices"
	"strings"

	"umpire/referee/sandbox"
)

// equip does nothing: no level on this system needs it.
func equip(context.Context, *sandbox.Command) error { return nil }

func prepare(context.Context, string) error { return nil }

// toolchain returns nothing: programs may read any file anyway.
func toolchain(string) []string { return nil }

// inSystem reports whether a path belongs to the system.
func inSystem(path string) bool {
	return slices.ContainsFunc([]string{"/bin/", "/usr/", "/System/", "/Library/"}, func(dir string) bool {
		return strings.HasPrefix(path, dir)
	})
}
