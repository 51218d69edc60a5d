package page

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html/template"
)

//go:embed unpack.js
var unpackText string

// UnpackScript defines how a page's script reads what Pack returns.
func UnpackScript() string { return unpackText }

// Pack returns what a page's script unpacks: JSON, compressed. Pictures of one match are
// much alike, so they take a tenth of their size.
func Pack(v any) (template.HTML, error) { return pack(v, gzip.BestCompression) }

// PackFast is Pack for a page that is nowhere stored: it takes more space and less time.
func PackFast(v any) (template.HTML, error) { return pack(v, gzip.BestSpeed) }

func pack(v any, level int) (template.HTML, error) {
	text, err := JSON(v)
	if err != nil {
		return "", err
	}
	return packBytes(text, level)
}

// JSON encodes what a page holds compressed, where markup is no danger.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// PackBytes compresses by gzip, into letters that mean nothing to HTML.
func PackBytes(data []byte) (template.HTML, error) { return packBytes(data, gzip.BestCompression) }

func packBytes(data []byte, level int) (template.HTML, error) {
	var b bytes.Buffer
	letters := base64.NewEncoder(base64.StdEncoding, &b)
	packed, err := gzip.NewWriterLevel(letters, level)
	if err != nil {
		return "", err
	}
	_, err = packed.Write(data)
	err = errors.Join(err, packed.Close(), letters.Close())
	return template.HTML(b.String()), err
}
