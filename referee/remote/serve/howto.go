package serve

import (
	"io/fs"
	"net/http"
	"strings"

	"umpire/referee/pattern"
)

// client is a program that plays here. The comment at its head says what it is written in,
// and how to run it.
type client struct {
	File, Language, Source string
	Commands               string // that fetch and run it, with its key in the environment
}

var (
	clientLanguage = pattern.New(`A remote player for umpire in ([^,.(]+)`)
	// A command is indented in the comment. It says that the key is in the environment, the
	// address of an umpire, and that the number of matches may follow.
	clientCommand = pattern.New(`(?m)^(?:#|//)(?:   |\t)(?:UMPIRE_KEY=\S+ )?(.*)$`)
	otherUmpire   = pattern.New(`http://127\.0\.0\.1:8370 \[MATCHES\]`)
)

// clientOf describes a program, for an umpire with a URL.
func clientOf(file, source, url string) client {
	c := client{File: file, Language: file, Source: source, Commands: "curl -O " + url + "/how-to-play/" + file}
	if m := clientLanguage().FindStringSubmatch(source); m != nil {
		c.Language = strings.TrimSpace(m[1])
	}
	for _, m := range clientCommand().FindAllStringSubmatch(source, -1) {
		c.Commands += "\n" + otherUmpire().ReplaceAllLiteralString(m[1], url)
	}
	return c
}

// guide shows how a program plays here.
type guide struct {
	address address
	clients fs.FS // programs that do, in several languages
}

func (g *guide) page(r *http.Request, root string) (shown, error) {
	view := struct {
		chrome
		URL     string
		Clients []client
	}{chrome: chrome{"How to play", root}, URL: g.address.url}
	if g.address.everywhere() {
		view.URL = g.address.base.Scheme + "://" + r.Host
	}
	files, err := fs.ReadDir(g.clients, ".")
	for _, f := range files {
		source, failed := fs.ReadFile(g.clients, f.Name())
		if failed != nil {
			return shown{}, failed
		}
		view.Clients = append(view.Clients, clientOf(f.Name(), string(source), view.URL))
	}
	return shown{"how", view}, err
}

// send answers with a program as a file.
func (g *guide) send(w http.ResponseWriter, r *http.Request) error {
	source, err := fs.ReadFile(g.clients, r.PathValue("file"))
	if err != nil {
		return noAddress(r)
	}
	write(w, http.StatusOK, "text/plain; charset=utf-8", source)
	return nil
}
