// Package browsertest opens pages in Chromium, for tests and pictures of pages: what must not
// happen on a page is noted, and what keeps people from using it is found.
package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	dialogs "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"umpire/referee/testlevel"
)

// browser is the one browser of all tests of a package.
var browser struct {
	once   sync.Once
	ctx    context.Context
	cancel func()
	err    error
}

// Close ends the browser, if one has been started: the last thing that a
// package's TestMain does.
func Close() {
	if browser.cancel != nil {
		browser.cancel()
	}
}

// start starts Chromium, once.
func start() { browser.ctx, browser.cancel, browser.err = Start() }

// Start starts Chromium, with a context of chromedp for it, until it is closed.
func Start() (ctx context.Context, close func(), err error) {
	path := ""
	// The shell has no window to draw, and takes a third of the CPU time less.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		return nil, nil, exec.ErrNotFound
	}
	profile, err := os.MkdirTemp("", "umpire-browser-")
	if err != nil {
		return nil, nil, err
	}
	// Its own sandbox does not run as root. The pages are ours.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(profile),
		chromedp.DisableGPU, chromedp.Flag("disable-dev-shm-usage", true),
		// A process for each tab would cost more than the pages do.
		chromedp.Flag("renderer-process-limit", "1"), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	close = func() {
		_ = chromedp.Cancel(ctx) // waits until it has ended
		end()
		stop()
		_ = os.RemoveAll(profile) // as far as it goes: helpers of the browser may still write there
	}
	if err := chromedp.Run(ctx); err != nil {
		close()
		return nil, nil, err
	}
	return ctx, close, nil
}

// Tab is a page of the browser, with what has gone wrong on it.
type Tab struct {
	T   *testing.T
	ctx context.Context

	mu      sync.Mutex
	allowed map[string]bool // addresses without query and fragment
	site    string          // below which every address is allowed; "": none
	wrong   []string
}

// New opens a tab, or skips the test where there is no browser and in short runs.
func New(t *testing.T) *Tab {
	t.Helper()
	testlevel.Needs(t, testlevel.Default)
	browser.once.Do(start)
	if browser.err != nil {
		t.Skipf("notice: no page is opened, since there is no Chromium that starts here: %v", browser.err)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(stop)
	b := &Tab{T: t, ctx: ctx, allowed: make(map[string]bool)}
	chromedp.ListenTarget(ctx, b.listen)
	b.Run(network.Enable(), log.Enable(), emulation.SetFocusEmulationEnabled(true)) // no tab counts as hidden behind another
	return b
}

// listen notes what must not happen.
func (b *Tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		text := "console: " + e.Type.String()
		for _, arg := range e.Args {
			text += " " + string(arg.Value)
		}
		b.wrong = append(b.wrong, text)
	case *runtime.EventExceptionThrown:
		b.wrong = append(b.wrong, "exception: "+e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		b.wrong = append(b.wrong, fmt.Sprintf("log: %s %s", e.Entry.Source, e.Entry.Text))
	case *dialogs.EventJavascriptDialogOpening:
		b.wrong = append(b.wrong, "a dialog: "+e.Message)
		go func() { _ = chromedp.Run(b.ctx, dialogs.HandleJavaScriptDialog(true)) }()
	case *network.EventRequestWillBeSent:
		if strings.HasPrefix(e.Request.URL, "blob:") {
			return // it is in the browser already
		}
		if !b.allowed[withoutQuery(e.Request.URL)] && (b.site == "" || !strings.HasPrefix(e.Request.URL, b.site)) {
			b.wrong = append(b.wrong, "request of "+e.Request.URL)
		}
	}
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return address
}

// Run runs actions on the page.
func (b *Tab) Run(actions ...chromedp.Action) {
	b.T.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.T.Fatal(err)
	}
}

// Allow allows pages to load a file of the disk.
func (b *Tab) Allow(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.allowed[(&url.URL{Scheme: "file", Path: path}).String()] = true
}

// Open loads a page of the disk; the suffix is its query and fragment.
func (b *Tab) Open(path, suffix string) {
	b.T.Helper()
	address := (&url.URL{Scheme: "file", Path: path}).String()
	b.Allow(path)
	b.load(address + suffix)
}

// Visit loads a page of a server, which may load others from there.
func (b *Tab) Visit(server, path string) {
	b.T.Helper()
	b.mu.Lock()
	b.site = server + "/"
	b.mu.Unlock()
	b.load(server + path)
}

// load leaves the page for another and waits for that: the event that ends a
// navigation may be that of the empty page between the two.
func (b *Tab) load(address string) {
	b.T.Helper()
	b.Run(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	b.Await("location.href !== 'about:blank' && document.readyState === 'complete' && !document.querySelector('script[type=\"application/gzip\"]')")
}

// Await waits until a JavaScript expression is true, whatever page is loaded
// meanwhile. The tab need not be the one in front.
func (b *Tab) Await(code string) {
	b.T.Helper()
	b.AwaitThat(code, func(ctx context.Context) (done bool, err error) {
		err = chromedp.Run(ctx, chromedp.Evaluate("Boolean("+code+")", &done))
		return done, err
	})
}

// AwaitThat waits, likewise, until something is so beside the page.
func (b *Tab) AwaitThat(what string, isSo func(context.Context) (bool, error)) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 3*time.Minute)
	defer cancel()
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		done, err := isSo(ctx)
		if err == nil && done {
			return
		}
		select {
		case <-time.After(pause): // an error may come from a page that is being left
		case <-ctx.Done():
			var text string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate("location.href + '\\n' + document.body.textContent", &text))
			b.T.Fatalf("%v while waiting for %s; the page says:\n%s", err, what, text)
		}
	}
}

