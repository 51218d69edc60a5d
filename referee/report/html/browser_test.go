package html

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
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
)

// browser is the one browser of all tests here.
var browser struct {
	once   sync.Once
	ctx    context.Context
	cancel func()
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.cancel != nil {
		browser.cancel()
	}
	os.Exit(code)
}

// startBrowser starts Chromium, once.
func startBrowser() {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		browser.err = exec.ErrNotFound
		return
	}
	profile, err := os.MkdirTemp("", "umpire-browser-")
	if err != nil {
		browser.err = err
		return
	}
	// Its own sandbox does not run as root. The pages are ours.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(profile),
		chromedp.DisableGPU, chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	browser.ctx = ctx
	browser.cancel = func() {
		_ = chromedp.Cancel(ctx) // waits until it has ended
		end()
		stop()
		_ = os.RemoveAll(profile) // as far as it goes: helpers of the browser may still write there
	}
	browser.err = chromedp.Run(ctx)
}

// tab is a page of the browser, with what has gone wrong on it.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	allowed map[string]bool // addresses without query and fragment
	wrong   []string
}

// newTab opens a tab, or skips the test where there is no browser.
func newTab(t *testing.T) *tab {
	t.Helper()
	browser.once.Do(startBrowser)
	if browser.err != nil {
		t.Skipf("notice: no page is opened, since there is no Chromium that starts here: %v", browser.err)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx, allowed: make(map[string]bool)}
	chromedp.ListenTarget(ctx, b.listen)
	b.run(network.Enable(), log.Enable())
	return b
}

// listen notes what must not happen.
func (b *tab) listen(event any) {
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
		if !b.allowed[withoutQuery(e.Request.URL)] {
			b.wrong = append(b.wrong, "request of "+e.Request.URL)
		}
	}
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return address
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// open loads a page of the disk; the suffix is its query and fragment.
func (b *tab) open(path, suffix string) {
	b.t.Helper()
	address := (&url.URL{Scheme: "file", Path: path}).String()
	b.mu.Lock()
	b.allowed[address] = true
	b.mu.Unlock()
	b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(address+suffix))
}

// eval evaluates JavaScript.
func eval[T any](b *tab, code string) (value T) {
	b.t.Helper()
	b.run(chromedp.Evaluate(code, &value))
	return value
}

// press presses keys.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.run(chromedp.KeyEvent(key))
	}
}

// show sets the width and the theme.
func (b *tab) show(width int64, scheme string) {
	b.t.Helper()
	b.run(emulation.SetDeviceMetricsOverride(width, 900, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// check fails the test if something has gone wrong since the last check.
func (b *tab) check(where string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.wrong {
		b.t.Errorf("%s: %s", where, w)
	}
	b.wrong = nil
}

// accessible checks contrast, labels and width in both themes, at two widths.
func (b *tab) accessible(name string) {
	b.t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			b.show(width, scheme)
			where := fmt.Sprintf("%s, %s, %d pixels", name, scheme, width)
			for _, problem := range eval[[]string](b, problemsScript) {
				b.t.Errorf("%s: %s", where, problem)
			}
		}
	}
}

// problemsScript lists what keeps people from reading or using a page: text of
// too little contrast by WCAG's formula, controls and pictures without a name,
// ids twice, tables without headers, and a page wider than its window.
const problemsScript = `(() => {
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

// words is the text of markup.
func words(markup string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(markup, " "))), " ")
}
