package sandbox

import "time"

// cgroup is a control group of one contestant; nil is none.
type cgroup struct{}

func (g *cgroup) cpu() time.Duration { return 0 }
func (g *cgroup) peak() int64        { return 0 }
func (g *cgroup) exhausted() bool    { return false }
func (g *cgroup) freeze(bool)        {}
func (g *cgroup) kill()              {}
