package coordinator

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
)

// storePrograms puts the packages into the object store, unless they are there.
func (c *Coordinator) storePrograms(ctx context.Context, replicas int) error {
	bucket, err := c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: c.names.Bucket(), Replicas: replicas})
	if err != nil {
		return err
	}
	for digest, p := range c.config.Packages {
		if _, err := bucket.GetInfo(ctx, digest); err == nil {
			continue
		}
		data, err := json.Marshal(p)
		if err == nil {
			data, err = fleet.Pack(data)
		}
		if err != nil {
			return err
		}
		if _, err := bucket.Put(ctx, jetstream.ObjectMeta{Name: digest}, bytes.NewReader(data)); err != nil {
			return err
		}
	}
	return nil
}
