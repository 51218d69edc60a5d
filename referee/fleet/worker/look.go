package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
)

// Look asks the coordinators that the worker would play for about their runs. Only
// URL, Token, Insecure and TLS matter.
func (w *Worker) Look(ctx context.Context) (list []status.Fleet, err error) {
	id := fleet.NewOnlooker()
	if user := fleet.UserOf(w.URL); fleet.IsUser(user) {
		id = user // which may hear its own answers, and maybe no others
	}
	nc, err := w.Dial(nats.Name(id), nats.CustomInboxPrefix(fleet.Inbox(id)), nats.Timeout(fleet.AskWait), nats.NoReconnect())
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, fleet.AskWait)
	defer cancel()
	answers, err := request(ctx, nc)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("ask the coordinator at %s: %w", fleet.HideSecrets(w.URL), Denied(nc, err))
	}
	for _, msg := range answers {
		var f status.Fleet
		if err := json.Unmarshal(msg.Data, &f); err != nil {
			return nil, fmt.Errorf("read the answer of the coordinator: %w", err)
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b status.Fleet) int { return strings.Compare(a.Run, b.Run) })
	return list, nil
}

// othersWait is how long the answers of other runs are waited for, after the first.
const othersWait = 200 * time.Millisecond

// request asks for the state of the runs. A coordinator that has just begun may
// not be there yet.
func request(ctx context.Context, nc *nats.Conn) (answers []*nats.Msg, err error) {
	sub, err := nc.SubscribeSync(nc.NewInbox())
	if err != nil {
		return nil, err
	}
	for tries := 1; ; tries++ {
		if err := nc.PublishRequest(fleet.StatusSubject, sub.Subject, nil); err != nil {
			return nil, err
		}
		msg, err := sub.NextMsgWithContext(ctx)
		if errors.Is(err, nats.ErrNoResponders) && tries < 10 && Wait(ctx, fleet.BeatEvery/5) == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		for ; err == nil; msg, err = sub.NextMsg(othersWait) {
			answers = append(answers, msg)
		}
		return answers, nil
	}
}
