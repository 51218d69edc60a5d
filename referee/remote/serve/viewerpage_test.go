package serve_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"umpire/referee/remote/serve"
	"umpire/referee/report/html/browsertest"
)

// pushyViewer proposes what may be replied, and more, and tries to reply by itself.
const pushyViewer = `<!doctype html><body style="position:fixed;inset:-9999px;background:red"><script>
let out = '';
try { out += parent.document.title; } catch {}
try { top.location = 'https://example.com/'; out += 'left'; } catch {}
addEventListener('message', ({data}) => {
	for (const reply of ['99', 7, null, {}, '1', '2', '3', '4', '5', '6', '7', ' 1', '-']) parent.postMessage({reply}, '*');
	parent.postMessage({reply: 'out ' + out, told: data}, '*');
});
</script>`

// TestViewerPage: a game's viewer is a page of nobody's, which is told positions and may
// propose a reply: it is sent once the person clicks.
func TestViewerPage(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), func(c *serve.Config) {
		for i := range c.Games {
			if c.Games[i].Name == "ioiwari" {
				c.Games[i].Viewer = []byte(pushyViewer)
			}
		}
		c.Embed = "https://club.example"
	})
	m, other := s.invite("ioiwari", "human:eve", "human:guest"), s.invite("vmukni", "human:eve", "human:guest")
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	embedded := strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors https://club.example", 1)
	for path, want := range map[string]string{
		"/viewers/ioiwari":     "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self' https://club.example",
		"/viewers/vmukni":      policy,
		"/":                    policy,
		"/play/" + m.ID:        policy + "; frame-src 'self'",
		"/matches/" + m.ID:     embedded + "; frame-src 'self'",
		"/matches/" + other.ID: embedded,
	} {
		if a := s.request("GET", path, "", nil); a.header.Get("Content-Security-Policy") != want || (path == "/viewers/vmukni") != (a.status == 404) {
			t.Errorf("%s: found status %d, policy %q, expected %q", path, a.status, a.header.Get("Content-Security-Policy"), want)
		}
	}

	b, onlooker := browsertest.New(t), browsertest.New(t)
	s.people(m, 2)
	onlooker.Visit(s.server.URL, "/matches/"+m.ID)
	b.Visit(s.server.URL, m.Seats[0].Link)
	b.Await(owed + ` && document.getElementById('proposal')`)
	b.Run(chromedp.Evaluate(`window.said = []; addEventListener('message', (e) => { if (e.data.told) said.push(e.data); })`, nil))
	b.Run(chromedp.Evaluate(`document.querySelector('iframe').onload()`, nil))
	b.Await(`said.length`)
	if got := browsertest.Eval[string](b, `[said[0].reply, typeof said[0].told.state, said[0].told.seat, document.querySelector('iframe').sandbox].join()`); got != "out ,object,0,allow-scripts" {
		t.Errorf("found %s", got)
	}
	if n := browsertest.Eval[int](b, moves); n != 0 {
		t.Errorf("found %d moves, and nobody has clicked", n)
	}
	// The page hears its own frame alone, and of that what may be replied.
	b.Run(chromedp.Evaluate(`document.getElementById('proposal').remove(); postMessage({reply: document.querySelector('#choices button').dataset.choice}, '*')`, nil))
	b.Run(chromedp.Evaluate(`new Promise((done) => setTimeout(done))`, nil, awaitPromise))
	if browsertest.Eval[bool](b, `Boolean(document.getElementById('proposal'))`) {
		t.Error("a message that is not the frame's is heard")
	}
	b.Accessible("a viewer")
	b.Run(chromedp.Evaluate(`document.querySelector('iframe').onload()`, nil))
	b.Await(`document.getElementById('proposal')`)
	proposed := browsertest.Eval[string](b, `document.getElementById('proposal').dataset.choice`)
	if got := browsertest.Eval[bool](b, fmt.Sprintf(`[...document.querySelectorAll('#choices button')].some((e) => e.dataset.choice === %q)`, proposed)); !got {
		t.Errorf("the view proposes %q, which is no choice", proposed)
	}
	b.Run(chromedp.Evaluate(`document.getElementById('proposal').click()`, nil))
	b.Await(moves + ` >= 1 && document.querySelector('#moves b').textContent === ` + fmt.Sprintf("%q", proposed))
	onlooker.Await(moves + ` >= 1 && document.querySelector('#viewer iframe') && !document.getElementById('proposal')`)
	leave(b)
	const replayed = `document.getElementById('controls') && document.querySelector('#viewer iframe').src === ` + "`${location.origin}/viewers/ioiwari`"
	onlooker.Visit(s.server.URL, "/matches/"+m.ID)
	onlooker.Await(replayed)
	for _, tab := range []*browsertest.Tab{b, onlooker} {
		tab.Expect("Unsafe attempt to initiate navigation") // by the viewer
		tab.Check("a viewer")
	}
}

// late has a page ask for something only once a condition holds.
func late(b *browsertest.Tab, what, condition string) {
	code := fmt.Sprintf(`let heard = false;
		addEventListener('message', () => { heard = true; });
		const ask = window.fetch;
		window.fetch = async (url, options) => {
			while (String(url).includes(%q) && !(%s)) await new Promise((done) => setTimeout(done));
			return ask(url, options);
		};`, what, condition)
	b.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument("{" + code + "}").Do(ctx)
		return err
	}))
}

// TestViewerInAnyOrder: a viewer proposes whether what may be replied comes before what everybody sees,
// or after the viewer has seen that.
func TestViewerInAnyOrder(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), func(c *serve.Config) {
		for i := range c.Games {
			c.Games[i].Viewer = []byte(pushyViewer)
		}
	})
	for what, condition := range map[string]string{"/events": owed, "seat/turns/": "heard"} {
		m := s.invite("ioiwari", "human:eve", "human:guest")
		s.people(m, 2)
		b := browsertest.New(t)
		late(b, what, condition)
		b.Visit(s.server.URL, m.Seats[0].Link)
		b.Await(owed + ` && document.getElementById('proposal')`)
		leave(b)
	}
}
