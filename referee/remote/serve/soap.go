package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"umpire/referee/remote"
)

// Codes of SOAP's own problems.
const (
	codeXML       = "xml"
	codeOperation = "operation"
)

// Namespaces.
const (
	soap11 = "http://schemas.xmlsoap.org/soap/envelope/"
	soap12 = "http://www.w3.org/2003/05/soap-envelope"
	xsi    = "http://www.w3.org/2001/XMLSchema-instance"
	ours   = "urn:umpire:v1"
)

// soap answers SOAP requests, in the version in which they are made, and the
// description of the service.
func (s *Server) soap(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if !strings.EqualFold(r.URL.RawQuery, "wsdl") {
			fail(w, codeNotFound, "the description of the service is at /soap?wsdl")
			return
		}
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_, _ = io.WriteString(w, wsdl(s.soapURL(r)))
	case http.MethodPost:
		s.call(w, r)
	default:
		otherMethod(w, r, http.MethodGet, http.MethodHead, http.MethodPost)
	}
}

// soapURL is the address of the service, as the client has reached it unless
// the server knows its own.
func (s *Server) soapURL(r *http.Request) string {
	if s.public {
		return s.base.String() + "/soap"
	}
	return s.base.Scheme + "://" + r.Host + "/soap"
}

// call answers one request.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	version := soap11
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/soap+xml":
		version = soap12
	case err != nil || kind != "text/xml":
		fail(w, codeType, "found Content-Type "+quote(r.Header.Get("Content-Type"))+", expected text/xml or application/soap+xml")
		return
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		sendFault(w, version, readsDetail(r), failed(codeXML, "found the encoding "+quote(charset)+", expected UTF-8"))
		return
	}
	c, err := s.readCall(w, r)
	if c.version != "" {
		version = c.version
	}
	var result any
	if err == nil {
		result, err = s.operate(w, r, c)
	}
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			sendFault(w, version, readsDetail(r), s.failureOf(r, err))
		}
		return
	}
	sendResult(w, version, c.operation, result)
}

// readsDetail reports whether a client can read the detail of a fault. Mono's WCF,
// whose action is always "*", loses the whole fault to a detail of another type
// than its own.
func readsDetail(r *http.Request) bool { return r.Header.Get("SOAPAction") != `"*"` }

// readCall reads a request. Only a seat that owes a whole output, which its
// ticket at the beginning shows, may send a long one.
func (s *Server) readCall(w http.ResponseWriter, r *http.Request) (call, error) {
	var start bytes.Buffer
	rest := r.Body
	_, err := io.CopyN(&start, rest, maxBody)
	most := int64(maxBody)
	if c, _ := parseCall(start.Bytes()); err == nil && s.Hub.Whole(c.args["ticket"]) {
		most = maxWhole
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(&start, &ended{rest, err}), rest}
	text, err := readBody(w, r, most)
	if err != nil {
		return call{}, err
	}
	c, err := parseCall(text)
	// Where the secret of other requests is: the log says whose it is.
	r.Header.Set("Authorization", "Bearer "+cmp.Or(c.args["key"], c.args["ticket"]))
	return c, err
}

// ended is a reader that has met an error.
type ended struct {
	io.Reader
	err error
}

func (e *ended) Read(b []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	return e.Reader.Read(b)
}

// operate carries out an operation.
func (s *Server) operate(w http.ResponseWriter, r *http.Request, c call) (any, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if c.operation == "Join" {
		wait, err := c.int("wait")
		if err != nil {
			return nil, err
		}
		info, err := s.joinSeat(w, r, c.args["key"], c.args["game"], c.args["session"], int64(wait))
		return seatInfo(info), err
	}
	ticket := c.args["ticket"]
	if c.operation == "Leave" {
		return nil, s.checked(r, s.Hub.Leave(ticket))
	}
	a, err := c.ask()
	if err != nil {
		return nil, err
	}
	patience(w, a.Wait)
	if c.operation == "NextTurn" {
		info, err := s.nextTurn(r, a)
		return turnInfo(info), err
	}
	info, err := s.takeReply(r, a, c.args["text"])
	return turnInfo(info), err
}

// operations lists the arguments of each operation.
var operations = map[string][]string{
	"Join":     {"key", "game", "session", "wait"},
	"NextTurn": {"ticket", "turn", "wait"},
	"Reply":    {"ticket", "turn", "text", "wait"},
	"Leave":    {"ticket"},
}

// call is a request: an operation with its arguments.
type call struct {
	version   string // namespace of the envelope; "" if it could not be read
	operation string
	args      map[string]string
}

func (c call) check() error {
	for name := range c.args {
		known := false
		for _, arg := range operations[c.operation] {
			known = known || arg == name
		}
		if !known {
			return failed(remote.CodeArgument, c.operation+" has no argument "+quote(name))
		}
	}
	return nil
}

// int reads a number, which is 0 if it is missing.
func (c call) int(name string) (int, error) {
	text := strings.TrimSpace(c.args[name])
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, failed(remote.CodeArgument, name+": found "+quote(text)+", expected a whole number")
	}
	return int(n), nil
}

func (c call) ask() (a remote.Ask, err error) {
	a.Ticket = c.args["ticket"]
	if a.Turn, err = c.int("turn"); err != nil {
		return a, err
	}
	wait, err := c.int("wait")
	if err == nil {
		a.Wait, err = seconds(int64(wait))
	}
	return a, err
}

