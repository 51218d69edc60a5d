package broker

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
)

// Forget removes what runs have stored that no umpire coordinates, where nothing has been added for a
// time, and returns their names. A run that goes on all the same plays more matches again. The server
// must outlive its runs.
func (s *Server) Forget(ctx context.Context, after time.Duration) (forgotten []string, err error) {
	js, err := jetstream.New(s.nc)
	if err != nil {
		return nil, err
	}
	streams, last := make(map[string][]string), make(map[string]time.Time) // by run
	list := js.ListStreams(ctx)
	for info := range list.Info() {
		run := fleet.RunWith(info.Config.Name)
		streams[run] = append(streams[run], info.Config.Name)
		last[run] = slices.MaxFunc([]time.Time{last[run], info.Created, info.State.LastTime}, time.Time.Compare)
	}
	err = list.Err()
	for run, names := range streams {
		if run == "" || time.Since(last[run]) < after || s.nats.GlobalAccount().SubscriptionInterest(fleet.Names{Run: run}.Beat(fleet.Probe)) {
			continue
		}
		for _, name := range names {
			err = errors.Join(err, js.DeleteStream(ctx, name))
		}
		forgotten = append(forgotten, run)
	}
	return forgotten, err
}
