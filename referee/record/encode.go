package record

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// encoder writes records as encoding/json does, without escaping HTML, in a quarter
// of the time, and between short matches, when the library's tables are in no cache,
// in less. A name is given with what goes before it and the colon after it.
type encoder struct {
	text []byte
	err  error // a number that JSON does not have
}

func (e *encoder) raw(s string) { e.text = append(e.text, s...) }

func (e *encoder) int(name string, n int64) {
	e.raw(name)
	e.text = strconv.AppendInt(e.text, n, 10)
}

// someInt writes a number unless it is 0.
func (e *encoder) someInt(name string, n int64) {
	if n != 0 {
		e.int(name, n)
	}
}

func (e *encoder) float(name string, f float64) {
	const exact = 1 << 53
	if n := int64(f); float64(n) == f && -exact < n && n < exact && !(n == 0 && math.Signbit(f)) {
		e.int(name, n)
		return
	}
	e.raw(name)
	e.value(f)
}

func (e *encoder) bool(name string, v bool) {
	e.raw(name)
	e.text = strconv.AppendBool(e.text, v)
}

func (e *encoder) string(name, s string) {
	e.raw(name)
	for i := range len(s) {
		if !plain[s[i]] || s[i] >= 0x80 {
			e.value(s)
			return
		}
	}
	e.raw(`"`)
	e.raw(s)
	e.raw(`"`)
}

// someString writes a string unless it is empty.
func (e *encoder) someString(name, s string) {
	if s != "" {
		e.string(name, s)
	}
}

// stringAt writes a string that there may be.
func (e *encoder) stringAt(name string, s *string) {
	if s != nil {
		e.string(name, *s)
	}
}

// value writes what is not as plain as most values.
func (e *encoder) value(v any) {
	var b bytes.Buffer
	in := json.NewEncoder(&b)
	in.SetEscapeHTML(false)
	if err := in.Encode(v); err != nil {
		e.err = err
	}
	e.text = append(e.text, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// list writes the elements of a list.
func list[T any](e *encoder, name string, all []T, element func(*T)) {
	e.raw(name)
	if all == nil {
		e.raw("null")
		return
	}
	e.raw("[")
	for i := range all {
		if i > 0 {
			e.raw(",")
		}
		element(&all[i])
	}
	e.raw("]")
}

func (e *encoder) record(r *Record) {
	e.int(`{"v":`, int64(r.V))
	e.string(`,"id":`, r.ID)
	e.string(`,"game":`, r.Game)
	e.string(`,"umpire":`, r.Umpire)
	e.string(`,"started":`, r.Started)
	e.int(`,"wall_us":`, r.WallUS)
	e.string(`,"isolation":`, r.Isolation)
	e.someString(`,"worker":`, r.Worker)
	e.someString(`,"cpu":`, r.CPU)
	e.someString(`,"match":`, r.Match)
	e.someInt(`,"repetition":`, int64(r.Repetition))
	e.matchCase(&r.Case)
	e.limits(&r.Limits)
	list(e, `,"seats":`, r.Seats, e.seat)
	list(e, `,"events":`, r.Events, e.event)
	e.string(`,"error":`, r.Error)
	e.raw("}")
}

func (e *encoder) matchCase(c *Case) {
	e.string(`,"case":{"name":`, c.Name)
	e.string(`,"group":`, c.Group)
	e.float(`,"points":`, c.Points)
	e.string(`,"text":`, c.Text)
	e.someString(`,"combine":`, c.Combine)
	if c.Baseline != 0 {
		e.float(`,"baseline":`, c.Baseline)
	}
	e.raw("}")
}

func (e *encoder) limits(l *Limits) {
	e.int(`,"limits":{"time_us":`, l.TimeUS)
	e.int(`,"move_us":`, l.MoveUS)
	e.int(`,"start_us":`, l.StartUS)
	e.string(`,"clock":`, l.Clock)
	e.int(`,"memory_bytes":`, l.MemoryBytes)
	e.someString(`,"pondering":`, l.Pondering)
	e.someInt(`,"grace_us":`, l.GraceUS)
	e.raw("}")
}

func (e *encoder) seat(s *Seat) {
	e.string(`{"bot":`, s.Bot)
	e.string(`,"digest":`, s.Digest)
	e.bool(`,"house":`, s.House)
	e.someString(`,"kind":`, s.Kind)
	e.string(`,"verdict":`, s.Verdict)
	e.string(`,"detail":`, s.Detail)
	e.int(`,"score":`, int64(s.Score))
	e.int(`,"place":`, int64(s.Place))
	e.int(`,"wall_us":`, s.WallUS)
	e.int(`,"cpu_us":`, s.CPUUS)
	e.int(`,"charged_us":`, s.ChargedUS)
	e.int(`,"peak_bytes":`, s.PeakBytes)
	e.int(`,"replies":`, int64(s.Replies))
	e.string(`,"stderr":`, s.Stderr)
	e.someString(`,"stderr_after":`, s.StderrAfter)
	e.someInt(`,"stderr_bytes":`, s.StderrBytes)
	e.someInt(`,"early":`, int64(s.Early))
	e.raw("}")
}

func (e *encoder) event(v *Event) {
	e.int(`{"seat":`, int64(v.Seat))
	e.stringAt(`,"reply":`, v.Reply)
	e.stringAt(`,"reply_b64":`, v.ReplyB64)
	e.stringAt(`,"reply_gzip":`, v.ReplyGzip)
	e.someInt(`,"reply_bytes":`, v.ReplyBytes)
	e.someString(`,"reply_sha256":`, v.ReplySHA256)
	e.someString(`,"fail":`, v.Fail)
	e.someString(`,"detail":`, v.Detail)
	e.int(`,"wall_us":`, v.WallUS)
	e.int(`,"cpu_us":`, v.CPUUS)
	e.int(`,"wait_us":`, v.WaitUS)
	if v.ChargedUS != nil {
		e.int(`,"charged_us":`, *v.ChargedUS)
	}
	e.raw("}")
}
