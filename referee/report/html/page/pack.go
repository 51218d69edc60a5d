package page

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/ascii85"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html/template"
	"strings"
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
	packed, err := compress(text, level)
	return template.HTML(base64.StdEncoding.EncodeToString(packed)), err
}

// JSON encodes what a page holds compressed, where markup is no danger.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// PackBytes compresses by gzip, into letters of base 85 that mean nothing in a script element: those of
// ascii85, but v for <, and !!!!! for z. They take a quarter more room than the bytes, base64 a third.
func PackBytes(data []byte) (template.HTML, error) {
	packed, err := compress(data, gzip.BestCompression)
	letters := make([]byte, ascii85.MaxEncodedLen(len(packed)))
	letters = letters[:ascii85.Encode(letters, packed)]
	return template.HTML(strings.NewReplacer("<", "v", "z", "!!!!!").Replace(string(letters))), err
}

func compress(data []byte, level int) ([]byte, error) {
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		return nil, err
	}
	_, err = packed.Write(data)
	err = errors.Join(err, packed.Close())
	return b.Bytes(), err
}
