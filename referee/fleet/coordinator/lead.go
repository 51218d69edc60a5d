package coordinator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
)

// leader is the key of the coordinator that leads a run. Each that begins puts a value
// with a higher revision there, which is its epoch.
const leader = "coordinator"

// named is the prefix of the keys that hold the names of workers; their ids follow it.
const named = "name."

// lead is a coordinator's claim to lead its run.
type lead struct {
	bucket jetstream.KeyValue
	names  sync.Map // of workers, those that joined earlier coordinators included; by id
	epoch  uint64
	lost   context.Context // ends when another coordinator leads, by:
	lose   context.CancelCauseFunc
}

var errLost = errors.New("another umpire has resumed this run, and plays it now")

// check returns why the coordinator does not lead its run any more; nil if it does.
func (l *lead) check() error { return context.Cause(l.lost) }

// takeLead takes the lead of a run from whoever has it. Of several that begin at the same
// time one gets it.
func takeLead(ctx context.Context, js jetstream.JetStream, names fleet.Names, replicas int) (*lead, error) {
	bucket, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: names.Lead(), Replicas: replicas})
	if err != nil {
		return nil, err
	}
	l := &lead{bucket: bucket}
	l.lost, l.lose = context.WithCancelCause(context.Background())
	old, err := l.bucket.Get(ctx, leader)
	switch {
	case err == nil:
		l.epoch, err = l.bucket.Update(ctx, leader, []byte(fleet.NewName()), old.Revision())
	case errors.Is(err, jetstream.ErrKeyNotFound):
		l.epoch, err = l.bucket.Create(ctx, leader, []byte(fleet.NewName()))
	}
	if err != nil {
		return nil, err
	}
	nc, subject := js.Conn(), "umpire."+names.Run+".lead"
	heard := func(msg *nats.Msg) {
		if string(msg.Data) != fmt.Sprint(l.epoch) {
			l.look(context.Background())
		}
	}
	if _, err := nc.Subscribe(subject, heard); err != nil {
		return nil, err
	}
	if err := l.readNames(ctx); err != nil {
		return nil, err
	}
	return l, nc.Publish(subject, []byte(fmt.Sprint(l.epoch)))
}

// readNames reads what earlier coordinators called workers.
func (l *lead) readNames(ctx context.Context) error {
	stored, err := l.bucket.Watch(ctx, named+"*", jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer func() { _ = stored.Stop() }()
	for one := range stored.Updates() {
		if one == nil { // these are all
			break
		}
		l.names.Store(strings.TrimPrefix(one.Key(), named), string(one.Value()))
	}
	return ctx.Err()
}

// name stores what a worker is called: what it gives while no coordinator is there bears
// that name, whatever it says, and does not count if that is not stored.
func (l *lead) name(ctx context.Context, id, name string) {
	if l.called(id) == name {
		return
	}
	if _, err := l.bucket.PutString(ctx, named+id, name); err == nil {
		l.names.Store(id, name)
	}
}

// called returns the name of a worker by its id; "" if it never joined.
func (l *lead) called(id string) string {
	name, _ := l.names.Load(id)
	text, _ := name.(string)
	return text
}

// look finds out whether another coordinator leads the run.
func (l *lead) look(ctx context.Context) {
	if now, err := l.bucket.Get(ctx, leader); err == nil && now.Revision() != l.epoch {
		l.lose(errLost)
	}
}
