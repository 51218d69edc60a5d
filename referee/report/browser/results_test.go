package browser

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"umpire/protocols/catalog"
	"umpire/referee/record"
	"umpire/referee/report/html/pagetest"
)

// results are the lines of n matches of ioiwari between two bots, in which each seat gives
// the first reply that it may.
func results(t *testing.T, n int) []byte { return resultsOf(t, "ioiwari", n, "<b>one", "two") }

func resultsOf(t *testing.T, game string, n int, bots ...string) []byte {
	t.Helper()
	g := pagetest.Game(t, game)
	var lines bytes.Buffer
	for i := range n {
		c, err := g.Generate(g.Groups[0], uint64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		r := pagetest.Completed(t, pagetest.Play(t, g, c, len(bots), pagetest.Choose()), bots...)
		r.ID, r.Case.Name = fmt.Sprintf("%016x", i+1), fmt.Sprintf("a/%d", i+1)
		if err := json.NewEncoder(&lines).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	return lines.Bytes()
}

// read reads a file that holds a text, and finishes its pages.
func read(text []byte) (*Results, error) {
	r, err := begin(text)
	if err == nil {
		err = r.Finish(context.Background(), func(_, _ int64) {})
	}
	return r, err
}

// begin reads a file that holds a text for the first time.
func begin(text []byte) (*Results, error) {
	input := func(text []byte) Input {
		return Input{Name: "results.jsonl", Size: int64(len(text)), ReaderAt: bytes.NewReader(text)}
	}
	keep := func() (io.Writer, func() Input) {
		var kept bytes.Buffer
		return &kept, func() Input { return input(kept.Bytes()) }
	}
	return Read(context.Background(), input(text), keep, "", catalog.Games(), func(_, _ int64) {})
}

// TestRead: a results file gives the pages of its site and a replay of each match, also
// where it is compressed by zstd or gzip, or ends with a line that is cut off.
func TestRead(t *testing.T) {
	plain := results(t, 3)
	var byZstd, byGzip bytes.Buffer
	if err := record.Compress(&byZstd, bytes.NewReader(plain)); err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(&byGzip)
	_, _ = w.Write(plain)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"plain": plain, "zstd": byZstd.Bytes(), "gzip": byGzip.Bytes(), "cut off": append(bytes.Clone(plain), `{"v":1,"id":"0`...),
	} {
		r, err := read(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Matches() != 3 || r.Game() != "Ioiwari" {
			t.Errorf("%s: %d matches of %s", name, r.Matches(), r.Game())
		}
		for page, has := range map[string]string{"index.html": "<bdi>&lt;b&gt;one</bdi>", "matches.html": `"units":[[1,0,3]]`, "pairs.html": "Head to head", "bots/2.html": "two"} {
			if got := string(r.Page(page)); !strings.Contains(got, has) || !strings.Contains(got, frameScript) || strings.Contains(got, "<b>one") {
				t.Errorf("%s: %s lacks %q, or the script of pages in frames, or has markup of a name", name, page, has)
			}
		}
		if r.Page("replays/1.html") != nil {
			t.Errorf("%s: replays were drawn before they were asked for", name)
		}
		for match := range 3 {
			page, err := r.Replay(match, match == 1)
			id := fmt.Sprintf("record %016x", match+1)
			if err != nil || !strings.Contains(string(page), id) || strings.Contains(string(page), "What replies were worth") != (match == 1) {
				t.Errorf("%s: replay %d lacks %q, or its analysis is wrong: %v", name, match, id, err)
			}
		}
		if _, err := r.Replay(3, false); err == nil || err.Error() != "found no match 4, expected 1 to 3" {
			t.Errorf("%s: a fourth replay: %v", name, err)
		}
	}
}

// TestBegun: after the first reading the standings, the lists and each replay are there; the
// page of a bot is waited for, but no longer than the second reading lasts.
func TestBegun(t *testing.T) {
	text := results(t, 3)
	failed := bytes.Replace(text[:bytes.IndexByte(text, '\n')+1], []byte(`"error":""`), []byte(`"error":"the disk is full"`), 1)
	unnamed := bytes.ReplaceAll(results(t, 1), []byte(`"name":"a/1",`), []byte(`"name":"",`))
	text = slices.Concat(failed, []byte("\n \n"), text, bytes.Replace(unnamed, []byte(`"id":"0000000000000001"`), []byte(`"id":"4"`), 1))
	r, err := begin(text)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	if page := r.Page("index.html"); !bytes.Contains(page, []byte("<bdi>two</bdi>")) || bytes.Contains(page, []byte("Closest")) {
		t.Errorf("found first %s", page)
	}
	if page := r.Page("matches.html"); !bytes.Contains(page, []byte(`"units":[[1,0,4]]`)) || !bytes.Contains(page, []byte(`"cases":["a/1","a/2","a/3","3 `)) {
		t.Errorf("found the list %s", page)
	}
	for match := range 4 {
		if page, err := r.Replay(match, false); err != nil || match < 3 && !bytes.Contains(page, fmt.Appendf(nil, "record %016x", match+1)) {
			t.Errorf("replay %d: %v", match, err)
		}
	}
	bot := make(chan []byte)
	go func() { bot <- r.Page("bots/1.html") }()
	if err := r.Finish(context.Background(), func(_, _ int64) {}); err != nil {
		t.Fatal(err)
	}
	if page := <-bot; !bytes.Equal(page, whole.Page("bots/1.html")) {
		t.Errorf("found the bot's page %s", page)
	}

	r, err = begin(text)
	if err != nil {
		t.Fatal(err)
	}
	go func() { bot <- r.Page("bots/1.html") }()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := r.Finish(ctx, func(_, _ int64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("a reading that was stopped: %v", err)
	}
	if page := <-bot; page != nil {
		t.Errorf("found a page that was never made: %s", page)
	}
}

// TestWrong: what is no results file, or not of one game, is said with the line.
func TestWrong(t *testing.T) {
	line := func(game string) string {
		return fmt.Sprintf(`{"v":1,"id":"1","game":%q,"case":{"text":"x"},"seats":[{"bot":"a","place":1,"verdict":"ok"},{"bot":"b","place":2,"verdict":"ok"}],"events":[]}`+"\n", game)
	}
	for text, want := range map[string]string{
		"":                                   "found no records in results.jsonl",
		line("ioiwari") + "\n<b>{}\n":        "results.jsonl:3: not a match record",
		line("chess"):                        `results.jsonl: unknown game "chess"`,
		line("ioiwari") + line("mensch"):     "results.jsonl: found records of ioiwari and mensch, expected one game",
		"\x1f\x8bnothing that is compressed": "read results.jsonl: the compressed data is damaged: gzip: ",
	} {
		if _, err := read([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
}

// TestUnplayable: a record that can't be played back has a page that says why.
func TestUnplayable(t *testing.T) {
	text := bytes.Replace(results(t, 1), []byte(`"reply":"`), []byte(`"reply":"<i>`), 1)
	r, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	page, err := r.Replay(0, true)
	if err != nil || !bytes.Contains(page, []byte("This match can&#39;t be played back")) && !bytes.Contains(page, []byte("This match can't be played back")) || bytes.Contains(page, []byte("<i>")) {
		t.Errorf("error %v, page %s", err, page)
	}
}

// TestUnvalued: a game that can't say what replies are worth is played back all the same.
func TestUnvalued(t *testing.T) {
	r, err := read(resultsOf(t, "patolli", 1, "one"))
	if err != nil {
		t.Fatal(err)
	}
	const why = `<p class="hint">What replies were worth is not shown: patolli can&#39;t say what a reply is worth.</p>`
	for _, analyse := range []bool{false, true} {
		page, err := r.Replay(0, analyse)
		if err != nil || !bytes.Contains(page, []byte(`id="controls"`)) || bytes.Contains(page, []byte(why)) != analyse {
			t.Errorf("analyse %t: no replay, or it lacks the reason: %v", analyse, err)
		}
	}
}

// TestPage: the page's scripts are those that its policy allows, and it holds the program.
func TestPage(t *testing.T) {
	page, err := Page([]byte("\x00asm"), []byte("const support = 1;\n"), "1.2 <b>")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"connect-src &#39;none&#39;", "&#39;wasm-unsafe-eval&#39;", "<script>const support = 1;</script>", "umpire 1.2 &lt;b&gt;", `<script type="application/wasm" id="program">+,^C)`,
	} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
