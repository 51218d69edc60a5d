package record

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee"
)

const (
	// MaxReply is the most bytes of a reply that are kept as they are.
	MaxReply = 1 << 20
	// headBytes is how much is kept of a longer reply that was wrong or a foul.
	headBytes = 64 << 10
	// maxUnpacked is the most bytes that the compressed replies of a record may
	// unpack to in total: more than all seats of a batch task can write.
	maxUnpacked = 4 * referee.MaxOutput
)

// mayCut reports whether a long reply may be cut, since the seat's verdict says
// that the reply was wrong. A failure that came to light after a reply says
// nothing about the reply.
func mayCut(v referee.Verdict) bool {
	return v == "" || v == referee.Wrong || v == referee.Verdict(protocols.KindFoul)
}

// setReply stores a reply, compressed or cut if it is long.
func (e *Event) setReply(reply string, mayCut bool) {
	if len(reply) > MaxReply {
		if !mayCut {
			packed := pack(reply)
			e.ReplyGzip = &packed
			return
		}
		sum := sha256.Sum256([]byte(reply))
		e.ReplyBytes, e.ReplySHA256 = int64(len(reply)), hex.EncodeToString(sum[:])
		reply = head(reply)
	}
	if utf8.ValidString(reply) {
		e.Reply = &reply
	} else {
		b64 := base64.StdEncoding.EncodeToString([]byte(reply))
		e.ReplyB64 = &b64
	}
}

// Cut reports whether only the beginning of some reply is kept, so that the
// outcome can't be recomputed.
func (r Record) Cut() bool {
	return slices.ContainsFunc(r.Events, func(e Event) bool { return e.ReplyBytes > 0 })
}

// head copies the beginning of a long reply, cut between two characters.
func head(reply string) string {
	n := headBytes
	for n > headBytes-utf8.UTFMax && !utf8.RuneStart(reply[n]) {
		n--
	}
	return strings.Clone(reply[:n])
}

func pack(reply string) string {
	var b strings.Builder
	encoded := base64.NewEncoder(base64.StdEncoding, &b)
	compressed := gzip.NewWriter(encoded)
	_, _ = io.WriteString(compressed, reply) // a strings.Builder takes all
	_ = compressed.Close()
	_ = encoded.Close()
	return b.String()
}

// Text is the reply as far as it is kept, "" of a failure.
func (e Event) Text() string {
	text, _, _ := e.reply()
	return text
}

// reply returns the reply of an event; cut is not nil if the text is only the
// beginning of a longer reply.
func (e Event) reply() (text string, cut *referee.Cut, err error) {
	switch {
	case e.Reply != nil:
		text = *e.Reply
	case e.ReplyB64 != nil:
		b, err := base64.StdEncoding.DecodeString(*e.ReplyB64)
		if err != nil {
			return "", nil, fmt.Errorf("reply_b64: %w", err)
		}
		text = string(b)
	case e.ReplyGzip != nil:
		if text, err = unpack(*e.ReplyGzip, referee.MaxOutput); err != nil {
			return "", nil, fmt.Errorf("reply_gzip: %w", err)
		}
	}
	if e.ReplyBytes == 0 && e.ReplySHA256 == "" {
		return text, nil, nil
	}
	if e.Reply == nil && e.ReplyB64 == nil {
		return "", nil, fmt.Errorf("reply_bytes: found %d, but no reply is cut", e.ReplyBytes)
	}
	if e.ReplyBytes <= int64(len(text)) || e.ReplyBytes > referee.MaxOutput {
		return "", nil, fmt.Errorf("reply_bytes: found %d, expected %d to %d", e.ReplyBytes, len(text)+1, referee.MaxOutput)
	}
	if sum, err := hex.DecodeString(e.ReplySHA256); err != nil || len(sum) != sha256.Size {
		return "", nil, fmt.Errorf("reply_sha256: found %q, expected %d hexadecimal digits", e.ReplySHA256, 2*sha256.Size)
	}
	return text, &referee.Cut{Bytes: e.ReplyBytes, SHA256: strings.ToLower(e.ReplySHA256)}, nil
}

// unpack returns what pack has packed, at most so many bytes.
func unpack(packed string, most int) (string, error) {
	in, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(in, int64(most)+1))
	if err == nil && n > int64(most) {
		err = fmt.Errorf("found more than %d bytes", most)
	}
	return b.String(), err
}
