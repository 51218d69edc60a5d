package serve

import (
	"slices"
	"sync"
)

// easel bounds how much is drawn and searched for onlookers concurrently: to one
// processor, so that the matches have the others. It has the usual priority, as a thread
// of a low one would keep all others waiting when memory is collected.
type easel struct{ mu sync.Mutex }

// use runs f when nobody else is drawing.
func (e *easel) use(f func() error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return f()
}

// Of how many matches what was drawn is kept: those that have just ended are looked at by
// all their onlookers.
const (
	replaysKept  = 8
	recordedKept = 4 // of which each may have maxRecorded
)

// cache keeps what was drawn of the matches looked at last; each is drawn once.
type cache[T any] struct {
	most int // matches
	mu   sync.Mutex
	list []drawing[T] // the one asked for last at the end
}

type drawing[T any] struct {
	match string
	draw  func() (T, error)
}

// of returns what there is to see of a match, which is drawn if it is not kept.
func (c *cache[T]) of(match string, draw func() (T, error)) (T, error) {
	shown, err := c.find(match, draw).draw()
	if err != nil {
		c.drop(match) // the next one may succeed
	}
	return shown, err
}

func (c *cache[T]) drop(match string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(d drawing[T]) bool { return d.match == match })
}

func (c *cache[T]) find(match string, draw func() (T, error)) drawing[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := drawing[T]{match, sync.OnceValues(draw)}
	if i := slices.IndexFunc(c.list, func(d drawing[T]) bool { return d.match == match }); i >= 0 {
		kept = c.list[i]
		c.list = slices.Delete(c.list, i, i+1)
	} else if len(c.list) == c.most {
		c.list = slices.Delete(c.list, 0, 1)
	}
	c.list = append(c.list, kept)
	return kept
}
