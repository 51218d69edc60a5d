package contestant

import (
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// TestBlockingRead reads from an empty pipe, more often than there are
// processors at the same time, while the program also asks for the signal that
// ends the reads, as a library might.
func TestBlockingRead(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), unix.SIGURG)
	defer signal.Reset(unix.SIGURG)
	for n := range 2 * runtime.GOMAXPROCS(0) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			fds, err := pipe(0)
			if err != nil {
				t.Fatal(err)
			}
			defer closeAll(fds[:])
			r := blockingReader{fd: fds[0]}
			defer r.close()
			var buf [8]byte
			for range 20 {
				asked := clock()
				if n, err := r.wait(buf[:], asked); err != unix.EAGAIN || clock()-asked < soon {
					t.Fatalf("read %d bytes, error %v after %v, expected none after %v", n, err, clock()-asked, soon)
				}
				if n, err := r.read(buf[:]); err != unix.EAGAIN {
					t.Fatalf("read %d bytes, error %v from an empty pipe", n, err)
				}
				if _, err := write(fds[1], []byte("reply\n")); err != nil {
					t.Fatal(err)
				}
				if n, err := r.wait(buf[:], clock()); string(buf[:max(n, 0)]) != "reply\n" {
					t.Fatalf("read %q, error %v", buf[:max(n, 0)], err)
				}
			}
		})
	}
}
