package coordinator

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"umpire/referee/fleet"
)

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
