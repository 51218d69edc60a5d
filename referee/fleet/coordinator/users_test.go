package coordinator

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
	"umpire/referee/program"
)

// shownServer starts a NATS server with the configuration that the README shows, changed.
func shownServer(t *testing.T, change ...string) (host string) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	must(t, err)
	_, text, _ := strings.Cut(string(readme), "\n    jetstream: ")
	text, _, _ = strings.Cut("jetstream: "+text, "\n\n")
	change = append(change, "/var/lib/nats", filepath.Join(t.TempDir(), "store"))
	path := filepath.Join(t.TempDir(), "nats.conf")
	must(t, os.WriteFile(path, []byte(strings.NewReplacer(change...).Replace(text)), 0o600))
	options, err := server.ProcessConfigFile(path)
	must(t, err)
	options.Host, options.Port, options.NoLog, options.NoSigs = "127.0.0.1", -1, true, true
	s, err := server.NewServer(options)
	must(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server is not ready")
	}
	return s.Addr().String()
}

// TestUsers: with the server's configuration that the README shows, a worker has the name
// of its user, and reaches nothing of another's, also not by naming a subject for the
// answer. A newer worker with the user replaces the older. Where permissions let a worker
// speak as any other, it has a name of its own, and the run says that all are trusted.
func TestUsers(t *testing.T) {
	t.Parallel()
	lab := `{user: lab, password: OTHER,`
	for name, test := range map[string]struct {
		change  []string
		trusted bool
	}{
		"a user each":    {[]string{lab, `{user: mill, password: OTHER}, ` + lab}, false},
		"a user for all": {[]string{".lab\"", ".*\"", ".lab.>", ".>"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			host := shownServer(t, test.change...)
			var mu sync.Mutex
			var notes []string
			c, err := Open(t.Context(), Config{URL: "nats://coordinator:SECRET@" + host, Run: "run", Games: games, Dispatch: dispatch.Config{
				Version: "test", Packages: map[string]*program.Package{"6": {}},
			}, Note: func(format string, args ...any) {
				mu.Lock()
				defer mu.Unlock()
				notes = append(notes, format)
				for _, arg := range args {
					if text, ok := arg.(string); ok {
						notes = append(notes, text)
					}
				}
			}})
			must(t, err)
			defer c.Close(false)
			url := "nats://lab:OTHER@" + host
			run, got := start(t, c, arenatest.Sums(20))
			join := func() <-chan error {
				w := &worker.Worker{
					URL: url, Local: arena.Local{Umpire: "test", Games: games, Jobs: 1},
					Player: func(context.Context, string, *program.Package) (referee.Player, error) { return one{}, nil },
				}
				ended := make(chan error, 1)
				go func() { ended <- w.Run(t.Context(), t.Context()) }()
				return ended
			}
			first := join()
			if err := ended(t, run); err != nil || len(*got) != 20 {
				t.Errorf("found %d records, error %v", len(*got), err)
			}
			if why := (*got)[0].Error; why != "" {
				t.Errorf("the program that was sent was not played: %s", why)
			}
			if is := (*got)[0].Worker == "lab"; is == test.trusted {
				t.Errorf("found worker %q, trusted %v", (*got)[0].Worker, test.trusted)
			}
			if _, err := (&worker.Worker{URL: url}).Look(t.Context()); err != nil {
				t.Error(err)
			}
			mu.Lock()
			if told := strings.Contains(strings.Join(notes, ""), "the NATS server lets a worker speak as any other, so all its workers are trusted; for permissions that prevent it: umpire help topic fleets"); told != test.trusted {
				t.Errorf("found %q", notes)
			}
			mu.Unlock()
			if test.trusted {
				return
			}
			spoofs(t, c, url)
			join()
			var refused *fleet.RefusedError
			if err := ended(t, first); !errors.As(err, &refused) || refused.Why != fleet.Replaced {
				t.Errorf("found %v, expected that the newer worker replaces the older", err)
			}
		})
	}
}

