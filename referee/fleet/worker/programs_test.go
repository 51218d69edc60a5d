package worker

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet/broker"
)

// TestSlowLine: a program is fetched however long its parts take, until nobody needs it.
func TestSlowLine(t *testing.T) {
	s, err := broker.Start(t.TempDir(), "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := js.CreateObjectStore(t.Context(), jetstream.ObjectStoreConfig{Bucket: "programs"})
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 300<<10)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data)
	if _, err := bucket.PutBytes(t.Context(), "one", data); err != nil {
		t.Fatal(err)
	}
	if got, err := fetch(t.Context(), time.Nanosecond, nc, "programs", "one"); err != nil || !bytes.Equal(got, data) {
		t.Errorf("found %d bytes, error %v, expected %d", len(got), err, len(data))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errUnbegun)
	if _, err := fetch(ctx, time.Nanosecond, nc, "programs", "one"); !errors.Is(err, errUnbegun) {
		t.Errorf("found %v, expected %v", err, errUnbegun)
	}
}
