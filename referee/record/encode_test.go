package record

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

// asLibrary is a record in the form that encoding/json gives it.
func asLibrary(r *Record) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return b.String(), err
}

func checkEncoding(t *testing.T, what string, r *Record) {
	t.Helper()
	var e encoder
	e.record(r)
	got := string(e.text) + "\n"
	want, err := asLibrary(r)
	if (e.err == nil) != (err == nil) || err == nil && got != want {
		t.Errorf("%s:\ngot  %s (%v)\nwant %s (%v)", what, got, e.err, want, err)
	}
}

// TestEncoder sets each field of a record in turn to each of several values, and
// compares with encoding/json, which knows the fields by itself.
func TestEncoder(t *testing.T) {
	r := &Record{Seats: []Seat{{}, {}}, Events: []Event{{}, {}}}
	checkEncoding(t, "empty", &Record{})
	checkEncoding(t, "empty lists", &Record{Seats: []Seat{}, Events: []Event{}})
	fields := 0
	var walk func(path string, v reflect.Value)
	try := func(path string, v reflect.Value, values ...any) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		for _, value := range values {
			v.Set(reflect.ValueOf(value).Convert(v.Type()))
			checkEncoding(t, path, r)
		}
		v.Set(old)
		fields++
	}
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(path, v.Index(i))
			}
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			checkEncoding(t, path, r)
			walk(path, v.Elem())
			v.SetZero()
		case reflect.String:
			try(path, v, "a", "<&>", "\"quoted\\\"\n\x00\x1f\x7f", "žluťoučký 囲碁", "\u2028", "broken \xff", "\xed\xa0\x80")
		case reflect.Int, reflect.Int64:
			try(path, v, 1, -1, math.MaxInt64, math.MinInt64)
		case reflect.Float64:
			try(path, v, 1.0, -1.0, 0.5, math.Copysign(0, -1), 1e15, 1e16, 1e20, 1e21, 1e-7, 1<<53, math.MaxInt64, math.NaN(), math.Inf(-1))
		case reflect.Bool:
			try(path, v, true)
		default:
			t.Fatalf("%s is a %s", path, v.Kind())
		}
	}
	walk("record", reflect.ValueOf(r).Elem())
	if fields < 60 {
		t.Errorf("tried %d fields", fields)
	}
}

func BenchmarkEncoder(b *testing.B) {
	reply := "3"
	r := Record{Seats: make([]Seat, 2), Events: make([]Event, 50)}
	for i := range r.Events {
		r.Events[i] = Event{Seat: 1 + i%2, Reply: &reply, WallUS: 5, CPUUS: 2}
	}
	b.Run("encoder", func(b *testing.B) {
		var e encoder
		for b.Loop() {
			e.text = e.text[:0]
			e.record(&r)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			_, _ = asLibrary(&r)
		}
	})
}
