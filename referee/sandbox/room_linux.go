package sandbox

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"umpire/referee"
	"umpire/referee/procfs"
)

// What one program takes of what is limited.
const (
	// filesEach is descriptors: at level none three pipes, of which both ends are
	// open during the start, and the process; above that a report, the control
	// group's files and the maps of file owners as well.
	filesEach      = 16
	filesEachNone  = 8
	filesOfUmpire  = 64 // results, standard streams, the helper processes
	processesEach  = 16 // the supervisor, and what a usual language runtime starts
	processesSpare = 64
)

// RoomFor returns how many programs the level can run concurrently on this machine,
// as things stand now: what others take later is not known.
func RoomFor(level referee.Level) Room { return thisMachine().roomFor(level) }

// CPUQuota is the CPU time per time that the control groups around umpire may use, which is
// 2 for that of two CPUs; 0: as much as there is.
func CPUQuota() float64 { return thisMachine().cpuQuota() }

func (m *machine) roomFor(level referee.Level) Room {
	all := slices.Concat(m.roomOfUsers(level), []Room{roomForFiles(level)}, roomForProcesses(), m.roomForGroups())
	return slices.MinFunc(all, func(a, b Room) int { return cmp.Compare(a.Programs, b.Programs) })
}

// roomForFiles counts umpire's own descriptors.
func roomForFiles(level referee.Level) Room {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur > math.MaxInt32 {
		return unlimited
	}
	each := filesEach
	if level == referee.LevelNone {
		each = filesEachNone
	}
	return Room{max(0, int(limit.Cur)-filesOfUmpire) / each, fmt.Sprintf("%d open files", limit.Cur)}
}

// roomOfUsers is the room left by the users that the level hands out.
func (m *machine) roomOfUsers(level referee.Level) []Room {
	if level == referee.LevelNone {
		return nil
	}
	var list []Room
	if level != referee.LevelBasic {
		list = roomForNamespaces()
	}
	if m.privileges.ownUIDs && (level == referee.LevelBasic || m.privileges.hasCapability(unix.CAP_SYS_ADMIN)) {
		n := len(m.users.used)
		list = append(list, Room{n, fmt.Sprintf("%d users for contestants", n)})
	}
	return list
}

// roomForNamespaces counts the namespaces that one user may have made.
func roomForNamespaces() (list []Room) {
	for _, kind := range namespaceKinds {
		if n, err := strconv.Atoi(procfs.FirstLine("/proc/sys/user/max_" + kind + "_namespaces")); err == nil {
			list = append(list, Room{max(0, n-1), fmt.Sprintf("%d namespaces (user.max_%s_namespaces)", n, kind)})
		}
	}
	return list
}

// roomForProcesses counts processes and threads: those of the machine, and
// where contestants are of umpire's user, those of the user.
func roomForProcesses() (list []Room) {
	for _, name := range []string{"pid_max", "threads-max"} {
		if n, err := strconv.Atoi(procfs.FirstLine("/proc/sys/kernel/" + name)); err == nil {
			list = append(list, roomAmong(n, 0, "kernel."+name))
		}
	}
	var limit unix.Rlimit
	if os.Geteuid() != 0 && unix.Getrlimit(unix.RLIMIT_NPROC, &limit) == nil && limit.Cur < math.MaxInt32 {
		list = append(list, roomAmong(int(limit.Cur), countThreads(), "ulimit -u"))
	}
	return list
}

// roomAmong is the room that is left of so many processes, which what limits.
func roomAmong(most, used int, what string) Room {
	return Room{max(0, most-used-processesSpare) / processesEach, fmt.Sprintf("%d processes (%s)", most, what)}
}

// roomForGroups counts what the control groups around contestants, often those of a
// container or a session, let umpire start.
func (m *machine) roomForGroups() (list []Room) {
	for dir, most := range m.processLimits {
		used, _ := strconv.Atoi(procfs.FirstLine(dir + "/pids.current"))
		list = append(list, roomAmong(most, used, "pids.max of "+dir))
	}
	return list
}
