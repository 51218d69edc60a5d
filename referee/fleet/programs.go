package fleet

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
	"umpire/referee/program"
)

// pack returns a package as it is stored.
func pack(p *program.Package) ([]byte, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	e, err := zstd.NewWriter(nil)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(data, nil), nil
}

// maxPackage is the most bytes of a package that is not compressed.
const maxPackage = 1 << 30

func unpack(data []byte) (*program.Package, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPackage))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if data, err = d.DecodeAll(data, nil); err != nil {
		return nil, err
	}
	p := new(program.Package)
	return p, json.Unmarshal(data, p)
}

// store puts the packages into the object store, unless they are there.
func (c *Coordinator) store(ctx context.Context, replicas int) error {
	bucket, err := c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: c.bucket(), Replicas: replicas})
	if err != nil {
		return err
	}
	for digest, p := range c.Packages {
		if _, err := bucket.GetInfo(ctx, digest); err == nil {
			continue
		}
		data, err := pack(p)
		if err != nil {
			return err
		}
		if _, err := bucket.Put(ctx, jetstream.ObjectMeta{Name: digest}, bytes.NewReader(data)); err != nil {
			return err
		}
	}
	return nil
}

// store provides a worker with programs.
type store struct {
	*playing
	mu      sync.Mutex
	players map[string]referee.Player // by digest
}

// player returns the player with a digest, made of its package if it is needed
// for the first time.
func (s *store) player(ctx context.Context, digest string) (referee.Player, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.players[digest]; p != nil {
		return p, nil
	}
	data, err := s.get(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("fetch program %s: %w", digest, err)
	}
	p, err := unpack(data)
	if err != nil {
		return nil, fmt.Errorf("unpack program %s: %w", digest, err)
	}
	player, err := s.Player(ctx, digest, p)
	if err != nil {
		return nil, err
	}
	if found := player.Identity().Digest; found != digest {
		return nil, fmt.Errorf("the program has the digest %s on this machine, expected %s", found, digest)
	}
	if s.players == nil {
		s.players = make(map[string]referee.Player)
	}
	s.players[digest] = player
	return player, nil
}

// get reads an object by direct requests: a worker may not make the consumer
// that the library's ObjectStore.Get would.
func (s *store) get(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askWait*6)
	defer cancel()
	stream, err := s.js.Stream(ctx, "OBJ_"+s.bucket())
	if err != nil {
		return nil, err
	}
	subject := "$O." + s.bucket()
	meta, err := stream.GetLastMsgForSubject(ctx, subject+".M."+encodeName(name))
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

// encodeName is the form of an object's name in subjects.
func encodeName(name string) string { return base64.URLEncoding.EncodeToString([]byte(name)) }
