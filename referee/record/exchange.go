package record

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee"
)

// Exchange is one thing that was seen of a match between a submission and the judge of
// a problem package: see referee.Exchange.
type Exchange struct {
	From    Speaker `json:"from,omitzero"`
	To      int     `json:"to,omitempty" range:"to"` // the process that a judge's words are for, if there are several, or the only one talks by FIFOs
	AtUS    int64   `json:"at_us"`
	Text    string  `json:"text,omitempty"`
	TextB64 string  `json:"text_b64,omitempty"` // where the bytes are not UTF-8
	// Bytes and SHA256 are of all that it wrote in this run, where only the beginning is kept.
	Bytes  int64  `json:"text_bytes,omitempty"`
	SHA256 string `json:"text_sha256,omitempty" text:"name"`
	EOF    bool   `json:"eof,omitempty"`
	Exit   *int   `json:"exit,omitempty"`
	Signal string `json:"signal,omitempty" text:"name"`
	Fail   string `json:"fail,omitempty" text:"name"`
	Detail string `json:"detail,omitempty"`
	Pass   int    `json:"pass,omitempty"`
	// Score is what a judge that ended gives, if it accepts; absent where a problem has none.
	Score *protocols.Score `json:"score,omitempty"`
}

// Speaker is who did something: in JSON "judge", or the number of a seat.
type Speaker int

// MarshalJSON implements json.Marshaler.
func (s Speaker) MarshalJSON() ([]byte, error) {
	if s == judge {
		return []byte(`"judge"`), nil
	}
	return strconv.AppendInt(nil, int64(s), 10), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Speaker) UnmarshalJSON(b []byte) error {
	if string(b) == `"judge"` {
		*s = judge
		return nil
	}
	return json.Unmarshal(b, (*int)(s))
}

// judge is the Speaker that is one; the zero Speaker is nobody.
const judge Speaker = -1

// newExchange makes an exchange of what was seen.
func newExchange(e referee.Exchange) Exchange {
	out := Exchange{
		From: Speaker(e.Seat), To: e.To, AtUS: e.At.Microseconds(), Text: e.Text, Bytes: e.Bytes, SHA256: e.SHA256, EOF: e.EOF, Signal: e.Signal,
		Detail: text(e.Detail), Pass: e.Pass, Score: e.Score,
	}
	if !utf8.ValidString(e.Text) {
		out.Text, out.TextB64 = "", base64.StdEncoding.EncodeToString([]byte(e.Text))
	}
	switch {
	case e.Pass > 0:
		out.From = 0
	case e.Seat == 0:
		out.From = judge
	}
	if e.Ended && e.Signal == "" {
		out.Exit = &e.Exit
	}
	if e.Fail != nil {
		out.Fail, out.Detail = string(e.Fail.Kind), text(e.Fail.Detail)
	}
	return out
}

// exchange returns what was seen. The error says what is wrong with it.
func (e Exchange) exchange() (referee.Exchange, error) {
	out := referee.Exchange{
		Seat: int(e.From), To: e.To, At: micros(e.AtUS), Text: e.Text, Bytes: e.Bytes, SHA256: e.SHA256, EOF: e.EOF,
		Ended: e.Exit != nil || e.Signal != "", Signal: e.Signal, Detail: e.Detail, Pass: e.Pass, Score: e.Score,
	}
	if e.TextB64 != "" {
		b, err := base64.StdEncoding.DecodeString(e.TextB64)
		if err != nil {
			return out, errors.New("text_b64: expected base64")
		}
		out.Text = string(b)
	}
	if e.From == judge {
		out.Seat = 0
	}
	if e.Exit != nil {
		out.Exit = *e.Exit
	}
	var err error
	if out.Fail, err = failure(e.Fail, e.Detail); err != nil {
		return out, err
	}
	if out.Fail != nil {
		out.Detail = ""
	}
	set := count(e.Text != "" || e.TextB64 != "", e.Bytes > 0, e.EOF, e.Exit != nil, e.Signal != "", e.Fail != "", e.Pass > 0)
	switch {
	case set != 1:
		return out, fmt.Errorf("found %d of text, text_bytes, eof, exit, signal, fail and pass, expected one", set)
	case e.From == 0 && e.Pass == 0:
		return out, errors.New("from: found none, expected judge, or the number of a process from 1")
	}
	return out, nil
}
