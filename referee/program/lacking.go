package program

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"umpire/referee"
)

// littleRoom is the least space, in bytes, in which a compiler can be expected to keep its temporary files.
const littleRoom = 1 << 20

var quotes = strings.NewReplacer("'", "", `"`, "")

// lacking returns what a compiler in a folder has failed for that is no fault of its source:
// this machine did not let it write. It is nil if there is no such thing.
func lacking(level referee.Level, dir string, output []byte, failure error) error {
	words := strings.ToLower(string(output) + "\n" + failure.Error())
	// From basic on umpire sets the limit, up to what it may itself have.
	most := fileSizeLimit(level == referee.LevelNone)
	if most < uint64(compilerLimits.FileSize) && (strings.Contains(words, "file size limit exceeded") || strings.Contains(words, "file too large")) {
		return fmt.Errorf("the compiler may write no file of more than %d bytes: umpire was started with that limit (ulimit -f)", most)
	}
	if level.AtLeast(referee.LevelBox) { // it has worked on no disk of this machine
		return nil
	}
	const advice = "make room, or UMPIRE_CACHE and TMPDIR may name other folders"
	for line := range strings.Lines(string(output)) {
		said := quotes.Replace(strings.ToLower(line))
		for _, lack := range []error{syscall.ENOSPC, syscall.EDQUOT} {
			if strings.Contains(said, ": "+lack.Error()) {
				return fmt.Errorf("the compiler found a disk full (%s); %s", strings.TrimSpace(line), advice)
			}
		}
	}
	for _, dir := range []string{os.TempDir(), dir} {
		if free, ok := freeSpace(dir); ok && free < littleRoom {
			return fmt.Errorf("the compiler failed where %s has %d KiB of free space; %s", dir, free>>10, advice)
		}
	}
	return nil
}
