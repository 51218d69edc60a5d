package judging

import (
	"os"
	"strconv"

	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/sandbox"
)

// channels are the FIFOs of a match by which judge and submission talk.
type channels struct {
	folder          string
	toJudge, toBots []*contestant.Channel
}

// openChannels makes the FIFOs of a match: two for each process, and as many for the judge.
func openChannels(processes int, toBots bool) (c channels, err error) {
	if c.folder, err = sandbox.NewTempDir("fifos-"); err != nil {
		return c, err
	}
	err = os.Chmod(c.folder, 0o711) // programs may run as other users
	for i := 0; i < processes && err == nil; i++ {
		var one *contestant.Channel
		if one, err = contestant.NewChannel(c.folder, "judge-"+strconv.Itoa(i)); err == nil {
			c.toJudge = append(c.toJudge, one)
		}
		if toBots && err == nil {
			if one, err = contestant.NewChannel(c.folder, strconv.Itoa(i)); err == nil {
				c.toBots = append(c.toBots, one)
			}
		}
	}
	if err != nil {
		c.close()
	}
	return c, err
}

func (c *channels) close() {
	for _, one := range append(c.toJudge, c.toBots...) {
		one.Close()
	}
	if c.folder != "" {
		os.RemoveAll(c.folder)
	}
}

// giveJudge has a judge talk by its FIFOs: its arguments are, for each process, the one that
// it reads and the one that it writes.
func (c *channels) giveJudge(command *sandbox.Command) {
	for _, one := range c.toJudge {
		command.Args = append(command.Args, one.In, one.Out)
		command.Read = append(command.Read, one.In, one.Out)
	}
}

// giveBot returns what a process of the submission gets, by its index: the FIFO that it
// reads, the one that it writes, and the index where there are several.
func (c *channels) giveBot(index, processes int) (given referee.Given) {
	if len(c.toBots) > 0 {
		one := c.toBots[index]
		given.Args, given.Pipes = []string{one.In, one.Out}, []string{one.In, one.Out}
	}
	if processes > 1 {
		given.Args = append(given.Args, strconv.Itoa(index))
	}
	return given
}
