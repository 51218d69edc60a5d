package referee

import (
	"reflect"
	"testing"
)

// TestWith checks that each function of two Watchers is called once, first that
// of the first, whichever of them have it.
func TestWith(t *testing.T) {
	var called []string
	watcher := func(name string) (w Watcher) {
		fields := reflect.ValueOf(&w).Elem()
		for i := range fields.NumField() {
			f := fields.Field(i)
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value {
				called = append(called, name)
				return nil
			}))
		}
		return w
	}
	for _, test := range []struct {
		a, b Watcher
		want []string
	}{
		{watcher("a"), watcher("b"), []string{"a", "b"}},
		{watcher("a"), Watcher{}, []string{"a"}},
		{Watcher{}, watcher("b"), []string{"b"}},
	} {
		fields := reflect.ValueOf(test.a.With(test.b))
		for i := range fields.NumField() {
			f := fields.Field(i)
			called = nil
			if f.IsNil() {
				t.Fatalf("%s is lost", fields.Type().Field(i).Name)
			}
			args := make([]reflect.Value, f.Type().NumIn())
			for n := range args {
				args[n] = reflect.Zero(f.Type().In(n))
			}
			f.Call(args)
			if !reflect.DeepEqual(called, test.want) {
				t.Errorf("%s: called %v, expected %v", fields.Type().Field(i).Name, called, test.want)
			}
		}
	}
}
