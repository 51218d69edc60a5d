//go:build js && wasm

// Wasm is the program of the page that shows results in a browser. It gives the page's
// script an object, umpire: read(file, name, config, told) reads a results file; then page(name)
// and replay(match, analyse) return pages of it, while finish(told) makes the others.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"syscall/js"
	"time"

	"umpire/protocols/catalog"
	"umpire/referee/report/browser"
)

func main() {
	// The least that makes a collection worth its time; a browser gives up to 4 GB.
	debug.SetGCPercent(200)
	p := &program{}
	js.Global().Set("umpire", map[string]any{
		"read":   promising(p.read),
		"finish": promising(p.finish),
		"page":   promising(p.page),
		"replay": promising(p.replay),
	})
	select {}
}

// program holds the results that are shown.
type program struct {
	results *browser.Results
	reading context.Context // of them
	stop    context.CancelFunc
}

var errNothingRead = errors.New("no results have been read")

func (p *program) read(args []js.Value) (any, error) {
	if p.stop != nil {
		p.stop()
	}
	p.results = nil // what was shown before makes room
	p.reading, p.stop = context.WithCancel(context.Background())
	results, err := browser.Read(p.reading, inputOf(args[1].String(), args[0]), keep, args[2].String(), catalog.Games(), telling(args[3]))
	if err != nil {
		return nil, err
	}
	p.results = results
	return map[string]any{"game": results.Game(), "matches": results.Matches()}, nil
}

func (p *program) finish(args []js.Value) (any, error) {
	if p.results == nil {
		return nil, errNothingRead
	}
	return nil, p.results.Finish(p.reading, telling(args[0]))
}

// telling calls a function of JavaScript now and then.
func telling(tell js.Value) browser.Progress {
	told := time.Time{}
	return func(done, total int64) {
		if now := time.Now(); now.Sub(told) > 100*time.Millisecond {
			told = now
			tell.Invoke(done, total)
		}
	}
}

func (p *program) page(args []js.Value) (any, error) {
	if p.results == nil {
		return nil, errNothingRead
	}
	name := args[0].String()
	page := p.results.Page(name)
	if page == nil {
		return nil, fmt.Errorf("found no page %s", name)
	}
	return bytesOf(page), nil
}

func (p *program) replay(args []js.Value) (any, error) {
	if p.results == nil {
		return nil, errNothingRead
	}
	page, err := p.results.Replay(args[0].Int(), args[1].Bool())
	if err != nil {
		return nil, err
	}
	return bytesOf(page), nil
}

// promising is a function of JavaScript that returns a promise of what f returns.
func promising(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		executor := js.FuncOf(func(_ js.Value, settle []js.Value) any {
			go func() {
				value, err := f(args)
				if err != nil {
					settle[1].Invoke(js.Global().Get("Error").New(err.Error()))
					return
				}
				settle[0].Invoke(value)
			}()
			return nil
		})
		defer executor.Release()
		return js.Global().Get("Promise").New(executor)
	})
}

func bytesOf(text []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(text))
	js.CopyBytesToJS(array, text)
	return array
}

// blob reads a Blob of the browser's, of which the last piece read is at hand.
type blob struct {
	value js.Value
	piece []byte
	at    int64 // of the piece
}

// pieceBytes is how much is read at a time: the page is painted between two.
const pieceBytes = 1 << 20

func inputOf(name string, value js.Value) browser.Input {
	return browser.Input{Name: name, Size: int64(value.Get("size").Float()), ReaderAt: &blob{value: value}}
}

func (b *blob) ReadAt(buf []byte, at int64) (n int, err error) {
	for n < len(buf) {
		from := at + int64(n)
		if from < b.at || from >= b.at+int64(len(b.piece)) {
			if err := b.load(from); err != nil {
				return n, err
			}
			if len(b.piece) == 0 {
				return n, io.EOF
			}
		}
		n += copy(buf[n:], b.piece[from-b.at:])
	}
	return n, nil
}

// load reads the piece that begins there.
func (b *blob) load(at int64) error {
	array, err := await(b.value.Call("slice", at, at+pieceBytes).Call("arrayBuffer"))
	if err != nil {
		return err
	}
	bytes := js.Global().Get("Uint8Array").New(array)
	b.piece, b.at = append(b.piece[:0], make([]byte, bytes.Length())...), at
	js.CopyBytesToGo(b.piece, bytes)
	return nil
}

// await waits for what a promise gives.
func await(promise js.Value) (js.Value, error) {
	kept, broken := make(chan js.Value, 1), make(chan js.Value, 1)
	sending := func(to chan js.Value) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any { to <- args[0]; return nil })
	}
	keeping, breaking := sending(kept), sending(broken)
	defer keeping.Release()
	defer breaking.Release()
	promise.Call("then", keeping, breaking)
	select {
	case value := <-kept:
		return value, nil
	case why := <-broken:
		return js.Value{}, errors.New(why.Get("message").String())
	}
}

// keep makes a Blob, which the browser may keep on a disk.
func keep() (io.Writer, func() browser.Input) {
	parts := js.Global().Get("Array").New()
	return appended{parts}, func() browser.Input { return inputOf("", js.Global().Get("Blob").New(parts)) }
}

type appended struct{ parts js.Value }

func (a appended) Write(b []byte) (int, error) {
	a.parts.Call("push", js.Global().Get("Blob").New([]any{bytesOf(b)}))
	return len(b), nil
}
