package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"umpire/referee/remote"
	"umpire/referee/remote/soap"
)

// soapService is the interface of those who play by SOAP.
type soapService struct {
	players *players
	report  *reporter
	address address
}

// describe answers with the description of the service.
func (s *soapService) describe(w http.ResponseWriter, r *http.Request) error {
	if !strings.EqualFold(r.URL.RawQuery, "wsdl") {
		return failed(codeNotFound, "the description of the service is at /soap?wsdl")
	}
	write(w, http.StatusOK, "text/xml; charset=utf-8", []byte(soap.WSDL(s.url(r))))
	return nil
}

// url is the address of the service, as the client has reached it unless
// the server knows its own.
func (s *soapService) url(r *http.Request) string {
	if s.address.public {
		return s.address.base.String() + "/soap"
	}
	return s.address.base.Scheme + "://" + r.Host + "/soap"
}

// call answers one request, in the version of SOAP in which it is made.
func (s *soapService) call(w http.ResponseWriter, r *http.Request) error {
	version, params := versionOf(r)
	if version == "" {
		return failed(codeType, "found Content-Type "+remote.Quote(r.Header.Get("Content-Type"))+", expected text/xml or application/soap+xml")
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		sendFault(w, r, version, failed(soap.CodeXML, "found the encoding "+remote.Quote(charset)+", expected UTF-8"))
		return nil
	}
	c, err := s.readCall(w, r)
	if c.Version != "" {
		version = c.Version
	}
	var result soap.Result
	if err == nil {
		result, err = s.operate(w, r, c)
	}
	switch {
	case err == nil:
		soap.SendResult(w, version, c.Operation, result)
	case !errors.Is(err, context.Canceled):
		sendFault(w, r, version, s.report.failureOf(r, err))
	}
	return nil
}

// versionOf returns the version of SOAP in which a request is made, and the parameters of its
// media type; "" if it is another type.
func versionOf(r *http.Request) (version string, params map[string]string) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return "", nil
	}
	return map[string]string{"text/xml": soap.V11, "application/soap+xml": soap.V12}[kind], params
}

// refuse answers a request that is not handled: one of SOAP with a fault, unless nobody knows
// how long it is.
func refuse(w http.ResponseWriter, r *http.Request, f *failure) {
	if version, _ := versionOf(r); r.URL.Path == "/soap" && version != "" && f.code != soap.CodeHeader {
		sendFault(w, r, version, f)
		return
	}
	sendFailure(w, f)
}

// sendFault answers with a problem. Mono's WCF, whose action is always "*", loses the
// whole fault to a detail of another type than its own.
func sendFault(w http.ResponseWriter, r *http.Request, version string, f *failure) {
	soap.SendFault(w, version, soap.Fault{
		Problem: &remote.Problem{Code: f.code, Message: f.message},
		Ours:    f.httpStatus() >= 500, Detailed: r.Header.Get("SOAPAction") != `"*"`,
	})
}

// readCall reads a request. Only a seat that owes a whole output, which its
// ticket at the beginning shows, may send a long one.
func (s *soapService) readCall(w http.ResponseWriter, r *http.Request) (c soap.Call, err error) {
	defer func() {
		// Where the secret of other requests is: the log says whose it is.
		r.Header.Set("Authorization", "Bearer "+cmp.Or(c.Text("key"), c.Text("ticket")))
	}()
	start, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	most := int64(maxBody)
	if err == nil && len(start) == maxBody {
		c, _ = soap.Parse(start)
		var read func()
		if most, read, err = s.players.replyRoom(w, r, c.Text("ticket")); err != nil || most == 0 {
			c.Cut = true
			return c, err
		}
		defer read()
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(start), r.Body), r.Body}
	text, err := readBody(w, r, most)
	switch {
	case err == nil:
		c, err = soap.Parse(text)
	case isTooLong(err) && c.Operation == "Reply": // the text is longer than any may be
		c.Cut, err = true, nil
	}
	return c, err
}

// operate carries out an operation.
func (s *soapService) operate(w http.ResponseWriter, r *http.Request, c soap.Call) (soap.Result, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if c.Operation == "Join" {
		wait, err := c.Int("wait")
		if err != nil {
			return nil, err
		}
		info, err := s.players.joinSeat(w, r, c.Text("key"), c.Text("game"), c.Text("session"), int64(wait))
		return soap.Seat(info), err
	}
	ticket := c.Text("ticket")
	if c.Operation == "Leave" {
		return nil, s.players.access.checked(r, s.players.hub.Leave(ticket))
	}
	a, err := askOf(c)
	if err != nil {
		return nil, err
	}
	patience(w, a.Wait)
	if c.Operation == "NextTurn" {
		info, err := s.players.nextTurn(r, a)
		return soap.Turn(info), err
	}
	a.Cut = c.Cut
	info, err := s.players.takeReply(r, a, c.Text("text"))
	return soap.Turn(info), err
}

// askOf reads a seat's request for a turn.
func askOf(c soap.Call) (a remote.Ask, err error) {
	a.Ticket = c.Text("ticket")
	if a.Turn, err = c.Int("turn"); err != nil {
		return a, err
	}
	wait, err := c.Int("wait")
	if err == nil {
		a.Wait, err = seconds(int64(wait))
	}
	return a, err
}
