package session

import (
	"crypto/tls"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"umpire/referee"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/fleet/status"
	"umpire/referee/keys"
	"umpire/referee/procfs"
	"umpire/referee/program"
)

// Workers says how matches are spread over other machines.
type Workers struct {
	URL      string     // of a NATS server or cluster; "": umpire is the server itself
	Token    string     // the workers' secret; "": a new one
	Keys     *keys.File // of workers with keys of their own, where there is no URL; nil: none have any
	Insecure bool       // the secret may travel in the clear
	TLS      *tls.Config
	Recheck  float64 // share of the matches that another worker plays again
	// Calibrate has budgets multiplied by how slow the worker's processors are.
	Calibrate bool
	Listen    bool          // onlookers may come though there is a URL
	Level     referee.Level // of isolation that workers need; "": theirs
	Priority  int           // of the run among those of the server at URL
	Needs     []string      // labels that workers must have
	// AtInterrupt has the first interrupt call a function, until it is undone.
	AtInterrupt func(func()) (undo func())
}

// spreading connects a session to the workers that play its matches.
type spreading struct {
	coordinator atomic.Pointer[coordinator.Coordinator] // nil until it is open
	server      *broker.Server                          // nil with a URL
	temporary   string                                  // folder to remove at the end; "": none
	controls    []program.Bot                           // of the control matches, in which this machine's worker may play too
	undo        func()                                  // has an interrupt stop the command again
}

// ReachError is an error of reaching the server of Workers.
type ReachError struct{ error }

func (e *ReachError) Unwrap() error { return e.error }

// The folder of a run's workers, in its run folder, and files there.
const (
	fleetFolder  = "fleet"
	excludedFile = "excluded" // the names of the workers whose records do not count
	keysFile     = "keys"     // the hashes and names of the keys with which workers have joined
)

// linesIn returns the lines of a file, which need not be there.
func linesIn(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" }), err
}

// addLine adds a line to a file.
func addLine(path, line string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Sync(), f.Close())
}

// status describes the run to onlookers; nil before it begins.
func (f *spreading) status() *status.Fleet {
	c := f.coordinator.Load()
	if c == nil {
		return nil
	}
	status := c.Status()
	return &status
}

// Build names this build of umpire; zero if its executable can't be read. Its hash finds
// executables that differ by accident: a worker that lies can claim any.
func (u *Umpire) Build() fleet.Build {
	f, err := os.Open(u.Path)
	if err != nil {
		return fleet.Build{}
	}
	defer f.Close()
	hash := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	size, err := io.Copy(hash, f)
	if err != nil {
		return fleet.Build{}
	}
	return fleet.Build{System: runtime.GOOS + "/" + runtime.GOARCH, Hash: fmt.Sprintf("%08x-%d", hash.Sum32(), size)}
}

// CPUModel is the model of this machine's processors, for records.
func CPUModel() string { return procfs.Value("/proc/cpuinfo", "model name") }
