package serve_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"umpire/referee/keys"
	"umpire/referee/remote"
	"umpire/referee/remote/serve"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/testlevel"
)

// The example clients outlive an umpire that is stopped and started again: their match is
// void, and they play the next one.
func TestExampleClientsAfterRestart(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	source, err := filepath.Abs("../../../bots/examples/remote")
	must(t, err)
	for _, c := range []soapClient{
		{tool: "python", probe: []string{"python3", "-V"}, run: strings.Fields("python3 SOURCE/client.py URL")},
		{tool: "node", probe: []string{"node", "-v"}, run: strings.Fields("node SOURCE/client.js URL")},
		{
			tool: "go", probe: []string{"go", "version"}, build: [][]string{strings.Fields("go build -o client.exe SOURCE/client.go")},
			run: strings.Fields("./client.exe URL"),
		},
		{tool: "curl", probe: []string{"sh", "-c", "curl -V"}, run: strings.Fields("sh SOURCE/client.sh URL")},
		{
			tool: "mono", probe: []string{"sh", "-c", "command -v mono && command -v mcs"},
			build: [][]string{strings.Fields("mcs -nologo -out:client.exe SOURCE/Client.cs")}, run: strings.Fields("mono client.exe URL"),
		},
	} {
		t.Run(c.tool, func(t *testing.T) {
			dir := t.TempDir()
			if _, ok := c.command(t, dir, c.probe); !ok {
				t.Skipf("notice: %s is not installed, so no client of it plays", c.tool)
			}
			s := open(t, t.TempDir(), nil)
			c.env = []string{"UMPIRE_KEY=" + s.player("alice"), "CGO_ENABLED=0"}
			bob := s.player("bob")
			text, err := os.ReadFile(filepath.Join(s.dir, "players"))
			must(t, err)
			g := newGate(s)
			s.order(map[string]any{"game": "vmukni", "seats": []string{"remote:alice", "remote:bob"}, "time_ms": 0})
			ended := make(chan bool, 1)
			go func() {
				ok, values := true, strings.NewReplacer("SOURCE", source, "URL", "http://"+g.address)
				for _, args := range append(c.build, c.run) {
					if ok {
						_, ok = c.command(t, dir, strings.Split(values.Replace(strings.Join(args, "\x00")), "\x00"))
					}
				}
				ended <- ok
			}()
			seat := get[remote.SeatInfo](s, "POST", "join", bob, map[string]any{"wait": 0})
			for state := remote.TurnWait; state != remote.TurnMove; { // the client is there as well
				state = get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", seat.Ticket, nil).State
			}
			s.close()
			restarted := t.TempDir()
			must(t, os.WriteFile(filepath.Join(restarted, "players"), text, 0o600))
			s = open(t, restarted, nil)
			id := s.order(map[string]any{"game": "vmukni", "seats": []string{"remote:alice", "@2"}, "time_ms": 0})
			g.shut()
			g.to = newGate(s).to
			g.to.Transport = &breaking{RoundTripper: g.to.Transport}
			g.open()
			if !<-ended {
				t.Error("the client fails")
			}
			if m := get[remote.MatchInfo](s, "GET", "matches/"+id, "", nil); m.State != remote.Over {
				t.Errorf("found %+v", m)
			}
		})
	}
}

// breaking answers the first request as a server that ends in the middle of an answer.
type breaking struct {
	http.RoundTripper
	broke atomic.Bool
}

func (b *breaking) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.broke.CompareAndSwap(false, true) {
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: make(http.Header), Body: http.NoBody, Request: r}, nil
	}
	return b.RoundTripper.RoundTrip(r)
}

// After umpire was killed and started again a page whose move it was says so without a
// click, and a match that is known no more leads on to the person's next one.
func TestPersonAfterRestart(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	key := ""
	s := open(t, t.TempDir(), func(c *serve.Config) {
		var err error
		key, err = c.Keys.Add(keys.PersonKey("eve"))
		must(t, err)
	})
	keysText, err := os.ReadFile(filepath.Join(s.dir, "players"))
	must(t, err)
	g := newGate(s)
	s.invite("ioiwari", "human:eve", "@2")
	b.Visit("http://"+g.address, serve.PersonPage+key)
	b.Await(owed)
	restart := func() (s *site) {
		t.Helper()
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "players"), keysText, 0o600))
		s = open(t, dir, nil)
		g.shut()
		g.to = newGate(s).to
		g.open()
		return s
	}
	s = restart()
	b.Await(`document.getElementById('status').textContent === 'This match does not count: the server was started again, and knows it no more.' && document.getElementById('trouble').hidden`)
	s.invite("ioiwari", "human:eve", "@2")
	b.Await(`document.querySelector('#next-match a')`)
	s = restart()
	b.Run(chromedp.Evaluate(`document.querySelector('#next-match a').click()`, nil))
	b.Await(`document.querySelector('h1').textContent === 'Not shown' && document.querySelector('main a')`)
	b.Accessible("a match that is not known")
	b.Run(chromedp.Evaluate(`document.querySelector('main a').click()`, nil))
	b.Await(`document.getElementById('status')?.textContent === 'Waiting for your next match.'`)
	m := s.invite("ioiwari", "human:eve", "@2")
	b.Await(owed + ` && location.pathname.endsWith('` + m.ID + `')`)
	for _, expected := range []string{"net::ERR_", "410", "404"} {
		b.Expect(expected)
	}
	b.Check("restarted twice")
}
