package replay

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

// ViewerFile is a viewer as a file: the policy comes before all that is its author's.
// What only a server can say is left out.
func ViewerFile(viewer []byte) []byte {
	head := "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"" + viewerSources + "\">\n"
	return append([]byte(head), viewer...)
}
