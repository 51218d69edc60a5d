package coordinator

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
)

// hello answers a worker that introduces itself.
func (c *Coordinator) hello(msg *nats.Msg) {
	var h fleet.Hello
	if len(msg.Data) > fleet.MaxHello || json.Unmarshal(msg.Data, &h) != nil {
		c.respond(msg.Reply, fleet.Welcome{Run: c.names.Run, Refused: fmt.Sprintf("it does not introduce itself as expected, in at most %d bytes", fleet.MaxHello)})
		return
	}
	id := fleet.LastToken(msg.Subject) // which the server has checked
	if id == fleet.Probe {
		return
	}
	at := c.origins([]string{id})[id]
	if c.config.Server == nil && fleet.IsUser(id) {
		at.Key = id
	}
	var answer fleet.Welcome
	c.do(func(now time.Time) { answer = c.dispatcher.Hello(id, at.Host, at.Key, h, now) })
	answer.Run, answer.Stays, answer.Priority = c.names.Run, c.config.Server == nil, c.config.Priority
	c.respond(msg.Reply, answer)
}

// origins returns from where workers connect, where the server is umpire's.
func (c *Coordinator) origins(ids []string) (list fleet.Origins) {
	switch {
	case len(ids) == 0:
	case c.config.Server != nil:
		return c.config.Server.Origins(ids)
	case c.isStanding:
		question, err := json.Marshal(ids)
		if err != nil {
			return nil
		}
		if msg, err := c.nc.Request(fleet.OriginsSubject, question, fleet.AskWait); err == nil {
			_ = json.Unmarshal(msg.Data, &list)
		}
	}
	return list
}

// beat gives a worker its orders.
func (c *Coordinator) beat(msg *nats.Msg) {
	var b fleet.Beat
	if len(msg.Data) > fleet.MaxBeat || json.Unmarshal(msg.Data, &b) != nil {
		return
	}
	var o fleet.Orders
	c.do(func(now time.Time) { o = c.dispatcher.Hear(fleet.LastToken(msg.Subject), b, now) })
	c.respond(msg.Reply, o)
}

// take has a slot of a worker wait for a job.
func (c *Coordinator) take(msg *nats.Msg) {
	var t fleet.Take
	if len(msg.Data) > fleet.MaxBeat || json.Unmarshal(msg.Data, &t) != nil {
		return
	}
	c.do(func(now time.Time) { c.dispatcher.Take(fleet.LastToken(msg.Subject), t, msg.Reply, now) })
}
