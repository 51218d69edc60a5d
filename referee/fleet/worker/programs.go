package worker

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
	"umpire/referee/fleet"
	"umpire/referee/program"
)

// unpack unpacks programs, which have at most so many bytes.
var unpack = fleet.NewUnpacker(1 << 30)

// store holds what a worker has made of packages.
type store[T any] struct {
	get  func(ctx context.Context, digest string) ([]byte, error)
	make func(ctx context.Context, digest string, p *program.Package) (T, error)
	made sync.Map // a *making[T] by digest
}

// making is something that is being made, or has been.
type making[T any] struct {
	mu   sync.Mutex
	done bool
	made T
}

// of returns what is made of the package with a digest, if it is needed for the first
// time. Several are made at a time, each once.
func (s *store[T]) of(ctx context.Context, digest string) (made T, err error) {
	found, _ := s.made.LoadOrStore(digest, new(making[T]))
	m := found.(*making[T])
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done {
		return m.made, nil
	}
	data, err := s.get(ctx, digest)
	if err != nil {
		return made, fmt.Errorf("fetch program %s: %w", digest, err)
	}
	p := new(program.Package)
	if data, err = unpack(data); err == nil {
		err = json.Unmarshal(data, p)
	}
	if err != nil {
		return made, fmt.Errorf("unpack program %s: %w", digest, err)
	}
	m.made, err = s.make(ctx, digest, p)
	m.done = err == nil
	return m.made, err
}

// makePlayer makes a player of a package.
func (w *Worker) makePlayer(ctx context.Context, digest string, packed *program.Package) (referee.Player, error) {
	player, err := w.Player(ctx, digest, packed)
	if err != nil {
		return nil, err
	}
	if found := player.Identity().Digest; found != digest {
		return nil, fmt.Errorf("the program has the digest %s on this machine, expected %s", found, digest)
	}
	return player, nil
}

// fetch reads an object by direct requests, for each of which it waits fleet.AskWait: a worker
// may not make the consumer that the library's ObjectStore.Get would.
func fetch(ctx context.Context, js jetstream.JetStream, bucket, name string) ([]byte, error) {
	stream, err := js.Stream(ctx, "OBJ_"+bucket)
	if err != nil {
		return nil, err
	}
	subject := "$O." + bucket
	meta, err := stream.GetLastMsgForSubject(ctx, subject+".M."+base64.URLEncoding.EncodeToString([]byte(name)))
	if err != nil {
		return nil, err
	}
	var info jetstream.ObjectInfo
	if err := json.Unmarshal(meta.Data, &info); err != nil {
		return nil, err
	}
	var data []byte
	for seq := uint64(1); uint64(len(data)) < info.Size; {
		chunk, err := stream.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject+".C."+info.NUID))
		if err != nil {
			return nil, err
		}
		if len(chunk.Data) == 0 {
			return nil, errors.New("found an empty chunk")
		}
		data, seq = append(data, chunk.Data...), chunk.Sequence+1
	}
	return data, nil
}
