package coordinator

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
	"umpire/referee/program"
)

// storePrograms puts packages, by digest, into the object store of a run, unless they are there.
func storePrograms(ctx context.Context, js jetstream.JetStream, names fleet.Names, replicas int, packages map[string]*program.Package) error {
	bucket, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: names.Bucket(), Replicas: replicas})
	if err != nil {
		return err
	}
	for digest, p := range packages {
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
