package coordinator

import (
	"errors"
	"fmt"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/fleet"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/record"
)

// maxStderr is how many bytes of standard error a seat may have in a record: four times
// what umpire keeps of it, as replaced bytes get longer.
const maxStderr = 16 << 10

// unpack unpacks records.
var unpack = fleet.NewUnpacker(record.MaxRecord)

// inspect reads a result and judges it: a record must be in the form of one, verify, and be of the
// version and the isolation with which the worker has joined. One that was stored before this coordinator
// began, with another umpire or less isolated, has not been played for this run. The error says what is
// wrong.
func (c *Coordinator) inspect(one *dispatch.Result, data []byte) (err error) {
	line, r := record.Line{File: "result", Number: 1, Bytes: data, Whole: true}, &one.Record
	if c.config.Games == nil {
		*r, err = line.Record()
		return err
	}
	var v record.Verification
	*r, v, err = record.VerifyWhole(line, c.config.Games)
	other := c.config.compareRun(r)
	switch {
	case one.Early && other != nil:
		r.Fail(other)
		return nil
	case err != nil:
		return err
	case !v.Valid:
		return errors.New(v.Why)
	case other != nil:
		return other
	}
	return c.compareWorker(&one.From, one.Early, r)
}

// compareRun returns an error if a match was not played as those of this run are to be.
func (c *Config) compareRun(r *record.Record) error {
	switch least := c.Dispatch.Isolation; {
	case r.Umpire != c.Dispatch.Version:
		return fmt.Errorf("umpire: found %s, expected %s", r.Umpire, c.Dispatch.Version)
	case least != "" && r.Error == "" && !referee.Level(r.Isolation).AtLeast(least):
		return fmt.Errorf("isolation: found %s, expected %s or stronger", r.Isolation, least)
	}
	return nil
}

// compareWorker compares a record with what its worker has said of itself, and completes it. A match for
// which the worker could not compile a bot, and this machine could, has failed.
func (c *Coordinator) compareWorker(from *dispatch.Giver, isEarly bool, r *record.Record) error {
	if from.Known && !isEarly { // it may have begun anew since
		if r.Isolation != from.Isolation && r.Error == "" {
			return fmt.Errorf("isolation: found %s, the worker has joined with %s", r.Isolation, from.Isolation)
		}
		r.CPU = from.CPU
	}
	r.Worker, r.CPU = from.Name, fleet.Tidy(r.CPU, fleet.MaxCPUName)
	switch {
	case from.Name == "":
		return errors.New("found a record of a worker that has never joined the run")
	case r.Match != "" && from.Known && !from.Own:
		return errors.New("match: found the id of a match that is shown to onlookers, which is for those of the coordinator's machine")
	}
	for i, s := range r.Seats {
		if most := (r.WallUS + 1e6) * record.MaxCPUs; s.CPUUS > most { // of a record without cpus, too
			return fmt.Errorf("seats[%d].cpu_us: found %d, expected at most %d", i, s.CPUUS, most)
		}
		if n := len(s.Stderr) + len(s.StderrAfter); n > maxStderr {
			return fmt.Errorf("seats[%d].stderr: found %d bytes, expected at most %d", i, n, maxStderr)
		}
		p := c.config.Dispatch.Packages[s.Digest]
		if p == nil || p.Broken != "" || s.Verdict != string(protocols.KindCompile) {
			continue
		}
		why := fmt.Sprintf("bot %s can't be compiled or started on worker %s", s.Bot, r.Worker)
		if p.Lack == "" {
			r.Fail(fmt.Errorf("%s, and can on the coordinator's machine: %s", why, s.Detail))
		} else if _, isTold := c.uncompiled.LoadOrStore(s.Digest, true); !isTold {
			c.config.Note("umpire: %s, it says; this machine can't tell: %s\n", why, p.Lack)
		}
	}
	return nil
}
