package coordinator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
)

const (
	keepResults = 256 // stored records that the run folder has and that are kept all the same
	maxSilent   = 3   // times that a server may leave unanswered what is sent to be stored, while it answers other questions
)

// tend looks after the stored records from time to time: it removes old ones, so that a
// long run takes no more room than a short one, and when none come it finds out whether
// that is because the server can't store them. It also finds out who leads the run.
func (r *results) tend(ctx context.Context, l *lead) error {
	tries := 0
	for last := uint64(0); ; {
		if worker.Wait(ctx, fleet.LostAfter) != nil {
			return nil
		}
		l.look(ctx)
		stream, err := r.js.Stream(ctx, r.names.Results())
		if err != nil {
			continue // a server that is gone is asked the next time
		}
		if n := stream.CachedInfo().State.LastSeq; n != last {
			last, tries = n, 0
			keep := uint64(keepResults)
			if int64(stream.CachedInfo().State.Bytes) > r.most/2 {
				keep = 0
			}
			_ = r.trim(ctx, stream, keep)
			continue
		}
		tries++
		_, err = r.js.PublishMsg(ctx, &nats.Msg{Subject: r.names.Result(fleet.Probe, fleet.NewName(), fleet.Probe)})
		if worker.IsFull(err) {
			err = r.trim(ctx, stream, 0)
		}
		if err == nil {
			tries = 0
		} else if err := r.mayStore(ctx, tries, err); err != nil {
			return err
		}
	}
}

// mayStore decides what the error of an attempt to store a record means, the latest of
// so many in a row. It returns nil if another attempt makes sense: a server that is gone
// may come back. One whose disk is full is there, and does not answer; it stores nothing
// until it is restarted.
func (r *results) mayStore(ctx context.Context, tries int, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !worker.IsTemporary(err):
		return fmt.Errorf("store in NATS stream %s: %w", r.names.Results(), err)
	case tries < maxSilent:
		return nil
	}
	if _, gone := r.js.Stream(ctx, r.names.Results()); gone != nil {
		return nil
	}
	if r.folder == "" {
		return fmt.Errorf("the NATS server answers, but does not store what is sent to stream %s: its disk may be full (%w); make room and restart it", r.names.Results(), err)
	}
	if why := tryWrite(r.folder); why != nil {
		err = why
	}
	return fmt.Errorf("matches under way can't be stored in %s: its disk may be full (%w); make room and resume the run", r.folder, err)
}

// trim removes the records that have been acknowledged, which they are once they are
// written, but for the last so many.
func (r *results) trim(ctx context.Context, stream jetstream.Stream, keep uint64) error {
	info, err := r.consumer.Info(ctx)
	if err != nil {
		return fmt.Errorf("look at results: %w", err)
	}
	if info.AckFloor.Stream <= keep {
		return nil
	}
	first := info.AckFloor.Stream - keep + 1
	if stream.CachedInfo().State.FirstSeq >= first {
		return nil
	}
	if err := stream.Purge(ctx, jetstream.WithPurgeSequence(first)); err != nil {
		return fmt.Errorf("remove results: %w", err)
	}
	return nil
}

// tryWrite returns the error of a small file in an embedded server's folder, which is
// why the server has ceased to store: it does not say so itself.
func tryWrite(folder string) error {
	name := filepath.Join(folder, "try")
	defer os.Remove(name)
	return os.WriteFile(name, make([]byte, 64<<10), 0o600)
}
