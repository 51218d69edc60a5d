//go:build !linux

package contestant

import "time"

// blockingReader never blocks: waits for replies have timeouts of their own.
type blockingReader struct{ fd int }

func (r *blockingReader) wait(b []byte, _ time.Duration) (int, error) { return read(r.fd, b) }
func (r *blockingReader) read(b []byte) (int, error)                  { return read(r.fd, b) }
func (*blockingReader) close()                                        {}

// Whether a contestant waits for a processor is known on Linux alone.

func (*Contestant) isUnreported() bool { return false }

type waits struct{}

func (*waits) look(bool, time.Duration, ...*Contestant) {}
func (*waits) late(time.Duration, time.Duration)        {}
func (*waits) polled(bool, time.Duration)               {}
func (*waits) total() time.Duration                     { return 0 }