// TestUsersOfOthers: a worker does not begin with permissions that let its user pass for another
// in some things.
func TestUsersOfOthers(t *testing.T) {
	t.Parallel()
	for subject, other := range map[string]string{
		"umpire.*.beat.lab": "umpire.*.beat.*", "umpire.*.take.lab": "umpire.*.take.*", "umpire.*.result.lab.>": "umpire.*.result.>", "_INBOX.lab.>": "_INBOX.>",
	} {
		url := "nats://lab:OTHER@" + shownServer(t, `"`+subject+`"`, `"`+other+`"`)
		err := (&worker.Worker{URL: url, Local: arena.Local{Umpire: "test", Games: games, Jobs: 1}}).Run(t.Context(), t.Context())
		if _, ok := errors.AsType[*fleet.AddressError](err); !ok || !strings.Contains(err.Error(), "gives user lab what is other workers', "+strings.TrimSuffix(other, ">")) {
			t.Errorf("%s: found %v", other, err)
		}
	}
}

// spoofs tries, as the user of a URL, to speak as another, directly and through the
// answers of the server and the coordinator.
func spoofs(t *testing.T, c *Coordinator, url string) {
	t.Helper()
	denied := make(chan error, 100)
	nc, err := nats.Connect(url, nats.CustomInboxPrefix(fleet.Inbox("lab")), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
	must(t, err)
	defer nc.Close()
	heard := make(chan *nats.Msg, 100)
	for _, subject := range []string{fleet.HelloTo("mill"), c.names.Result("mill", "job", "0"), c.names.Beat("mill")} {
		if _, err := c.nc.ChanSubscribe(subject, heard); err != nil {
			t.Fatal(err)
		}
		must(t, errors.Join(c.nc.Flush(), nc.Publish(subject, []byte("{}")), nc.Flush()))
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Errorf("%s: no refusal came", subject)
		}
		for _, ask := range []string{fleet.HelloTo("lab"), "$JS.API.DIRECT.GET.OBJ_" + c.names.Bucket()} {
			must(t, errors.Join(nc.PublishRequest(ask, subject, []byte("{}")), nc.Flush()))
		}
	}
	if _, err := nc.Request(fleet.StatusSubject, nil, fleet.AskWait); err != nil { // the answers before have been given
		t.Error(err)
	}
	must(t, c.nc.Flush())
	if len(heard) > 0 {
		t.Errorf("heard %s from lab", (<-heard).Subject)
	}
}

// wordy is one with as much standard error as a record has at most, which is hard to pack.
type wordy struct{ one }

func (wordy) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return wordy{}, nil }
func (wordy) Stop() referee.Usage {
	noise := make([]byte, maxStderr*2/3)
	_, _ = rand.Read(noise)
	return referee.Usage{Stderr: base64.StdEncoding.AppendEncode(nil, noise)}
}

// TestLargeRecord: a match has an error whose record is too large for an existing server, and its
// worker plays on.
func TestLargeRecord(t *testing.T) {
	t.Parallel()
	host := shownServer(t, "jetstream: {", "max_payload: 8000\njetstream: {")
	c, err := Open(t.Context(), Config{
		URL: "nats://coordinator:SECRET@" + host, Run: "run", Games: games, Note: t.Logf,
		Dispatch: dispatch.Config{Version: "test", Silence: fleet.BeatEvery},
		Own:      &arena.Local{Umpire: "test", Games: games, Players: []referee.Player{wordy{}}, Jobs: 1},
	})
	must(t, err)
	defer c.Close(false)
	run, got := start(t, c, arenatest.Sums(3))
	if err := ended(t, run); err != nil || len(*got) != 3 {
		t.Fatalf("found %d records, error %v; expected 3", len(*got), err)
	}
	for _, r := range *got {
		if want := "bytes when packed, and the NATS server takes 8000"; !strings.Contains(r.Error, want) {
			t.Errorf("found error %q, expected %q", r.Error, want)
		}
	}
}
