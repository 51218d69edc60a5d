package coordinator

import (
	"errors"
	"fmt"

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

// inspect reads a result and judges it: a record must be in the form of one, verify, and
// be of the version and the isolation with which the worker has joined. The error says
// what is wrong.
func (c *Config) inspect(from dispatch.Giver, data []byte) (r record.Record, err error) {
	if data, err = unpack(data); err != nil {
		return r, fmt.Errorf("unpack record: %w", err)
	}
	line := record.Line{File: "result", Number: 1, Bytes: data, Whole: true}
	if c.Games == nil {
		return line.Record()
	}
	r, v, err := record.VerifyWhole(line, c.Games)
	switch {
	case err != nil:
		return r, err
	case !v.Valid:
		return r, errors.New(v.Why)
	}
	return r, c.compareWorker(from, &r)
}

// compareWorker compares a record with what its worker has said of itself, and
// completes it.
func (c *Config) compareWorker(from dispatch.Giver, r *record.Record) error {
	if from.Known {
		if r.Isolation != from.Isolation && r.Error == "" {
			return fmt.Errorf("isolation: found %s, the worker has joined with %s", r.Isolation, from.Isolation)
		}
		r.CPU = from.CPU
	}
	r.Worker, r.CPU = from.Name, fleet.Tidy(r.CPU, fleet.MaxCPUName)
	switch {
	case from.Name == "":
		return errors.New("found a record of a worker that has never joined the run")
	case r.Umpire != c.Dispatch.Version:
		return fmt.Errorf("umpire: found %s, expected %s", r.Umpire, c.Dispatch.Version)
	case c.Dispatch.Isolation != "" && r.Error == "" && !referee.Level(r.Isolation).AtLeast(c.Dispatch.Isolation):
		return fmt.Errorf("isolation: found %s, expected %s or stronger", r.Isolation, c.Dispatch.Isolation)
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
	}
	return nil
}
