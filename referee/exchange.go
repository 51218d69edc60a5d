package referee

import (
	"time"

	"umpire/protocols"
)

// Exchange is one thing that was seen of a match between a contestant and a judge that
// is a program, in the order in which umpire saw it. Of Text, Bytes, EOF, Ended, Fail and
// Pass one is set.
type Exchange struct {
	Seat int           // who did it; 0: the judge; from 1, the processes of the contestant
	To   int           // the process that a judge's text or the end of that is for; 0: the only one
	At   time.Duration // since the beginning of the match
	Text string        // it wrote this; what it writes in a row is one Exchange
	// Bytes is how much it has written in the run, and SHA256 the hash of that, in
	// hexadecimal, where only the beginning is kept as Text.
	Bytes  int64
	SHA256 string
	EOF    bool // it closed its output before it ended
	Ended  bool // it ended, with status Exit or by Signal
	Exit   int
	Signal string // such as SIGSEGV; "": it ended by itself
	// Detail is the explanation of a judge that has ended, and Score the score of a run
	// that it accepts; nil: the problem has no scores.
	Detail string
	Score  *protocols.Score
	Fail   *protocols.Failure // why umpire ended it, or what it has exceeded
	Pass   int                // a further run begins, the second being 2
}
