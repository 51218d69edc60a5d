package archive

import (
	"encoding/binary"
	"time"

	"umpire/protocols"
	"umpire/referee/remote"
)

// entry is a finished match, packed: a run may have millions. It holds the
// offset of the record's line in the file, its size, and what is in a remote.MatchInfo, as packer writes them.
type entry string

func newEntry(info remote.MatchInfo, offset int64, size int) entry {
	var p packer
	p.number(offset)
	p.number(int64(size))
	p.text(info.ID)
	p.text(info.Record)
	p.text(info.Game)
	p.number(info.Started.UnixMilli())
	p.text(string(info.State))
	p.text(info.Detail)
	p.number(int64(info.Steps))
	p.number(int64(len(info.Seats)))
	p.number(int64(len(info.Results)))
	for _, s := range info.Seats {
		p.text(s.Player)
		p.text(s.Kind)
		p.text(s.Verdict)
		p.number(s.LeftMS)
	}
	for _, r := range info.Results {
		p.text(r.Detail)
		p.text(r.Score.String())
		p.number(int64(r.Place))
	}
	return entry(p)
}

// line returns where the record is.
func (e entry) line() (offset int64, size int) {
	u := unpacker(e)
	return u.number(), int(u.number())
}

// info returns the facts of the match. Their strings are parts of the entry.
func (e entry) info() (info remote.MatchInfo) {
	u := unpacker(e)
	u.number()
	u.number()
	info.ID, info.Record, info.Game, info.Started = u.text(), u.text(), u.text(), time.UnixMilli(u.number()).UTC()
	info.State, info.Detail, info.Steps = remote.State(u.text()), u.text(), int(u.number())
	info.Seats = make([]remote.SeatSeen, u.number())
	if n := u.number(); n > 0 {
		info.Results = make([]remote.Result, n)
	}
	for i := range info.Seats {
		info.Seats[i] = remote.SeatSeen{Seat: i + 1, Player: u.text(), Kind: u.text(), Verdict: u.text(), LeftMS: u.number()}
	}
	for i := range info.Results {
		seat, detail := info.Seats[i], u.text()
		score, _ := protocols.ParseScore(u.text()) // as newEntry wrote it
		info.Results[i] = remote.Result{Seat: i + 1, Player: seat.Player, Verdict: seat.Verdict, Detail: detail, Score: score, Place: int(u.number())}
	}
	return info
}

// packer writes numbers as varints, and texts after their length.
type packer []byte

func (p *packer) number(n int64) { *p = binary.AppendVarint(*p, n) }

func (p *packer) text(s string) {
	p.number(int64(len(s)))
	*p = append(*p, s...)
}

// unpacker reads what a packer has written.
type unpacker string

func (u *unpacker) number() int64 {
	var buf [binary.MaxVarintLen64]byte
	n, size := binary.Varint(buf[:copy(buf[:], *u)])
	*u = (*u)[size:]
	return n
}

func (u *unpacker) text() string {
	n := u.number()
	s := string((*u)[:n])
	*u = (*u)[n:]
	return s
}
