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

// unpacker unpacks programs, which have at most so many bytes.
var unpacker = fleet.NewUnpacker(1 << 30)

// store provides a worker with programs.
type store struct {
	p       *playing
	mu      sync.Mutex
	players map[string]*making // by digest
}

// making is a player that is being made, or has been.
type making struct {
	mu     sync.Mutex
	player referee.Player // nil: it has not been made yet
}

// player returns the player with a digest, made of its package if it is needed
// for the first time. Several are made at a time, each once.
func (s *store) player(ctx context.Context, digest string) (referee.Player, error) {
	s.mu.Lock()
	if s.players[digest] == nil {
		s.players[digest] = new(making)
	}
	m := s.players[digest]
	s.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.player != nil {
		return m.player, nil
	}
	data, err := s.get(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("fetch program %s: %w", digest, err)
	}
	made := new(program.Package)
	if data, err = unpacker.Unpack(data); err == nil {
		err = json.Unmarshal(data, made)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack program %s: %w", digest, err)
	}
	player, err := s.p.w.Player(ctx, digest, made)
	if err != nil {
		return nil, err
	}
	if found := player.Identity().Digest; found != digest {
		return nil, fmt.Errorf("the program has the digest %s on this machine, expected %s", found, digest)
	}
	m.player = player
	return player, nil
}

// get reads an object by direct requests: a worker may not make the consumer
// that the library's ObjectStore.Get would.
func (s *store) get(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fleet.AskWait*6)
	defer cancel()
	stream, err := s.p.js.Stream(ctx, "OBJ_"+s.p.names.Bucket())
	if err != nil {
		return nil, err
	}
	subject := "$O." + s.p.names.Bucket()
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
