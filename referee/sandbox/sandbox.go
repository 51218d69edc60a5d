// Package sandbox starts a contestant's program with what it may touch, and
// ends it with everything it started. It knows nothing of games, replies or
// verdicts: it reports facts. Levels of isolation differ only in how a program
// is launched.
package sandbox

import (
	"errors"
	"syscall"
	"time"

	"umpire/referee"
)

// Command is a program to be started.
type Command struct {
	Path string   // the executable
	Args []string // its arguments, Args[0] being its name
	Env  []string // its whole environment
	Dir  string   // working directory; "" means umpire's own

	// Stdin, Stdout and Stderr are open descriptors; the caller closes its
	// copies after the start.
	Stdin, Stdout, Stderr int

	// Read and Write are files and folders, beyond the system's and Path, that
	// the program may read and execute, or folders that it may read and write.
	// FIFOs of Read it may write as well.
	// They must exist. From box on it writes in copies, which are copied back
	// if it ends with status 0 or, if AnyStatus, with any status. None does not
	// enforce them.
	Read, Write []string
	AnyStatus   bool
	// Copies maps files and folders of Read, and Path, to copies that are there in their
	// stead: at the same path from box on. At basic only Path has one, which is executed
	// where it lies, and none has no copies.
	Copies map[string]string

	Limits Limits
}

// Limits bound the resources of a program and everything it starts. Zero means no limit
// beyond the machine's, or the level's own where README.md names one.
type Limits struct {
	Memory    int64 // bytes
	CPU       time.Duration
	Processes int // processes and threads at any time
	Files     int // open descriptors of one process
	FileSize  int64
	Disk      int64 // bytes in all on the private file system and in the folders that can be written
	Stack     int64
}

// What a program may write above none, if its Limits do not say.
const (
	DefaultDisk = 64 << 20 // bytes in all
	MaxFiles    = 16384    // files in all; Limits do not change it
)

// DefaultProcesses is how many processes and threads a program may have
// above none, if its Limits do not say.
const DefaultProcesses = 256

// Launcher starts programs at one level. It is safe for concurrent use.
type Launcher interface {
	Level() referee.Level
	// Start starts a program and returns when it has been executed. The
	// program inherits the calling thread's CPU affinity. On systems other
	// than Linux, Start and Wait are called from one locked thread. An error
	// is umpire's, or says that the file can't be executed.
	Start(Command) (Process, error)
}

// Process is a started program with everything it has started in turn. Its
// methods other than Kill are for one goroutine.
type Process interface {
	// Pid is the program's own process, in umpire's process namespace.
	Pid() int
	// Exited is a descriptor that becomes readable when the program has ended.
	// It stays owned by the Process.
	Exited() int
	// CPU is the CPU time used so far, of the whole tree where the level can
	// tell and of the program's own process otherwise.
	CPU() time.Duration
	// Children is the CPU time used so far by what the program has started, as
	// far as CPU does not include it, and whether any of that runs or could run
	// at the moment. It takes some 10 µs for each process, except at strict.
	Children() (cpu time.Duration, running bool)
	// Memory is the most memory used at any time so far, in bytes, and whether that
	// was more than the limit. This call looks at the tree below strict,
	// and at the folders the program may write in, and kills it if it has more
	// than the limit: call it now and then while the program runs.
	Memory() (peak int64, over bool)
	// Filled looks at the folders the program may write in even if Memory would
	// not yet, which takes its time between two looks, and reports whether they
	// hold more than the limit; then it kills the program.
	Filled() bool
	// Wrote reports whether anything lies in the folders of the program's own that it may
	// write in, but for the way to what it is shown, or umpire can't look there. At none it
	// has no such folder.
	Wrote() bool
	// Freeze stops everything until Thaw: when it returns, nothing of the
	// program executes any more. Below strict a timer of the program's own may
	// wake it all the same; another Freeze stops it again. At none what has left
	// both the program's tree and its process group is not reached.
	Freeze()
	Thaw()
	// Kill kills everything. It may be called more than once.
	Kill()
	// Wait waits for the program to end, kills what it has left behind, and
	// frees everything. It is called exactly once.
	Wait() Exit
}

// Exit is how a program ended and what it used.
type Exit struct {
	Status      syscall.WaitStatus
	CPU         time.Duration // of the program and the children it waited for, or of the whole tree
	Memory      int64         // peak, bytes
	OutOfMemory bool          // the memory limit was exceeded, whether or not that ended it
	OutOfDisk   bool          // it wrote more, or more files, than it may
	DiskFull    bool          // it left no room in the folders of Command.Write, where the kernel lets it write no more
	// It had more processes and threads than it may. Where the kernel limits
	// them it gets none, and this is false.
	OutOfProcesses bool
	// Err is set if the program's end is neither its own nor by Kill: it is
	// ErrHelperKilled, ErrMachineMemory, ErrScopeEnded or an error of umpire's, and the
	// match that the program played is void.
	Err error
}

// Ends that say nothing about a program's play: see Exit.Err.
var (
	ErrHelperKilled  = errors.New("a helper process of umpire was killed, and the contestant with it")
	ErrMachineMemory = errors.New("the kernel killed the contestant because this machine, or the control group umpire runs in, " +
		"ran out of memory: play fewer matches concurrently, or lower the memory limit")
	ErrScopeEnded = errors.New("the scope of systemd in which contestants play was ended from outside")
)

// Scope is a control group that the user's service manager, systemd, has made for
// contestants. It ends with the manager.
type Scope struct {
	Unit    string // its name
	Whole   bool   // umpire is in it, too, and ends with it
	Lingers bool   // the manager does not end with the user's last session
}
