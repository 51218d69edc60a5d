package serve

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// answerListener puts the headers of all answers also into those that net/http
// gives itself: to what is malformed, too long, or of another version, so that no
// handler could be given it.
type answerListener struct {
	*limitedListener
	secure *tls.Config // nil: without TLS
}

func (l answerListener) Accept() (net.Conn, error) {
	c, err := l.limitedListener.Accept()
	if err != nil {
		return nil, err
	}
	answers := &answerConn{Conn: c, limited: c.(*limitedConn)}
	if l.secure != nil {
		answers.Conn = tls.Server(c, l.secure)
	}
	return answers, nil
}

// answerConn is a connection over which net/http answers.
type answerConn struct {
	net.Conn
	limited  *limitedConn // under TLS, if there is any
	handled  atomic.Bool  // a handler answers, or has taken over the connection
	requests framing
	twofold  atomic.Bool // the request that is handled gives two lengths of its body
}

// Read tells a client that speaks plain HTTP to a server of HTTPS why it is not
// understood.
func (c *answerConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.requests.read(b[:n])
	if other, ok := errors.AsType[tls.RecordHeaderError](err); ok && other.Conn != nil && looksLikeHTTP(other.RecordHeader[:]) {
		plain := answerConn{Conn: other.Conn}
		_, _ = io.WriteString(&plain, "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"+
			"This server speaks https.\n") // an error means that nobody listens any more
	}
	return n, err
}

// looksLikeHTTP reports whether bytes are those with which a request begins.
func looksLikeHTTP(b []byte) bool {
	return strings.TrimFunc(string(b), func(r rune) bool { return r >= 'A' && r <= 'Z' || r == ' ' || r == '/' }) == ""
}

// Write writes b; if it begins an answer of net/http's own, with the headers of all.
func (c *answerConn) Write(b []byte) (int, error) {
	status, rest, found := bytes.Cut(b, []byte("\r\n"))
	if c.handled.Load() || !found || !bytes.HasPrefix(status, []byte("HTTP/1.")) {
		return c.Conn.Write(b)
	}
	var whole bytes.Buffer
	whole.Write(status)
	for name, value := range headers {
		whole.WriteString("\r\n" + name + ": " + value)
	}
	whole.WriteString("\r\n")
	whole.Write(rest)
	if _, err := c.Conn.Write(whole.Bytes()); err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite ends what is sent, so that a client which still sends reads the answer
// before the connection is closed.
func (c *answerConn) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// connection is the key of a request's connection in its context.
type connection struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connection{}, c)
}

// connectionOf returns the connection of a request.
func connectionOf(r *http.Request) *answerConn {
	return r.Context().Value(connection{}).(*answerConn)
}

// handled marks the connections over which a handler answers.
func handled(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := connectionOf(r)
		c.handled.Store(true)
		c.twofold.Store(c.requests.handled())
		next.ServeHTTP(w, r)
	})
}

// noteState notes that a handler's answer is complete, and that a connection is none of
// HTTP any more.
func noteState(c net.Conn, state http.ConnState) {
	switch over := c.(*answerConn); state {
	case http.StateIdle:
		over.handled.Store(false)
	case http.StateHijacked:
		over.requests.end()
	}
}
