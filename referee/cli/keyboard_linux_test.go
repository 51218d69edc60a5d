package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestKeyboard plays at the keyboard: what can't be played is explained and asked
// for again, the choices are listed, and the end of the input leaves the match,
// whose record is valid.
func TestKeyboard(t *testing.T) {
	dir := t.TempDir()
	p := sit(t, dir, "xterm", nil, "match", "ioiwari", "human", "@optimal", "--case", "4 4 4 2 2 2 2", "--time", "1m", "-o", "run")
	p.see("human, seat 1: ")
	p.press("9\n", `"9" can't be played here.`)
	p.see("7: pit 7, 2 beads")
	p.see("human, seat 1: ")
	p.press("?\n", "1: pit 1, 4 beads")
	p.see("human, seat 1: ")
	p.press(" 1 \n", "seat 2 @optimal")
	p.see("human, seat 1: ")
	p.press("\x04", "Seat 1 resigned: seat 2 wins.")
	p.ended(0)

	for _, r := range recordsIn(t, filepath.Join(dir, "run")) {
		me := r.Seats[0]
		if me.Kind != "human" || me.Bot != "human" || me.Verdict != "crash" || me.Detail != "left" || me.Replies != 1 || r.Events[0].Reply == nil || me.ChargedUS != 0 || *r.Events[0].Reply != "1" {
			t.Errorf("found %+v, first event %+v", me, r.Events[0])
		}
	}
	runSafe(t, dir, 0, "verify", "run")
}

// TestKeyboardOwnGame plays a hidden game of its author's own at the keyboard: a person is
// told what the seat is sent and shown, and nothing of the other's. Where the judge says no
// choices, ? is not offered, and is a reply.
func TestKeyboardOwnGame(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "own", "umpire.yaml"), "game: own\nseats: 2\njudge: sh judge.sh\nhidden: yes\n")
	write(t, filepath.Join(dir, "own", "judge.sh"), `read -r match
echo "show a board
show-to 1 a six
show-to 2 a seven
say 1 your number is 6
say 2 your number is 7
ask 1"
read -r reply
echo "choice 1 6
ask 1"
read -r again
echo "say 1 first $reply
end 1 0"
`)
	p := sit(t, dir, "xterm", nil, "match", "./own", "human", "idle=cat -", "-o", "run", "--isolation", "none")
	p.see("human, seat 1: ")
	for text, seen := range map[string]bool{"seat 1 is sent:\r\nyour number is 6\r\n": true, "seat 1 sees:\r\na six\r\n": true, "is 7": false, "seven": false, "or ?": false} {
		if strings.Contains(string(p.seen), text) != seen {
			t.Errorf("%q is seen: expected %v, found %q", text, seen, p.seen)
		}
	}
	p.press("?\n", "or ? to see what you can play")
	p.press("?\n", "6: 6")
	p.press("6\n", "seat 1 is sent:\r\nfirst reply 1 ?")
	p.ended(0)
}

// TestKeyboardInterrupted ends a match while a person thinks.
func TestKeyboardInterrupted(t *testing.T) {
	p := sit(t, t.TempDir(), "xterm", nil, "match", "ioiwari", "eve=human:eve", "--case", "4 4 4 2 2 2 2")
	p.see("eve, seat 1: ")
	p.press("\x03", "interrupted")
	p.ended(130)
}
