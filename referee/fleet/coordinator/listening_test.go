package coordinator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
)

// TestManyHellos: so are hellos, and a worker that joins meanwhile is heard.
func TestManyHellos(t *testing.T) {
	s, _ := open(t, Config{})
	loud := connects(t, s, s.Token)
	data, err := json.Marshal(fleet.Hello{Protocol: fleet.Protocol, Version: "test", Slots: 1, CPU: strings.Repeat("x", fleet.MaxHello-1000)})
	must(t, err)
	answers, err := loud.nc.SubscribeSync(loud.nc.NewInbox())
	must(t, err)
	start := time.Now()
	const hellos = 1000
	for range hellos {
		must(t, loud.nc.PublishRequest(fleet.HelloTo(loud.id), answers.Subject, data))
	}
	must(t, loud.nc.Flush())
	other := newByHandAs(t, s, "other", "")
	if o := other.say(fleet.Beat{}); !o.Known { // after all that the other has said
		t.Errorf("found %+v", o)
	}
	must(t, loud.nc.Flush())
	read, _, err := answers.Pending()
	if most := heardBytes * (1 + time.Since(start).Seconds()); err != nil || read == 0 || read == hellos || float64(read*len(data)) > most {
		t.Errorf("found %d hellos of %d bytes read, %v, expected up to %.0f bytes", read, len(data), err, most)
	}
}

// TestLost: that the coordinator's connection loses messages is said once, in umpire's words.
func TestLost(t *testing.T) {
	t.Parallel()
	var notes []string
	_, c := open(t, Config{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
	for range 2 {
		c.nc.Opts.AsyncErrorCB(c.nc, nil, nats.ErrSlowConsumer)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "umpire: warning: ") {
		t.Errorf("found %q, expected a warning", notes)
	}
}

// TestLoud: of what a worker says without end only so much a second is read, and the others
// are heard.
func TestLoud(t *testing.T) {
	s, _ := open(t, Config{Games: games})
	loud, other := newByHandAs(t, s, "loud", ""), newByHandAs(t, s, "other", "")
	var b fleet.Beat
	for i := range 20_000 {
		b.Jobs = append(b.Jobs, fmt.Sprintf("job%013d", i))
	}
	data, err := json.Marshal(b)
	must(t, err)
	answers, err := loud.nc.SubscribeSync(loud.nc.NewInbox())
	must(t, err)
	start := time.Now()
	for range 100 {
		must(t, loud.nc.PublishRequest(loud.names.Beat(loud.id), answers.Subject, data))
	}
	must(t, loud.nc.Flush())
	if o := other.say(fleet.Beat{}); !o.Known { // after all that the other has said
		t.Errorf("found %+v", o)
	}
	must(t, loud.nc.Flush())
	read, _, err := answers.Pending()
	if most := heardBytes * (1 + time.Since(start).Seconds()); err != nil || read == 0 || float64(read*len(data)) > most {
		t.Errorf("found %d beats of %d bytes read, %v, expected up to %.0f bytes", read, len(data), err, most)
	}
}

// TestEveryTakeIsAnswered: who asks for jobs and has not joined, or asks more often than is read, is told that
// there is none: a server keeps a question until it is answered.
func TestEveryTakeIsAnswered(t *testing.T) {
	t.Parallel()
	s, _ := open(t, Config{})
	w := connects(t, s, s.Token)
	answers, err := w.nc.SubscribeSync(w.nc.NewInbox())
	must(t, err)
	const asked = 2 * heardBytes / leastHeard
	for range asked {
		must(t, w.nc.PublishRequest(w.names.Take(w.id), answers.Subject, []byte("{}")))
	}
	for n := range asked {
		var j fleet.Job
		msg, err := answers.NextMsg(patience)
		if err == nil {
			err = json.Unmarshal(msg.Data, &j)
		}
		if err != nil || j.ID != "" {
			t.Fatalf("answer %d of %d: found %+v, error %v", n+1, asked, j, err)
		}
	}
}

// TestManySmall: of many small messages so many are read as of those of a kilobyte.
func TestManySmall(t *testing.T) {
	var l listening
	start, read, sent := time.Now(), 0, 10*heardBytes/leastHeard
	for range sent {
		if l.reads(&nats.Msg{Subject: "umpire.run.take.id"}) {
			read++
		}
	}
	if most := heardBytes / leastHeard * (1 + time.Since(start).Seconds()); read == 0 || float64(read) > most {
		t.Errorf("found %d of %d messages read, expected up to %.0f", read, sent, most)
	}
}
