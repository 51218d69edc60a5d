package scope_test

import (
	"errors"
	"net"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/sandbox/scope"
	"umpire/referee/sandbox/scope/scopetest"
)

// soon is a deadline for what is answered, short is one for what is not.
func soon() time.Time  { return time.Now().Add(time.Minute) }
func short() time.Time { return time.Now().Add(50 * time.Millisecond) }

// TestAsk: all that is needed is asked for, and a manager's answer is what Ask returns.
func TestAsk(t *testing.T) {
	want := scopetest.Asked{Unit: "umpire.1.scope", PIDs: []int{17, 4711}, Delegate: true, Stop: syscall.SIGWINCH}
	for _, test := range []struct {
		result  string
		err     error
		refused string // the error; "" for none
	}{
		{"done", nil, ""},
		{"failed", nil, "systemd did not start umpire.1.scope: failed"},
		{"", errors.New("not for you"), "not for you"},
	} {
		var asked []scopetest.Asked
		address := scopetest.Serve(t, t.TempDir(), func(a scopetest.Asked) (string, error) {
			asked = append(asked, a)
			return test.result, test.err
		})
		r := scope.Request{Unit: want.Unit, About: "a test", PIDs: want.PIDs, Stop: want.Stop, Until: soon()}
		// There is none at the first address.
		err := r.Ask("unix:path="+filepath.Join(t.TempDir(), "none"), address)
		if test.refused == "" && err != nil || test.refused != "" && (!errors.Is(err, scope.ErrRefused) || !strings.Contains(err.Error(), test.refused)) {
			t.Errorf("%s: found %v, expected %q", test.result, err, test.refused)
		}
		if !reflect.DeepEqual(asked, []scopetest.Asked{want}) {
			t.Errorf("asked for %+v, expected %+v", asked, want)
		}
	}
}

// TestNobodyAnswers: without a bus, or on one on which nobody answers, there is no scope,
// and it is no refusal.
func TestNobodyAnswers(t *testing.T) {
	dir := t.TempDir()
	silent, err := net.Listen("unix", filepath.Join(dir, "silent"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	hangs := make(chan struct{})
	bus := scopetest.Serve(t, dir, func(scopetest.Asked) (string, error) {
		<-hangs
		return "done", nil
	})
	defer close(hangs)
	const late = "no answer from systemd in time"
	for _, test := range []struct {
		address string
		until   time.Time
		want    string
	}{
		{"unix:path=" + filepath.Join(dir, "none"), soon(), "no such file"},
		{"tcp:host=localhost,port=1", soon(), `found "tcp:host=localhost,port=1", expected unix:path=`},
		{"unix:path=" + filepath.Join(dir, "silent") + ",guid=0123456", short(), late},
		{bus, short(), late},
	} {
		r := scope.Request{Unit: "umpire.1.scope", PIDs: []int{1}, Until: test.until}
		if err := r.Ask(test.address); err == nil || errors.Is(err, scope.ErrRefused) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: found %v, expected %q", test.address, err, test.want)
		}
	}
}
