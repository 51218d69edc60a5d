package coordinator

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
)

// leader is the key of the coordinator that leads a run. Each that begins puts a value
// with a higher revision there, which is its epoch.
const leader = "coordinator"

// named is the prefix of the keys that hold the names of workers; their ids follow it.
const named = "name."

// lead is a coordinator's claim to lead its run.
type lead struct {
	bucket jetstream.KeyValue
	names  sync.Map     // of workers, those that joined earlier coordinators included; by id
	known  atomic.Int32 // how many these are
	epoch  uint64
}

// maxNames is how many workers' names are stored: what others give while no coordinator is there does
// not count.
const maxNames = 1 << 14

var errLost = errors.New("another umpire has resumed this run, and plays it now")

// A server that has lost its last stream removes the folder of all, maybe only when the next is made.
const (
	noStore    = 10049 // code of the error then, or where the disk is full
	storeTries = 5
)

// takeLead takes the lead of a run from whoever has it, and reads what that has called
// workers. Of several that begin at the same time one gets it.
func takeLead(ctx context.Context, js jetstream.JetStream, names fleet.Names, replicas int) (*lead, error) {
	var bucket jetstream.KeyValue
	var err error
	for range storeTries {
		bucket, err = js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: names.Lead(), Replicas: replicas})
		if refused, ok := errors.AsType[*jetstream.APIError](err); !ok || refused.ErrorCode != noStore {
			break
		}
		_ = worker.Wait(ctx, fleet.BeatEvery/10)
	}
	if err != nil {
		return nil, err
	}
	l := &lead{bucket: bucket}
	stored, err := bucket.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = stored.Stop() }()
	for one := range stored.Updates() {
		if one == nil { // these are all
			break
		}
		if id, isName := strings.CutPrefix(one.Key(), named); isName {
			l.names.Store(id, string(one.Value()))
			l.known.Add(1)
		} else {
			l.epoch = one.Revision()
		}
	}
	l.epoch, err = bucket.Update(ctx, leader, []byte(fleet.NewName()), l.epoch)
	return l, err
}

// check returns errLost if the coordinator does not lead its run any more, and another
// error if that can't be found out.
func (l *lead) check(ctx context.Context) error {
	now, err := l.bucket.Get(ctx, leader)
	if err == nil && now.Revision() > l.epoch {
		return errLost
	}
	return err
}

// name stores what a worker is called: what it gives while no coordinator is there bears
// that name, whatever it says, and does not count if that is not stored.
func (l *lead) name(ctx context.Context, id, name string) {
	old, isKnown := l.names.Load(id)
	if old == name || !isKnown && l.known.Load() >= maxNames {
		return
	}
	if _, err := l.bucket.PutString(ctx, named+id, name); err == nil {
		if l.names.Store(id, name); !isKnown {
			l.known.Add(1)
		}
	}
}
