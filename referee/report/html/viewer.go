package html

import (
	"encoding/json"

	"umpire/protocols"
)

// A viewer is a page by which the author of a game shows positions. It runs in a frame of
// its own, knows nothing but the positions that it is told, and reaches nobody but by
// leaving.

// viewerSources are what it may load.
const viewerSources = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"

// ViewerPolicy is the content security policy of a viewer that a server offers, which
// makes it a page of nobody's, also when it is opened alone.
const ViewerPolicy = "sandbox allow-scripts; " + viewerSources + "; frame-ancestors 'self'"

// FramePolicy is what the policy of a page must allow that has a viewer in it.
const FramePolicy = "frame-src 'self'"

// viewerFile is a viewer as a file: the policy comes before all that is its author's.
// What only a server can say is left out.
func viewerFile(viewer []byte) []byte {
	head := "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"" + viewerSources + "\">\n"
	return append([]byte(head), viewer...)
}

// viewerName is the file of a site's viewer.
const viewerName = "viewer.html"

// allowViewer has a page's policy allow a viewer in it.
func (c *chrome) allowViewer() { c.Policy += "; " + FramePolicy }

// state keeps what a viewer is told of a position; 0: nothing.
func (p *player) state(position any) int {
	at, ok := position.(protocols.Position)
	if p.viewer == "" || !ok || p.album.bytes > p.most.pictures {
		return 0
	}
	text, err := json.Marshal(at.State())
	if err != nil {
		return 0
	}
	return p.album.text(string(text)) + 1
}
