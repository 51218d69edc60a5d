package serve

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"umpire/referee"
	"umpire/referee/fleet/status"
	"umpire/referee/pattern"
	"umpire/referee/remote"
	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/report/html/replay"
)

//go:embed web
var web embed.FS

// templates are those of all pages. They escape what they show, and hold no
// script and no style: those come from /web/.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"safe": safeLine, "list": listOf, "markdown": rulesToHTML, "progress": report.FleetProgress, "pace": status.Pace, "web": func() string { return "web/" + webHash() }}).ParseFS(web, "web/*.html"))
})

// safeLine shows what can't be seen, as on a terminal.
func safeLine(text string) string { return report.SafeLine(text).String() }

// labelled is a list of matches.
type labelled struct {
	Label string
	List  []titled
}

func listOf(label string, list []titled) labelled { return labelled{label, list} }

// webFile returns a file under /web/; ok is false if there is none with the
// name.
func webFile(name string) (text []byte, ok bool) {
	switch name {
	case "replay.css":
		return []byte(replay.Style()), true
	case "site.css":
		return []byte(html.SiteStyle()), true
	case "replay.js":
		return []byte(replay.Script()), true
	case "board.js":
		return remarks().ReplaceAll([]byte(replay.BoardScript()+"export {crop, paintSeat, scoreIn};\n"), nil), true
	}
	text, err := web.ReadFile("web/" + name)
	if err != nil || path.Ext(name) == ".html" {
		return nil, false
	}
	if name == "pages.css" {
		text = append([]byte(replay.BoardStyle()), text...)
	}
	if path.Ext(name) == ".js" {
		text = remarks().ReplaceAll(text, nil)
	}
	return text, true
}

// remarks are the parts of a script that are for its readers alone, and indents.
var remarks = pattern.New(`(?m)^\t*(//.*\n)?| // .*$`)

// webHash is a hash of all files under /web/, below which they may be kept for ever.
var webHash = sync.OnceValue(func() string {
	sum := sha256.New()
	entries, _ := web.ReadDir("web") // it is in the executable
	for _, e := range entries {
		text, _ := webFile(e.Name())
		fmt.Fprintf(sum, "%s %d\n%s", e.Name(), len(text), text)
	}
	fmt.Fprint(sum, replay.Style(), replay.Script(), html.SiteStyle())
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// sendWebFile answers with a file under /web/.
func sendWebFile(w http.ResponseWriter, r *http.Request) error {
	text, ok := webFile(r.PathValue("file"))
	hash := r.PathValue("hash")
	if !ok || hash != "" && hash != webHash() {
		return noAddress(r)
	}
	if hash != "" {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	write(w, http.StatusOK, mime.TypeByExtension(path.Ext(r.PathValue("file"))), text)
	return nil
}

// titled is a match with its game's title.
type titled struct {
	remote.MatchInfo
	Title  string
	Viewer bool // the game has one
}

func titledOf(d *directory, m remote.MatchInfo) titled {
	g, _ := d.games.Find(m.Game)
	return titled{m, safeLine(cmp.Or(g.Title, m.Game)), g.Viewer != nil}
}

// Result is how the match ended for a seat; nil if it did not.
func (t titled) Result(seat int) *remote.Result {
	if seat > len(t.Results) {
		return nil
	}
	return &t.Results[seat-1]
}

// Word is a seat's verdict as people read it; "" if it is ok.
func (t titled) Word(s remote.SeatSeen) string {
	word := referee.Verdict(s.Verdict)
	if r := t.Result(s.Seat); r != nil {
		word = referee.Verdict(word.Word(r.Detail))
	}
	if word == referee.OK {
		return ""
	}
	return string(word)
}

// Names lists the players, as in a title.
func (t titled) Names() string {
	var names []string
	for _, seat := range t.Seats {
		names = append(names, seat.Player)
	}
	return strings.Join(names, ", ")
}
