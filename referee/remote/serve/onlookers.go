package serve

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"umpire/referee/remote"
	"umpire/referee/remote/house"
)

// onlookers is the interface of those who look on at matches.
type onlookers struct {
	directory *directory
	access    *access
	replays   *replays
	easel     *easel
	report    *reporter
	ended     <-chan struct{} // closed when event streams must end
	past      *throttle       // looks at all that happened in matches that are over, by address
	strangers crowd           // event streams of strangers, by address
	guests    crowd           // event streams of players and people, by their secrets' holders
	showings  showings        // matches with onlookers
	recorded  cache[[]frame]  // events of matches that are over
}

// follow streams what happens in a match, from its start or from what the
// onlooker has not seen yet.
func (o *onlookers) follow(w http.ResponseWriter, r *http.Request) error {
	from := 0
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < 0 {
			return failed(remote.CodeArgument, "Last-Event-ID: found "+remote.Quote(last)+", expected a step")
		}
		from = n + 1
	}
	info, err := o.directory.match(r.PathValue("id"))
	if err != nil {
		return err
	}
	g, err := o.directory.games.Find(info.Game)
	if err != nil {
		return err
	}
	leave, err := o.lookOn(r)
	if err != nil {
		return err
	}
	defer leave()
	if !isCurrent(info) && !o.past.take(o.access.proxies.source(r)) {
		return failed(remote.CodeRate, "too many looks at matches that are over: two a second are answered")
	}
	ctx, stop := o.untilStopped(r.Context(), info.ID)
	defer stop()
	out := openStream(w)
	page := r.URL.Query().Has("page")
	look := func() error { return o.look(ctx, info, g, &onlooker{out: out, page: page, next: from}) }
	switch err := out.live(look); {
	case ctx.Err() != nil || out.broken:
	case err != nil:
		o.report.tell(r, err)
	default:
		_ = out.write(o.endingOf(r, info.ID, page))
	}
	return nil
}

// look shows a match to an onlooker. One that has ended before is drawn once for all,
// unless it is long.
func (o *onlookers) look(ctx context.Context, info remote.MatchInfo, g house.Game, one *onlooker) error {
	if o.directory.concealed(info) != nil {
		return nil
	}
	source := o.sourceOf(info, g)
	if !isCurrent(info) {
		frames, err := o.recorded.of(info.ID, func() ([]frame, error) { return drawAll(source, o.easel) })
		if err != nil {
			return err
		}
		if frames != nil {
			return one.send(frames)
		}
		one.showing = &showing{source: source, easel: o.easel}
		return one.replay(ctx, -1)
	}
	show, leave := o.showings.enter(info.ID, source, o.easel)
	defer leave()
	one.showing = show
	return one.look(ctx)
}

// maxRecorded bounds the events that are kept of a match that is over, in bytes.
const maxRecorded = 16 << 20

// errLong ends the drawing of a match of which more than maxRecorded would be kept.
var errLong = errors.New("the match is too long to be kept")

// drawAll draws all of a match that is over; nil if it is too long to be kept.
func drawAll(source func(context.Context, remote.Onlooker) error, e *easel) (frames []frame, err error) {
	bytes := 0
	err = source(context.Background(), remote.Onlooker{Moment: func(m remote.Moment) error {
		var f frame
		err := e.use(func() (err error) { f, err = frameOf(m); return err })
		if bytes += len(f.full); bytes > maxRecorded {
			return errLong
		}
		frames = append(frames, f)
		return err
	}})
	if errors.Is(err, errLong) {
		return nil, nil
	}
	return frames, err
}

// untilStopped returns a context that ends when the server does, unless the match
// has ended: its onlookers are told how.
func (o *onlookers) untilStopped(ctx context.Context, match string) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		select {
		case <-o.ended:
			if info, err := o.directory.match(match); err != nil || isCurrent(info) {
				stop()
			}
		case <-ctx.Done():
		}
	}()
	return ctx, stop
}

// sourceOf returns what tells onlookers of a match: its table, or its record.
func (o *onlookers) sourceOf(info remote.MatchInfo, g house.Game) func(context.Context, remote.Onlooker) error {
	if t := o.directory.hub.Table(info.ID); t != nil && (!g.Hidden || info.State != remote.Over) {
		return func(ctx context.Context, one remote.Onlooker) error { return t.Follow(ctx, g.Game, one) }
	}
	return func(_ context.Context, one remote.Onlooker) error {
		r, err := o.directory.record(info.ID)
		if err != nil {
			return err
		}
		return remote.Replay(r, g.Game, one)
	}
}

// endingOf returns the event with which a match ends, with its replay for those
// who want it.
func (o *onlookers) endingOf(r *http.Request, id string, replay bool) string {
	info, err := o.directory.match(id)
	if err != nil {
		return ""
	}
	ending := struct {
		remote.MatchInfo
		Replay string `json:"replay,omitempty"`
	}{MatchInfo: info}
	if replay {
		ending.Replay = o.replays.text(r, id)
	}
	text, err := eventText(-1, string(info.State), ending)
	if err != nil {
		return ""
	}
	return text
}

// lookOn counts one more onlooker, until leave is called. Players and people are not
// counted with strangers, and the organiser is not counted.
func (o *onlookers) lookOn(r *http.Request) (leave func(), err error) {
	switch who, known := o.access.holder(secret(r)); {
	case !known:
		return o.strangers.enter(o.access.proxies.source(r))
	case who == organiser:
		return func() {}, nil
	default:
		return o.guests.enter(who)
	}
}
