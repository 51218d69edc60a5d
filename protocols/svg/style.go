package svg

import "strings"

// The colours of both themes. Text on paper and cells, and dark text on every
// fill, has a contrast of 4.5 or more.
const (
	light = `--paper:#fff;--ink:#1b1d21;--mute:#59606b;--line:#c3c8d0;--cell:#f0f2f5;--mark:#7022d6;--can:#00695c`
	dark  = `--paper:#16181c;--ink:#eceef1;--mute:#a5adb9;--line:#4a515c;--cell:#252a31;--mark:#c9a8ff;--can:#63d8c0`
)

// Style is the style sheet of all pictures, always the same. Colours follow the
// reader's preference, or an enclosing element of class "light" or "dark".
const Style = `.drawn{` + light + `;font:13px system-ui,sans-serif}` +
	`@media(prefers-color-scheme:dark){.drawn{` + dark + `}}` +
	`.light .drawn{` + light + `}.dark .drawn{` + dark + `}` +
	`.drawn text{fill:var(--ink);text-anchor:middle;dominant-baseline:central}` +
	`.drawn .l{text-anchor:start}.drawn .r{text-anchor:end}` +
	`.drawn .b{font-weight:700}.drawn .big{font-size:20px;font-weight:700}.drawn .mid{font-size:16px;font-weight:700}` +
	`.drawn .small{font-size:11px}.drawn text.mute{fill:var(--mute)}` +
	`.drawn text.on{fill:#16181c}.drawn text.gain{fill:var(--mark);font-weight:700}` +
	`.drawn .figure{fill:#16181c;fill-rule:evenodd}` +
	`.drawn .paper{fill:var(--paper)}` +
	`.drawn .cell{fill:var(--cell);stroke:var(--line)}.drawn .next{stroke:var(--ink);stroke-width:2}` +
	`.drawn .solid,.drawn .pip{fill:var(--ink)}` +
	`.drawn .line{fill:none;stroke:var(--line);stroke-width:1.5}` +
	`.drawn .rim{stroke:var(--mute);stroke-width:.75}` +
	`.drawn .edge{fill:none;stroke:var(--ink);stroke-width:1.5}` +
	`.drawn .ring{fill:none;stroke:var(--mark);stroke-width:3}` +
	`.drawn .gone{fill:none;stroke:var(--mark);stroke-width:2;stroke-dasharray:3 3}` +
	`.drawn .can{fill:none;stroke:var(--can);stroke-width:2.5;stroke-dasharray:5 3}` +
	`.drawn .key{fill:var(--paper);stroke:var(--can);stroke-width:2}` +
	`.drawn .arrow{fill:none;stroke:var(--mark);stroke-width:3;stroke-linecap:round;stroke-linejoin:round;opacity:.8}` +
	`.drawn .back{fill:none;stroke:var(--mark);stroke-width:2;stroke-dasharray:2 4;stroke-linecap:round}` +
	`.drawn .die{fill:var(--paper);stroke:var(--ink);stroke-width:2}.drawn .used{opacity:.35}` +
	`.drawn .f1{fill:#7cc4f2}.drawn .f2{fill:#f2a04e}.drawn .f3{fill:#55c7a0}.drawn .f4{fill:#f0e056}` +
	`.drawn .f5{fill:#ea9ac3}.drawn .f6{fill:#b9a4ee}.drawn .f7{fill:#c9ced4}.drawn .f8{fill:#f07f66}` +
	`.drawn [data-reply]{cursor:pointer;pointer-events:all}.drawn [data-reply]:hover{opacity:.8}` +
	`.drawn [data-reply]:focus-visible{outline:3px solid var(--mark)}`

const styleElement = "<style>" + Style + "</style>"

// WithoutStyle is a picture without its style sheet, for a page that includes
// Style itself.
func WithoutStyle(svg string) string { return strings.Replace(svg, styleElement, "", 1) }
