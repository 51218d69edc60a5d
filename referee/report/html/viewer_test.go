package html

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"umpire/referee/record"
	"umpire/referee/report/html/browsertest"
	"umpire/referee/report/html/pagetest"
)

// hostileViewer tries to get out of its frame, and says in what it has succeeded.
const hostileViewer = `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline' 'unsafe-eval'"><script>
const found = [];
const attempt = (name, f) => { try { if (f() !== undefined) found.push(name); } catch {} };
attempt('page', () => parent.document.title);
attempt('address', () => top.location.href);
attempt('leave', () => { top.location = 'https://example.com/'; });
attempt('store', () => localStorage.length);
attempt('cookie', () => document.cookie);
attempt('window', () => open('https://example.com/') || undefined);
attempt('evaluation', () => eval('1'));
const tries = [
	fetch('https://example.com/').then(() => 'fetch', () => ''), fetch('index.html').then(() => 'file', () => ''),
	new Promise((done) => { const i = new Image(); i.onload = () => done('image'); i.onerror = () => done(''); i.src = 'icon.png'; }),
];
addEventListener('message', async ({data}) => {
	found.push(...(await Promise.all(tries)).filter((name) => name));
	parent.postMessage({reply: '1', found: found.join(), data}, '*');
});
</script></head><body style="position:fixed;inset:-9999px;background:red">anything</body></html>`

// TestViewer: the author's own page shows positions of a site in a frame that it does not
// get out of, and is told nothing but the position.
func TestViewer(t *testing.T) {
	r := pagetest.Completed(t, pagetest.Drawn(t, `state {"at":"start"}`, `show b`, `state {"at":"</script>"}`), "a")
	site := writeSite(t, r.Package.Game(r.Game), []record.Record{r}, func(s *Site) { s.Viewer = []byte(hostileViewer) })
	if text := read(t, site, "viewer.html"); !strings.HasPrefix(text, `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; `) {
		t.Errorf("found a viewer that begins %.99q", text)
	}
	b := browsertest.New(t)
	b.Allow(filepath.Join(site, "viewer.html"))
	b.Open(filepath.Join(site, "replays/1.html"), "?0")
	b.Run(chromedp.Evaluate(`window.said = []; addEventListener('message', (e) => said.push({...e.data, from: e.origin, own: e.source === document.querySelector('iframe').contentWindow}))`, nil))
	for step, state := range []string{"start", "start", "</script>"} {
		if step > 0 {
			b.Press(kb.ArrowRight)
		}
		b.Run(chromedp.Evaluate(`document.querySelector('iframe').onload()`, nil)) // it may have been loaded before the test listened
		b.Await(fmt.Sprintf(`said.some((m) => m.data.step === %d)`, step))
		got := browsertest.Eval[string](b, `(({found, data, from, own}) => JSON.stringify([found, data, from, own]))(said.findLast((m) => m.data.step === `+fmt.Sprint(step)+`))`)
		if want := fmt.Sprintf(`["",{"state":{"at":"%s"},"step":%d,"seat":0},"null",true]`, state, step); got != want {
			t.Errorf("found %s, expected %s", got, want)
		}
	}
	b.Accessible("a viewer")
	b.Run(chromedp.Evaluate(`document.querySelector('#viewer button').click()`, nil))
	if got := browsertest.Eval[string](b, `[document.querySelector('iframe').hidden, document.getElementById('picture').textContent, location.protocol].join()`); got != "true,b,file:" {
		t.Errorf("found %s", got)
	}
	for _, tried := range []string{"Blocked", "Content Security Policy", "Unsafe attempt to initiate navigation", "icon.png"} {
		b.Expect(tried) // by the viewer, which says what it has got
	}
	b.Check("shown")
}
