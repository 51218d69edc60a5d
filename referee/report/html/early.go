package html

import (
	"umpire/referee/record"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/standings"
)

// What a site without drawn replays shows after its first reading: the standings, the lists
// of matches and each match. The second reading adds what it takes whole records for.

// early keeps what lists show of the records that were added, in their order.
type early struct {
	matches []earlyMatch
	bots    page.Numbers[standings.Bot]
}

type earlyMatch struct {
	begin int64 // of the record's line
	name  string
	seats []listedSeat // in place of its row, each has the number of its bot
}

// add keeps a record.
func (e *early) add(b *record.Summary) {
	bots := make([]int, len(b.Seats))
	for i, s := range b.Seats {
		bots[i] = e.bots.Of(standings.BotOf(s))
	}
	e.matches = append(e.matches, earlyMatch{b.Offset, collect.CaseName(b), seatsOf(b, bots)})
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
	known, rows := collect.RowsOf(s.view.Of), make([]int, len(kept.bots.Values))
	for n, bot := range kept.bots.Values {
		rows[n] = known.Of(bot)
	}
	list := &lister{out: s.out(), view: s.view, total: s.Matches()}
	begins = make([]int64, 0, s.Matches())
	for n, m := range kept.matches {
		if s.left[int32(n)] {
			continue
		}
		for i := range m.seats {
			m.seats[i].row = int32(rows[m.seats[i].row])
		}
		if err := list.add(m.name, m.seats, 1, len(begins)); err != nil {
			return nil, err
		}
		begins = append(begins, m.begin)
	}
	return begins, list.flush()
}
