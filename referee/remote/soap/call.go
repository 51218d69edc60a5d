// Package soap holds the encoding of the SOAP interface for remote players: it reads the
// calls of versions 1.1 and 1.2, writes answers and faults, and describes the service in
// WSDL. It carries out no call.
package soap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"umpire/referee/remote"
)

// Codes of SOAP's own problems.
const (
	CodeXML       = "xml"
	CodeOperation = "operation"
	CodeHeader    = "header" // one that must be understood, and is not
)

// Namespaces of the envelopes by which versions are known, and others.
const (
	V11  = "http://schemas.xmlsoap.org/soap/envelope/"
	V12  = "http://www.w3.org/2003/05/soap-envelope"
	xsi  = "http://www.w3.org/2001/XMLSchema-instance"
	ours = "urn:umpire:v1"
)

// operations lists the arguments of each operation.
var operations = map[string][]string{
	"Join":     {"key", "game", "session", "wait"},
	"NextTurn": {"ticket", "turn", "wait"},
	"Reply":    {"ticket", "turn", "text", "wait"},
	"Leave":    {"ticket"},
}

// Call is a request: an operation with its arguments.
type Call struct {
	Version   string // namespace of the envelope; "" if it could not be read
	Operation string
	Cut       bool // it was not read to its end, which a text in it is too long for
	args      map[string]string
}

// Text returns an argument; "" if it is missing.
func (c Call) Text(name string) string { return c.args[name] }

// Check refuses arguments that the operation does not have.
func (c Call) Check() error {
	for _, name := range slices.Sorted(maps.Keys(c.args)) {
		if !slices.Contains(operations[c.Operation], name) {
			return failed(remote.CodeArgument, c.Operation+" has no argument "+remote.Quote(name))
		}
	}
	return nil
}

// Int reads a number, which is 0 if it is missing.
func (c Call) Int(name string) (int, error) {
	text := strings.TrimSpace(c.args[name])
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, failed(remote.CodeArgument, name+": found "+remote.Quote(text)+", expected a whole number")
	}
	return int(n), nil
}

// Parse reads a request. Its XML may hold no DTD, and so no entities beyond
// XML's own, and is nested no deeper than an envelope needs.
func Parse(text []byte) (c Call, err error) {
	p := &envelope{in: xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))}
	if !utf8.Valid(text) {
		return c, failed(CodeXML, "the request is not UTF-8")
	}
	p.in.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, failed(CodeXML, "found the encoding "+remote.Quote(charset)+", expected UTF-8")
	}
	err = p.read(&c)
	if _, ours := errors.AsType[*remote.Problem](err); err != nil && !ours {
		err = failed(CodeXML, "the request is not well-formed XML: "+err.Error())
	}
	return c, err
}

// maxDepth is how deeply the elements of a request may be nested: headers may
// hold more than we read.
const maxDepth = 32

var errDTD = failed(CodeXML, "found a DTD, which is not accepted")

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
			err = failed(CodeXML, "the request ends before its envelope does")
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if p.depth++; p.depth > maxDepth {
				return nil, failed(CodeXML, "the request is nested deeper than "+strconv.Itoa(maxDepth)+" elements")
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
	e, ok = t.(xml.StartElement)
	return e, ok, err
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

func (p *envelope) read(c *Call) error {
	root, ok, err := p.start()
	if err != nil {
		return err
	}
	if !ok || root.Name.Local != "Envelope" || root.Name.Space != V11 && root.Name.Space != V12 {
		return failed(CodeXML, "found the element "+remote.Quote(root.Name.Local)+", expected an Envelope of SOAP 1.1 or 1.2")
	}
	c.Version = root.Name.Space
	for {
		e, ok, err := p.start()
		switch {
		case err != nil:
			return err
		case !ok:
			return failed(CodeXML, "found no Body in the envelope")
		case e.Name.Space == c.Version && e.Name.Local == "Body":
			return p.body(c)
		case e.Name.Space == c.Version && e.Name.Local == "Header":
			err = p.header(c.Version)
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
		if isSet(e, version, "mustUnderstand") {
			return failed(CodeHeader, "found the header "+remote.Quote(e.Name.Local)+", which must be understood, and is not")
		}
		if err := p.skip(); err != nil {
			return err
		}
	}
}

// body reads the operation, which is the Body's first element, and the rest of
// the request.
func (p *envelope) body(c *Call) error {
	e, ok, err := p.start()
	if err != nil {
		return err
	}
	if !ok {
		return failed(CodeOperation, "the Body is empty, expected an operation")
	}
	if operations[e.Name.Local] == nil || e.Name.Space != ours {
		return failed(CodeOperation, "found the operation "+remote.Quote(e.Name.Local)+" of namespace "+remote.Quote(e.Name.Space)+", expected Join, NextTurn, Reply or Leave of "+ours)
	}
	c.Operation, c.args = e.Name.Local, make(map[string]string)
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
				return failed(CodeXML, "found a text after the envelope")
			}
		default:
			return failed(CodeXML, "found an element after the envelope")
		}
	}
}

func (p *envelope) arguments(c *Call) error {
	for {
		e, ok, err := p.start()
		if err != nil || !ok {
			return err
		}
		name := e.Name.Local
		if _, again := c.args[name]; again || e.Name.Space != ours {
			return failed(remote.CodeArgument, "found "+remote.Quote(name)+" of namespace "+remote.Quote(e.Name.Space)+", expected each argument once, of namespace "+ours)
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
		if isSet(e, xsi, "nil") {
			c.args[name] = ""
		}
	}
}

// isSet reports whether an element has an attribute, which is true.
func isSet(e xml.StartElement, space, name string) bool {
	return slices.ContainsFunc(e.Attr, func(a xml.Attr) bool {
		text := strings.TrimSpace(a.Value)
		return a.Name == (xml.Name{Space: space, Local: name}) && (text == "1" || text == "true")
	})
}

func failed(code, message string) *remote.Problem {
	return &remote.Problem{Code: code, Message: message}
}
