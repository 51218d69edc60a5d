package referee

import (
	"fmt"
	"time"
)

// Seconds formats a time in seconds with three decimals, or six below a millisecond.
func Seconds(d time.Duration) string {
	if d > 0 && d < time.Millisecond {
		return fmt.Sprintf("%.6f s", d.Seconds())
	}
	return fmt.Sprintf("%.3f s", d.Seconds())
}

// Size formats a number of bytes in a suitable unit.
func Size(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
