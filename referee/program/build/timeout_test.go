package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCompilerTimeout: a compiler has its time while umpire runs, and what has succeeded
// counts, even if umpire learns of it late. What fails for another reason than the
// compiler's own is no error of the source.
func TestCompilerTimeout(t *testing.T) {
	failed, ours := &FailedError{errors.New("signal: killed")}, errors.New("a helper was killed")
	for _, c := range []struct {
		name    string
		stalled time.Duration // of the first minute
		end     error         // when its time is over
		after   time.Duration
		says    string // of the source; "": nothing
	}{
		{"too slow", 0, failed, timeout, "the compiler took more than 60 s"},
		{"umpire stalled", 70 * time.Second, failed, timeout + 70*time.Second, "the compiler took more than 60 s"},
		{"it succeeds", 0, nil, timeout, ""},
		{"umpire fails", 0, ours, timeout, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, _ := fake(t, copies)
				begun := time.Now()
				b.Stalled = func() time.Duration { return min(c.stalled, time.Since(begun)) }
				b.Run = func(ctx context.Context, call Command) ([]byte, error) {
					<-ctx.Done()
					return nil, errors.Join(c.end, os.WriteFile(filepath.Join(call.Dir, "..", binary), nil, 0o755))
				}
				_, err := b.Source(t.Context(), filepath.Join(folder(t, map[string]string{"a.fake": ""}), "a.fake"), Extra{})
				if took := time.Since(begun); took != c.after {
					t.Errorf("it had %v, expected %v", took, c.after)
				}
				refused, ok := errors.AsType[*Error](err)
				if ok != (c.says != "") || ok && !strings.Contains(refused.Error(), c.says) || !errors.Is(err, c.end) && c.end != failed {
					t.Errorf("error %v, expected %v and %q", err, c.end, c.says)
				}
			})
		})
	}
}
