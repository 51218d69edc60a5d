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
// compiler's own is no error of the source, nor is it that it waits for a CPU.
func TestCompilerTimeout(t *testing.T) {
	failed, ours := &FailedError{errors.New("signal: killed")}, errors.New("a helper was killed")
	for _, c := range []struct {
		name    string
		stalled time.Duration // of the first minute
		share   int           // of a CPU that it gets, in percent; 0: nobody looks
		ready   bool          // to use more
		end     error         // when its time is over
		after   time.Duration
		says    string // of the source; "": nothing
	}{
		{"too slow", 0, 0, false, failed, time.Minute, "the compiler took more than 60 s"},
		{"umpire stalled", 70 * time.Second, 0, false, failed, 130 * time.Second, "the compiler took more than 60 s"},
		{"it succeeds", 0, 0, false, nil, time.Minute, ""},
		{"umpire fails", 0, 0, false, ours, time.Minute, ""},
		{"it computes", 0, 100, true, failed, time.Minute, "the compiler took more than 60 s"},
		{"it computes on several CPUs", 0, 300, true, failed, time.Minute, "the compiler took more than 60 s"},
		{"it sleeps", 0, 1, false, failed, time.Minute, "the compiler took more than 60 s"},
		{"it has half a CPU", 0, 50, true, failed, 2 * time.Minute, "the compiler took more than 60 s"},
		{"umpire stalls, and it has half a CPU", 30 * time.Second, 50, true, failed, 150 * time.Second, "the compiler took more than 60 s"},
		{"it has no CPU", 0, 1, true, failed, 10 * time.Minute, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, _ := fake(t, copies)
				begun := time.Now()
				b.Stalled = func() time.Duration { return min(c.stalled, time.Since(begun)) }
				b.Run = func(ctx context.Context, call Command) ([]byte, error) {
					for c.share > 0 && ctx.Err() == nil {
						ran := time.Since(begun) - b.Stalled()
						call.Look(ran*time.Duration(c.share)/100, c.ready)
						select {
						case <-ctx.Done():
						case <-time.After(Glance):
						}
					}
					<-ctx.Done()
					return nil, errors.Join(c.end, os.WriteFile(filepath.Join(call.Dir, "..", binary), nil, 0o755))
				}
				_, err := b.Source(t.Context(), filepath.Join(folder(t, map[string]string{"a.fake": ""}), "a.fake"), Extra{})
				if took := time.Since(begun); (took - c.after).Abs() > Glance {
					t.Errorf("it had %v, expected %v", took, c.after)
				}
				refused, ok := errors.AsType[*Error](err)
				if ok != (c.says != "") || ok && !strings.Contains(refused.Error(), c.says) || !errors.Is(err, c.end) && c.end != failed ||
					c.says == "" && c.end != nil && !IsMachines(err) {
					t.Errorf("error %v, expected %v and %q", err, c.end, c.says)
				}
			})
		})
	}
}
