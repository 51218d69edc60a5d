package html

import (
	"slices"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report/html/page"
)

// What a site without drawn replays shows after its first reading: the standings, the lists
// of matches and each match. The second reading adds what it takes whole records for.

// early keeps what lists show of the records that were added, in their order.
type early struct {
	matches []earlyMatch
	bots    map[[2]string]int32 // number of a bot by name and digest, in the order of appearance
}

type earlyMatch struct {
	begin int64 // of the record's line
	name  string
	seats []earlySeat
}

type earlySeat struct {
	bot, place int32
	verdict    string
	score      protocols.Score
}

// add keeps a record.
func (e *early) add(b *record.Summary) {
	if e.bots == nil {
		e.bots = make(map[[2]string]int32)
	}
	m := earlyMatch{b.Offset, b.Case, make([]earlySeat, len(b.Seats))}
	if m.name == "" {
		m.name = page.Shorten(b.CaseText)
	}
	for i, s := range b.Seats {
		key := [2]string{s.Bot, s.Digest}
		n, ok := e.bots[key]
		if !ok {
			n = int32(len(e.bots))
			e.bots[key] = n
		}
		verdict := s.Verdict
		if b.Failed {
			verdict = notPlayed
		}
		m.seats[i] = earlySeat{n, int32(s.Place), verdict, s.Score}
	}
	e.matches = append(e.matches, m)
}

// Begin makes the pages for which all records have been added: the standings, as far as they
// are known, and the lists of matches. It returns where the line of each match begins. Write
// then makes the pages of bots, and that of the standings anew.
func (s *Site) Begin() (begins []int64, err error) {
	s.rank()
	v, err := s.newIndex()
	if err != nil {
		return nil, err
	}
	if _, err := s.out().write(indexName, "index", v); err != nil {
		return nil, err
	}
	kept := s.early
	s.early = early{}
	rows := slices.Repeat([]int{-1}, len(kept.bots))
	for i, row := range s.view.Of.Rows {
		if n, ok := kept.bots[[2]string{row.Name, row.Digest}]; ok {
			rows[n] = i
		}
	}
	list := newLister(s.out(), s.view, s.Matches())
	begins = make([]int64, 0, s.Matches())
	for n, m := range kept.matches {
		if s.left[int32(n)] {
			continue
		}
		seats := make([]listedSeat, len(m.seats))
		for i, seat := range m.seats {
			seats[i] = listedSeat{rows[seat.bot], seat.verdict, seat.score, int(seat.place)}
		}
		if err := list.add(page.SafeLine(m.name), seats, 1, len(begins)); err != nil {
			return nil, err
		}
		begins = append(begins, m.begin)
	}
	return begins, list.flush()
}
