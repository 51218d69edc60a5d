package sandbox

import (
	"os"
	"slices"
	"strconv"
	"sync"

	"umpire/referee/procfs"
)

// userPool hands out the 256 users of this umpire process to contestants: root gives
// each one of its own, an ordinary user has none but itself to give. No two have the
// same at the same time: the kernel counts processes by user, and what one uses up
// another lacks.
type userPool struct {
	mu   sync.Mutex
	used [256]bool
}

func (u *userPool) acquire() (int, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	i := slices.Index(u.used[:], false)
	if i < 0 {
		return 0, false
	}
	u.used[i] = true
	return firstUID + umpireSlot()<<8 + i, true
}

func (u *userPool) release(uid int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.used[uid&255] = false
}

const firstUID = 1 << 30

// slotBits is how many bits the largest process number has (pid_max).
const slotBits = 22

// umpireSlot is the place of this process's users. Umpires in one pid namespace
// differ in the process number; those of two containers, which may have the same
// number, very likely in what the namespace's number spreads to.
func umpireSlot() int {
	namespace, _ := strconv.ParseUint(procfs.PIDNamespace(), 10, 32)
	spread := uint32(namespace) * 2654435769 >> (32 - slotBits) // Fibonacci hashing
	return os.Getpid() ^ int(spread)
}
