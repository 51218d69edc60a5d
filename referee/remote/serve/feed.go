package serve

import (
	"sync"
	"time"
)

// often is how often the lists of the lobby are drawn for those who follow them: once
// for all.
const often = 2 * time.Second

// feed keeps the lists of the lobby as they were drawn last.
type feed struct {
	mu    sync.Mutex
	drawn lists
	at    time.Time
}

// now returns lists that were drawn not long ago.
func (f *feed) now(draw func() (lists, error)) (lists, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.at) < often && f.drawn.Hash != "" {
		return f.drawn, nil
	}
	drawn, err := draw()
	if err == nil {
		f.drawn, f.at = drawn, time.Now()
	}
	return f.drawn, err
}
