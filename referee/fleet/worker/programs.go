package worker

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
)

// unpack unpacks programs, which have at most so many bytes.
var unpack = fleet.NewUnpacker(1 << 30)

// maker makes of a package, once, what prepares a runner for matches that need it.
type maker func(ctx context.Context, digest string, packed *program.Package) (prepare func(*arena.Local), err error)

// making is something that is being made, or has been.
type making struct {
	mu      sync.Mutex
	prepare func(*arena.Local) // nil: it has not been made
}

// program returns what is made of the package with a digest, which is fetched if it is needed
// for the first time. Several are made at a time, each once.
func (p *playing) program(ctx context.Context, digest string, create maker) (prepare func(*arena.Local), err error) {
	found, _ := p.made.LoadOrStore(digest, new(making))
	m := found.(*making)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.prepare != nil {
		return m.prepare, nil
	}
	data, err := p.fetch(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("fetch program %s: %w", digest, err)
	}
	packed := new(program.Package)
	if data, err = unpack(data); err == nil {
		err = json.Unmarshal(data, packed)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack program %s: %w", digest, err)
	}
	m.prepare, err = create(ctx, digest, packed)
	return m.prepare, err
}

// makePlayer is the maker of players.
func (w *Worker) makePlayer(ctx context.Context, digest string, packed *program.Package) (prepare func(*arena.Local), err error) {
	if w.Player == nil {
		return nil, errors.New("this worker has its own players, and makes no others")
	}
	player, err := w.Player(ctx, digest, packed)
	if err != nil {
		return nil, err
	}
	if found := player.Identity().Digest; found != digest {
		return nil, fmt.Errorf("the program has the digest %s on this machine, expected %s", found, digest)
	}
	return adding(player), nil
}

// adding returns a function that adds players to a runner.
func adding(players ...referee.Player) func(*arena.Local) {
	return func(local *arena.Local) { local.Players = append(local.Players, players...) }
}

// prepare gives a runner what matches need. The error is why it can't be made here.
func (p *playing) prepare(ctx context.Context, local *arena.Local, fixtures []arena.Fixture) (err error) {
	local.Players = nil // but those of these matches
	has := make(map[string]bool)
	add := func(what, digest string, create maker) {
		if err != nil || has[digest] {
			return
		}
		has[digest] = true
		prepare, failed := p.program(ctx, digest, create)
		if failed != nil {
			err = fmt.Errorf("%s: %w", what, failed)
			return
		}
		prepare(local)
	}
	for _, f := range fixtures {
		if f.Package != nil && p.l.w.Game != nil {
			add("game "+f.Game, f.Package.Digest, p.l.w.Game)
		}
		for _, s := range f.Seats {
			add("bot "+s.Bot, s.Digest, p.l.w.makePlayer)
		}
	}
	return err
}

// fetch reads the package with a digest, one after the other: they share the line. It ends when the worker
// is to begin no more matches.
func (p *playing) fetch(ctx context.Context, digest string) ([]byte, error) {
	p.fetching.Lock()
	defer p.fetching.Unlock()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(p.l.taking, func() { stop(errUnbegun) })()
	return fetch(ctx, fleet.AskWait, p.l.nc, p.names.Bucket(), digest)
}

// fetch reads an object by direct requests: a worker may neither make the consumer that the library's
// ObjectStore.Get would, nor ask of the stream, which in an account of workers that is not umpire's would
// be answered by that account. What has not come within a time is asked for again, and waited for twice
// as long: the line may be slow.
func fetch(ctx context.Context, wait time.Duration, nc *nats.Conn, bucket, name string) ([]byte, error) {
	js, err := nc.JetStream()
	if err != nil {
		return nil, err
	}
	next := func(seq uint64, subject string) (msg *nats.RawStreamMsg, err error) {
		for ; ; wait = min(2*wait, time.Minute) {
			asking, cancel := context.WithTimeout(ctx, wait)
			msg, err = js.GetMsg("OBJ_"+bucket, seq, nats.DirectGetNext("$O."+bucket+subject), nats.Context(asking))
			cancel()
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			} else if !errors.Is(err, context.DeadlineExceeded) {
				return msg, err
			}
		}
	}
	meta, err := next(1, ".M."+base64.URLEncoding.EncodeToString([]byte(name)))
	if err != nil {
		return nil, err
	}
	var info nats.ObjectInfo
	if err := json.Unmarshal(meta.Data, &info); err != nil {
		return nil, err
	}
	var data []byte
	for seq := uint64(1); uint64(len(data)) < info.Size; {
		chunk, err := next(seq, ".C."+info.NUID)
		switch {
		case err != nil:
			return nil, err
		case len(chunk.Data) == 0:
			return nil, errors.New("found an empty chunk")
		}
		data, seq = append(data, chunk.Data...), chunk.Sequence+1
	}
	return data, nil
}
