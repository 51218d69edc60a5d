package pagetest

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"umpire/referee/report/html/browsertest"
)

// PackedForm matches the element with what a page holds compressed.
var PackedForm = regexp.MustCompile(`<script type="application/gzip" id="[a-z]+">([^<]*)</script>`)

// Unpack reads what a page holds compressed, as its script does.
func Unpack(t *testing.T, page string, v any) {
	t.Helper()
	found := PackedForm.FindAllStringSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("%d data elements", len(found))
	}
	in, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(found[0][1])))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(in).Decode(v); err != nil {
		t.Fatal(err)
	}
}

// PolicyForm matches the content security policy of a page.
var PolicyForm = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)

// Texts are the texts that a page stores by their forms.
type Texts []string

// UnmarshalJSON reads texts as the script of a page does.
func (t *Texts) UnmarshalJSON(b []byte) error {
	var in struct {
		Forms []struct {
			Pieces  []string `json:"t"`
			Columns []string `json:"n"`
		}
		Order []int
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	rows, now := make([]int, len(in.Forms)), make([][]string, len(in.Forms))
	for _, n := range in.Order {
		f := in.Forms[n]
		if now[n] == nil {
			now[n] = make([]string, len(f.Columns))
		}
		text := f.Pieces[0]
		for i, column := range f.Columns {
			if cells := strings.Split(column, ","); rows[n] < len(cells) && cells[rows[n]] != "" {
				now[n][i] = cells[rows[n]]
			}
			text += now[n][i] + f.Pieces[i+1]
		}
		rows[n]++
		*t = append(*t, text)
	}
	return nil
}

// Written writes a page to the disk.
func Written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a page.html")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// State is the state of a page that plays a match back, as it is shown.
type State struct {
	Where, Picture, Caption, Address, Play string
}

// StateOf reads what the page shows.
func StateOf(b *browsertest.Tab) State {
	b.T.Helper()
	return browsertest.Eval[State](b, `(() => {
		const text = (id) => document.getElementById(id).textContent.replace(/\s+/g, ' ').trim();
		return {Where: text('where'), Caption: text('caption'), Address: location.hash,
			Picture: document.getElementById('picture').innerHTML,
			Play: document.getElementById('play').getAttribute('aria-label')};
	})()`)
}
