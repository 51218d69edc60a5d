package dispatch

import (
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
)

// Config configures a Dispatcher.
type Config struct {
	Version   string            // umpire's, which workers must have as well
	Build     fleet.Build       // its executable, which those of the same system must have as well; zero: they need not
	Isolation referee.Level     // the weakest level at which workers may play; "": any
	Silence   time.Duration     // how long nothing may be heard of a worker before what it holds is given to others
	Late      time.Duration     // how long a match is played at least before it is also given to another worker
	Own       string            // id of the coordinator's own worker
	OwnPlays  bool              // it takes part
	TrustsAll bool              // the server lets a worker speak as any other
	Resumed   bool              // there are records of which the Dispatcher does not know
	Excluded  []string          // names of workers whose records do not count
	Past      map[string]string // ids of workers that had joined an earlier coordinator of the run, by their names
	Keys      map[string]string // names of the keys with which workers have joined the run, by the keys' hashes
	Began     time.Time         // before any match began
	// Packages are the programs that can travel, by digest; matches of others are for the coordinator's
	// own worker alone. If it is nil, workers have all players already.
	Packages map[string]*program.Package
	Needs    []string        // labels that workers must have
	Controls []arena.Fixture // matches that are played only to find out whether a worker can be believed
	// ControlShare is the share of jobs that are one of Controls; Recheck is that of matches that are
	// played again elsewhere: see recheck.Summary. Both are from 0 to 1.
	ControlShare, Recheck float64
	// Calibrate has the budgets of each worker multiplied by how much more CPU time the bots of
	// Controls need there than on this machine: see record.Record.
	Calibrate bool
	Chance    func() float64 // returns a number from 0 to 1
	NewName   func() string  // makes up the id of a job
}

// Decisions are what is to be done when the state is no longer locked.
type Decisions struct {
	Notes    []string // lines for people
	Gives    []Give
	Kicks    []string // ids of workers whose connections are to end
	Excluded []string // names of workers whose records do not count
}

// Give is a job for a slot that has asked for one.
type Give struct {
	Reply    string // subject
	ID       string // of the job; "": there is none for the time being
	Worker   string // id of the worker
	Fixtures []arena.Fixture
	At       []int    // the numbers of their records
	Matches  []string // their full names
}