// parseCall reads a request. Its XML may hold no DTD, and so no entities beyond
// XML's own, and is nested no deeper than an envelope needs.
func parseCall(text []byte) (c call, err error) {
	p := &envelope{in: xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))}
	if !utf8.Valid(text) {
		return c, failed(codeXML, "the request is not UTF-8")
	}
	p.in.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, failed(codeXML, "found the encoding "+quote(charset)+", expected UTF-8")
	}
	err = p.read(&c)
	var ours *failure
	if err != nil && !errors.As(err, &ours) {
		err = failed(codeXML, "the request is not well-formed XML: "+err.Error())
	}
	return c, err
}

// maxDepth is how deeply the elements of a request may be nested: headers may
// hold more than we read.
const maxDepth = 32

var errDTD = failed(codeXML, "found a DTD, which is not accepted")

// envelope reads the XML of a request.
type envelope struct {
	in    *xml.Decoder
	depth int
}

// next returns the next start or end of an element. Text is added to into, if
// it is not nil.
func (p *envelope) next(into *strings.Builder) (xml.Token, error) {
	for {
		t, err := p.in.Token()
		if err == io.EOF {
			err = failed(codeXML, "the request ends before its envelope does")
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if p.depth++; p.depth > maxDepth {
				return nil, failed(codeXML, "the request is nested deeper than "+strconv.Itoa(maxDepth)+" elements")
			}
			return t, nil
		case xml.EndElement:
			p.depth--
			return t, nil
		case xml.Directive:
			return nil, errDTD
		case xml.CharData:
			if into != nil {
				into.Write(t)
			}
		}
	}
}

// start returns the next element that starts; ok is false if the enclosing one
// ends instead.
func (p *envelope) start() (e xml.StartElement, ok bool, err error) {
	t, err := p.next(nil)
	if err != nil {
		return e, false, err
	}
	e, ok = t.(xml.StartElement)
	return e, ok, nil
}

// skip reads to the end of the current element.
func (p *envelope) skip() error {
	for end := p.depth - 1; p.depth > end; {
		if _, err := p.next(nil); err != nil {
			return err
		}
	}
	return nil
}

func (p *envelope) read(c *call) error {
	root, ok, err := p.start()
	if err != nil {
		return err
	}
	if !ok || root.Name.Local != "Envelope" || root.Name.Space != soap11 && root.Name.Space != soap12 {
		return failed(codeXML, "found the element "+quote(root.Name.Local)+", expected an Envelope of SOAP 1.1 or 1.2")
	}
	c.version = root.Name.Space
	for {
		e, ok, err := p.start()
		switch {
		case err != nil:
			return err
		case !ok:
			return failed(codeXML, "found no Body in the envelope")
		case e.Name.Space == c.version && e.Name.Local == "Body":
			return p.body(c)
		case e.Name.Space == c.version && e.Name.Local == "Header":
			err = p.header(c.version)
		default:
			err = p.skip()
		}
		if err != nil {
			return err
		}
	}
}

// header reads the Header, of which nothing is understood.
func (p *envelope) header(version string) error {
	for {
		e, ok, err := p.start()
		if err != nil || !ok {
			return err
		}
		for _, a := range e.Attr {
			if text := strings.TrimSpace(a.Value); a.Name == (xml.Name{Space: version, Local: "mustUnderstand"}) && (text == "1" || text == "true") {
				return failed(codeHeader, "found the header "+quote(e.Name.Local)+", which must be understood, and is not")
			}
		}
		if err := p.skip(); err != nil {
			return err
		}
	}
}

// body reads the operation, which is the Body's first element, and the rest of
// the request.
func (p *envelope) body(c *call) error {
	e, ok, err := p.start()
	if err != nil {
		return err
	}
	if !ok {
		return failed(codeOperation, "the Body is empty, expected an operation")
	}
	if _, known := operations[e.Name.Local]; !known || e.Name.Space != ours {
		return failed(codeOperation, "found the operation "+quote(e.Name.Local)+" of namespace "+quote(e.Name.Space)+", expected Join, NextTurn, Reply or Leave of "+ours)
	}
	c.operation, c.args = e.Name.Local, make(map[string]string)
	if err := p.arguments(c); err != nil {
		return err
	}
	for p.depth > 0 {
		if _, err := p.next(nil); err != nil {
			return err
		}
	}
	return p.end()
}

// end reads what follows the envelope: nothing that counts.
func (p *envelope) end() error {
	for {
		t, err := p.in.Token()
		switch t := t.(type) {
		case nil:
			if err == io.EOF {
				return nil
			}
			return err
		case xml.Comment, xml.ProcInst:
		case xml.Directive:
			return errDTD
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return failed(codeXML, "found a text after the envelope")
			}
		default:
			return failed(codeXML, "found an element after the envelope")
		}
	}
}

func (p *envelope) arguments(c *call) error {
	for {
		e, ok, err := p.start()
		if err != nil || !ok {
			return err
		}
		name := e.Name.Local
		if _, again := c.args[name]; again || e.Name.Space != ours {
			return failed(remote.CodeArgument, "found "+quote(name)+" of namespace "+quote(e.Name.Space)+", expected each argument once, of namespace "+ours)
		}
		var text strings.Builder
		t, err := p.next(&text)
		if err != nil {
			return err
		}
		if _, nested := t.(xml.StartElement); nested {
			return failed(remote.CodeArgument, name+": found an element, expected a text")
		}
		c.args[name] = text.String()
		if isNil(e) {
			c.args[name] = ""
		}
	}
}

func isNil(e xml.StartElement) bool {
	for _, a := range e.Attr {
		if a.Name.Space == xsi && a.Name.Local == "nil" {
			v := strings.TrimSpace(a.Value)
			return v == "true" || v == "1"
		}
	}
	return false
}