// Expect drops notes that contain the text: of errors that the test provokes.
func (b *Tab) Expect(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = slices.DeleteFunc(b.wrong, func(note string) bool { return strings.Contains(note, text) })
}

// Picture writes a picture of the whole page to a PNG file.
func (b *Tab) Picture(path string) {
	b.T.Helper()
	var png []byte
	b.Run(dialogs.BringToFront(), chromedp.FullScreenshot(&png, 100)) // a tab behind another is not painted
	if err := os.WriteFile(path, png, 0o600); err != nil {
		b.T.Fatal(err)
	}
}

// Eval evaluates JavaScript.
func Eval[T any](b *Tab, code string) (value T) {
	b.T.Helper()
	b.Run(chromedp.Evaluate(code, &value))
	return value
}

// Press presses keys.
func (b *Tab) Press(keys ...string) {
	b.T.Helper()
	for _, key := range keys {
		b.Run(chromedp.KeyEvent(key))
	}
}

// Show sets the width and the theme.
func (b *Tab) Show(width int64, scheme string) {
	b.T.Helper()
	b.Run(emulation.SetDeviceMetricsOverride(width, 900, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// Check fails the test if something has gone wrong since the last check.
func (b *Tab) Check(where string) {
	b.T.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.wrong {
		b.T.Errorf("%s: %s", where, w)
	}
	b.wrong = nil
}

// Accessible checks contrast, labels and width in both themes and at two widths: by
// default in one theme at each width, in thorough runs in each at each.
func (b *Tab) Accessible(name string) {
	b.T.Helper()
	b.Await("document.readyState === 'complete'") // its style sheet may come after what a script shows
	schemes, widths := []string{"dark", "light"}, []int64{360, 1280}
	for _, row := range testlevel.Rows(len(schemes), len(widths)) {
		scheme, width := schemes[row[0]], widths[row[1]]
		b.Show(width, scheme)
		where := fmt.Sprintf("%s, %s, %d pixels", name, scheme, width)
		for _, problem := range Eval[[]string](b, Problems) {
			b.T.Errorf("%s: %s", where, problem)
		}
	}
}

// Problems lists what keeps people from reading or using a page: text of
// too little contrast by WCAG's formula, controls and pictures without a name,
// ids twice, tables without headers, and a page wider than its window.
const Problems = `(() => {
	const problems = [], say = (what, e) => problems.push(what + ': ' + (e.outerHTML || '').slice(0, 160));
	const rgb = (text) => (text.match(/[\d.]+/g) || []).map(Number);
	const light = (c) => {
		const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c.length === 3 || c[3] === 1) return c;
			if (c[3] > 0) return null;
		}
		return [255, 255, 255];
	};
	const seen = new Set();
	for (const e of document.querySelectorAll('body *')) {
		const hasText = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!hasText || e.closest('svg, script, style, noscript, template') || !e.getClientRects().length) continue;
		const style = getComputedStyle(e), back = ground(e), front = rgb(style.color);
		const key = style.color + back + style.fontSize + style.fontWeight;
		if (seen.has(key) || style.visibility === 'hidden') continue;
		seen.add(key);
		const a = light(front), b = back ? light(back) : NaN;
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
		if (!(ratio >= (large ? 3 : 4.5)) || front.length === 4 && front[3] < 1) say('contrast ' + ratio.toFixed(2), e);
	}
	if (!seen.size) problems.push('no text to check');
	const named = (e) => (e.getAttribute('aria-label') || e.labels && [...e.labels].map((l) => l.textContent).join('') || e.textContent || '').trim();
	for (const e of document.querySelectorAll('button, a[href], select, input, progress, [tabindex="0"], svg[role=img], [role=region], [role=group], nav, form')) {
		const title = e.querySelector(':scope > title');
		if (!named(e) && !(title && title.textContent.trim()) && !e.getAttribute('aria-labelledby')) say('no name', e);
		if (e.tabIndex > 0) say('tabindex', e);
	}
	const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
	for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push('id twice: ' + id);
	for (const e of document.querySelectorAll('table')) if (!e.querySelector('th')) say('no header', e);
	for (const e of document.querySelectorAll('*')) {
		const s = getComputedStyle(e);
		if ((s.overflowX === 'auto' || s.overflowX === 'scroll') && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0 && !e.querySelector('a[href], button')) say('scrolls, but not by keyboard', e);
	}
	if (!document.documentElement.lang || !document.title) problems.push('no language or title');
	if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the window: ' + document.documentElement.scrollWidth);
	return problems;
})()`
