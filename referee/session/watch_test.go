package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"umpire/referee/program"
)

// TestChangesSettle: a watch looks five times a second. A change is reported when
// the look after it sees no other, so that a file which is gone is waited for.
func TestChangesSettle(t *testing.T) {
	const between = 200 * time.Millisecond
	bot := filepath.Join(t.TempDir(), "bot.sh")
	write := func(text string) func() error {
		return func() error { return os.WriteFile(bot, []byte(text), 0o600) }
	}
	remove := func() error { return os.Remove(bot) }
	nothing := func() error { return nil }
	for name, test := range map[string]struct {
		changes []func() error // each between two looks
		looks   int            // until it is reported; 0: it is not
	}{
		"one":                 {[]func() error{write("a")}, 2},
		"after a while":       {[]func() error{nothing, nothing, write("a")}, 4},
		"several in a row":    {[]func() error{write("a"), write("b"), write("a")}, 4},
		"gone for a while":    {[]func() error{remove, nothing, nothing, write("a")}, 5},
		"gone, and as it was": {[]func() error{remove, nothing, write("before")}, 3},
		"gone":                {[]func() error{remove}, 0},
		"written as it was":   {[]func() error{write("before")}, 0},
		"undone":              {[]func() error{func() error { return errors.Join(write("a")(), write("before")()) }}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if err := write("before")(); err != nil {
					t.Fatal(err)
				}
				w := &Watch{Entrants: program.ParseEntrants("", []string{bot})}
				if err := w.Look(t.Context()); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				over := errors.New("over")
				defer time.AfterFunc(time.Minute, func() { cancel(over) }).Stop()
				began, took := time.Now(), time.Duration(0)
				reported := make(chan error)
				go func() {
					err := w.Changed(ctx)
					took = time.Since(began)
					reported <- err
				}()
				time.Sleep(between / 2)
				for _, change := range test.changes {
					if err := change(); err != nil {
						t.Fatal(err)
					}
					time.Sleep(between)
				}
				want, wantErr := time.Duration(test.looks)*between, error(nil)
				if test.looks == 0 {
					want, wantErr = time.Minute, over
				}
				if err := <-reported; err != wantErr || took != want {
					t.Errorf("found error %v after %v, expected %v after %v", err, took, wantErr, want)
				}
			})
		})
	}
}
