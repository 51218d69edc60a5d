//go:build !linux

package arena

import "errors"

func setAffinity(...int) error { return errors.New("not on this system") }

// CPUs lists the processors that umpire may pin matches to: none on this
// system.
func CPUs() []int { return nil }
