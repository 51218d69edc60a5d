package fleet

import (
	"strings"
	"testing"
)

// TestHideSecrets: what is shown of a URL is without what lets others in.
func TestHideSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"nats://host:4222":                           "nats://host:4222",
		"nats://user:secret@host":                    "nats://user:xxxxx@host",
		"nats://token@host":                          "nats://xxxxx@host",
		"nats://u:p:q@a:1,tls://u:s@b:2/x":           "nats://u:xxxxx@a:1,tls://u:xxxxx@b:2/x",
		"--nats=nats://u:p@a -o run@home":            "--nats=nats://u:xxxxx@a -o run@home",
		"alice=./alice.py":                           "alice=./alice.py",
		"https://host/path@x":                        "https://host/path@x",
		"tls://user:a@b@host":                        "tls://user:xxxxx@host",
		"umpire worker --join nats://u:p@h --jobs 2": "umpire worker --join nats://u:xxxxx@h --jobs 2",
	} {
		if found := HideSecrets(text); found != want {
			t.Errorf("%s: found %s, expected %s", text, found, want)
		}
	}
}

// TestAddress: a worker reaches an umpire behind a proxy below a path, and no
// secret goes beyond this machine in the clear.
func TestAddress(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:8370":       "ws://127.0.0.1:8370",
		"https://host/umpire":         "wss://host:443/umpire",
		"https://[2001:db8::1]:9/a/b": "wss://[2001:db8::1]:9/a/b",
		"http://[::1]":                "ws://[::1]:80",
		"tls://a,tls://b:1":           "tls://a,tls://b:1",
	} {
		if found, err := Addresses(url, false); err != nil || found != want {
			t.Errorf("%s: found %s, %v, expected %s", url, found, err, want)
		}
	}
	for _, url := range []string{"host:1", "://", "ftp://localhost", "http://localhost:99999", "nats://u:p@192.0.2.1", "tls://a,nats://192.0.2.1"} {
		if found, err := Addresses(url, false); err == nil {
			t.Errorf("%s: found %s, expected an error", url, found)
		} else if strings.Contains(err.Error(), "u:p@") {
			t.Errorf("%s: found the password in %q", url, err)
		}
	}
}

// TestCompleteURL: HOST:PORT is enough, and no secret goes beyond this machine in
// the clear for it.
func TestCompleteURL(t *testing.T) {
	for _, test := range []struct {
		text string
		safe bool
		want string
	}{
		{"localhost:8370", false, "http://localhost:8370"},
		{"127.0.0.1:8370", false, "http://127.0.0.1:8370"},
		{"[::1]:8370", false, "http://[::1]:8370"},
		{"lab.example:8370", false, "https://lab.example:8370"},
		{"lab.example:8370", true, "http://lab.example:8370"},
		{"http://lab.example:8370", false, "http://lab.example:8370"},
		{"nats://a:1,nats://b:2", false, "nats://a:1,nats://b:2"},
		{"lab.example", false, "lab.example"},
		{"lab.example:port", false, "lab.example:port"},
		{":8370", false, ":8370"},
	} {
		if found := CompleteURL(test.text, test.safe, false); found != test.want {
			t.Errorf("%s, safe %v: found %s, expected %s", test.text, test.safe, found, test.want)
		}
	}
}
