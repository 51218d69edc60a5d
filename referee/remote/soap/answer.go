package soap

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"net/http"
	"strconv"
	"strings"

	"umpire/referee/remote"
)

// markup builds XML; all text is escaped.
type markup struct{ bytes.Buffer }

// text writes an element that holds a text.
func (m *markup) text(name, text string) {
	m.WriteString("<" + name + ">")
	// Characters that XML has no place for become U+FFFD.
	_ = xml.EscapeText(m, []byte(text)) // a buffer takes all
	m.WriteString("</" + name + ">")
}

func (m *markup) int(name string, n int64) { m.text(name, strconv.FormatInt(n, 10)) }

// element writes an element that holds others.
func (m *markup) element(name string, inside func()) {
	m.WriteString("<" + name + ">")
	inside()
	m.WriteString("</" + name + ">")
}

// Result is the answer of an operation.
type Result interface{ write(m *markup) }

// Seat is the result of Join.
type Seat remote.SeatInfo

// Turn is the result of NextTurn and of Reply.
type Turn remote.TurnInfo

func (s Seat) write(m *markup) {
	b := cmp.Or(s.Budget, new(remote.Budget))
	m.text("state", s.State)
	m.text("ticket", s.Ticket)
	m.text("match", s.Match)
	m.text("game", s.Game)
	m.int("seat", int64(s.Seat))
	m.int("seats", int64(s.Seats))
	m.element("players", func() {
		for _, p := range s.Players {
			m.text("player", p)
		}
	})
	m.int("timeMs", b.TimeMS)
	m.int("moveMs", b.MoveMS)
	m.int("startMs", b.StartMS)
	m.int("graceMs", b.GraceMS)
}

func (t Turn) write(m *markup) {
	m.int("turn", int64(t.Turn))
	m.text("state", t.State)
	m.element("lines", func() {
		for _, line := range t.Lines {
			m.text("line", line)
		}
	})
	if t.Reply != nil {
		m.text("reply", *t.Reply)
	}
	m.text("whole", strconv.FormatBool(t.Whole))
	m.int("leftMs", t.LeftMS)
	m.text("verdict", t.Verdict)
	m.text("detail", t.Detail)
	m.element("results", func() {
		for _, r := range t.Results {
			m.element("result", func() {
				m.int("seat", int64(r.Seat))
				m.text("player", r.Player)
				m.text("score", r.Score.String())
				m.int("place", int64(r.Place))
				m.text("verdict", r.Verdict)
				m.text("detail", r.Detail)
			})
		}
	})
}

// sendEnvelope answers with SOAP.
func sendEnvelope(w http.ResponseWriter, version string, code int, body func(m *markup)) {
	var m markup
	m.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n" + `<soap:Envelope xmlns:soap="` + version + `"><soap:Body>`)
	body(&m)
	m.WriteString("</soap:Body></soap:Envelope>\n")
	kind := "text/xml"
	if version == V12 {
		kind = "application/soap+xml"
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(m.Bytes()) // an error means that nobody listens any more
}

// SendResult answers with what an operation returns; nil is nothing.
func SendResult(w http.ResponseWriter, version, operation string, returned Result) {
	sendEnvelope(w, version, http.StatusOK, func(m *markup) {
		m.WriteString("<" + operation + `Response xmlns="` + ours + `">`)
		if returned != nil {
			m.element(operation+"Result", func() { returned.write(m) })
		}
		m.WriteString("</" + operation + "Response>")
	})
}

// Fault is a problem in an answer of SOAP.
type Fault struct {
	*remote.Problem
	Ours     bool // umpire has made it, not the client
	Detailed bool // the client can read the detail
}

// SendFault answers with a problem. Its code comes first in the message too:
// some clients can't read the detail.
func SendFault(w http.ResponseWriter, version string, f Fault) {
	who := "Client"
	switch {
	case f.Code == CodeHeader:
		who = "MustUnderstand"
	case f.Ours:
		who = "Server"
	}
	message := f.Code + ": " + strings.TrimPrefix(f.Message, f.Code+": ") // which may name the argument
	detail := func(m *markup, name string) {
		if !f.Detailed {
			return
		}
		m.WriteString("<" + name + `><Problem xmlns="` + ours + `">`)
		m.text("code", f.Code)
		m.text("message", f.Message)
		m.WriteString("</Problem></" + name + ">")
	}
	sendEnvelope(w, version, http.StatusInternalServerError, func(m *markup) {
		if version == V12 {
			who = strings.NewReplacer("Client", "Sender", "Server", "Receiver").Replace(who)
			m.WriteString("<soap:Fault><soap:Code><soap:Value>soap:" + who + "</soap:Value></soap:Code><soap:Reason>")
			m.WriteString(`<soap:Text xml:lang="en">`)
			_ = xml.EscapeText(m, []byte(message))
			m.WriteString("</soap:Text></soap:Reason>")
			detail(m, "soap:Detail")
			m.WriteString("</soap:Fault>")
			return
		}
		m.element("soap:Fault", func() {
			m.text("faultcode", "soap:"+who)
			m.text("faultstring", message)
			detail(m, "detail")
		})
	})
}
