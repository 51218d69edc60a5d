// Package standings adds up records and ranks bots: points, head-to-head
// results, tiebreaks, ratings and their intervals. It plays nothing.
package standings

import (
	"math/big"
	"math/bits"
	"slices"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/strength"
)

// Bot is a program under a name, in one role. Results of two programs with the same
// name are kept apart, and so are those of a contestant and of the same program as the
// opponent in tests and scorings.
type Bot struct {
	Name, Digest string
	House        bool // as the opponent in tests and scorings
}

// BotOf returns the bot that took a seat.
func BotOf(s record.SummarySeat) Bot { return Bot{s.Bot, s.Digest, s.House} }

// Tally adds up records for standings. All sums are of integers, so that the
// order of the records does not matter; within the ranges of records they do
// not overflow in ten million matches. It is for one goroutine.
type Tally struct {
	Rank       protocols.Rank
	Matches    int  // matches that count
	Failed     int  // not counted, since umpire failed to play them
	Duplicates int  // not counted, since they were already there
	Own        int  // of Matches, those of a bot against itself: they count in no bot's sums
	Draws      bool // the judge of some draws: a repetition need not be the same again

	alone int // matches of a single contestant

	seen        map[uint64]bool   // matches by record.Summary.Key; true: umpire failed
	judgeErrors map[uint64]string // after whose reply the judge failed, by record.Summary.Key
	index       map[Bot]int
	bots        []entry
	pairs       map[[2]int]*headToHead // by bots, the smaller number first
	open        map[uint64]*observation
	finishes    finishes                // of the observations that are complete
	plays       map[uint64]plays        // of the first complete one, by game, case and bots
	ended       map[uint64]*repetitions // by the same; nil until a second one is complete
	where       places
	seats       int // seats of all matches; -1: they differ

	repeated     int   // matches of complete observations that repeat others
	seat, sorted []int // the bots of a match, for Add

	rooms rooms // of observations, of which there may be millions
}

// entry holds the sums for one bot.
type entry struct {
	Bot
	figures
	trials    map[uint64]trial // see addTrial; nil: none
	obs       spread
	broken    string // why it could not be compiled or started; "" if it could
	notJudged string // what the machine lacked to judge it; "" if nothing
}

// figures are sums over matches.
type figures struct {
	played, won, drawn, lost int
	firsts                   int // first places, including shared ones
	points                   protocols.Score
	against                  protocols.Score // the opponents' mean score, times scale
	failures                 map[string]int  // by verdict; nil: none
	voided                   map[string]int  // by cause; nil: none
	replies                  int64
	late                     int64 // requests on which its time ran out
	wallUS, slowestUS        int64
	lostUS                   int64 // of wallUS, that of the other requests it failed to answer
	ranOut                   bool  // slowestUS is that of a request on which its time ran out
}

// scale is the factor that makes mean scores of up to eight opponents integers.
const scale = 840

// headToHead is the result of the matches that two bots shared, from the first
// one's view: the bot with the better place wins.
type headToHead struct {
	won, drawn, lost int
	neither          int // matches of two seats in which both failed and neither was first
	points, against  protocols.Score
	failed           [2]int               // matches in which each failed
	observations     int                  // mirrored matches count as one
	cases            int                  // of the observations; where a judge draws, what it drew
	quarters         int64                // the first's points in the observations, in quarters
	ptnml            strength.Pentanomial // of mirrored pairs, the first's
	apart            *spread              // of more seats, else nil: the first's scores less the second's, over observations
}

// observation is a set of matches that differ only in the order of seats.
type observation struct {
	bots    []int // ascending
	matches int
	halves  int               // two seats: the first bot's points, in halves
	scores  []protocols.Score // more seats: the sum of each bot's scores
	places  []byte            // more seats: the bots' places, match by match
	game    uint64            // what its repetitions have in common: game, case, limits and bots
	plays   plays             // what was played in which order of seats
	isOpen  bool              // not all orders have been played
	isHeld  bool              // it stands for others: see Tally.hold
	newCase bool              // none of its repetitions has been counted
	drawn   bool              // a judge has drawn

	worker int32 // number of the one that played all matches
	where  uint64
	won    []int32 // the bots' points, in halves, if there is a worker
}

// spread holds the sums from which a mean and its error are computed: over
// observations, of their matches N and scores X.
type spread struct {
	count, n, nn int64
	x, nx        protocols.Score
	xx           wide     // in squares of millionths
	more         *big.Int // of those too large for xx; never changed, as copies share it; nil is 0
}

// wide is a sum of squares, which 192 bits hold; the lowest word comes first.
type wide [3]uint64

// add adds the square of a number.
func (w *wide) add(x int64) {
	u := uint64(max(x, -x))
	high, low := bits.Mul64(u, u)
	var carry uint64
	w[0], carry = bits.Add64(w[0], low, 0)
	w[1], carry = bits.Add64(w[1], high, carry)
	w[2] += carry
}

// big is the sum.
func (w *wide) big() *big.Int {
	sum := new(big.Int)
	for _, word := range slices.Backward(w[:]) {
		sum.Add(sum.Lsh(sum, 64), new(big.Int).SetUint64(word))
	}
	return sum
}

func (s *spread) add(n int64, x protocols.Score) {
	s.count++
	s.n += n
	s.x = s.x.Plus(x)
	s.nn += n * n
	s.nx = s.nx.Plus(x.Times(n, 1))
	if small, ok := x.Micros64(); ok {
		s.xx.add(small)
		return
	}
	square := x.Micros()
	square.Mul(square, square)
	if s.more != nil {
		square.Add(square, s.more)
	}
	s.more = square
}

// NewTally makes a tally of a game's records.
func NewTally(rank protocols.Rank) *Tally {
	return &Tally{
		Rank: rank, seen: make(map[uint64]bool), judgeErrors: make(map[uint64]string), index: make(map[Bot]int),
		pairs: make(map[[2]int]*headToHead), finishes: make(finishes), open: make(map[uint64]*observation),
		plays: make(map[uint64]plays), ended: make(map[uint64]*repetitions),
		where: places{levels: make(map[string]int), number: make(map[string]int32)},
	}
}

// Expect lists a bot in the standings even if it has not played. If it can't, broken is why
// it could not be compiled or started, or notJudged what the machine lacked to judge it.
func (t *Tally) Expect(bot Bot, broken, notJudged string) {
	if e := &t.bots[t.bot(bot)]; broken != "" || notJudged != "" {
		e.broken, e.notJudged = broken, notJudged
	}
}

// mix adds a number to a hash: what it begins with is one that nobody can foresee, of a
// record.
func mix(hash, n uint64) uint64 {
	high, low := bits.Mul64(hash^0x9e3779b97f4a7c15, (n+1)*0xd6e8feb86659fd93|1)
	return high ^ low
}

// bot returns the number of a bot, which is new if it has not been seen before.
func (t *Tally) bot(id Bot) int {
	n, ok := t.index[id]
	if !ok {
		n = len(t.bots)
		t.index[id] = n
		t.bots = append(t.bots, entry{Bot: id})
	}
	return n
}

// Add counts a record, unless it was counted before, and reports whether it
// counts. A match that umpire failed to play counts once a later record shows it
// played.
func (t *Tally) Add(b *record.Summary) bool {
	if b.Key != 0 {
		failed, seen := t.seen[b.Key]
		switch {
		case seen && record.Supersedes(failed, b.Failed):
			t.Failed--
			delete(t.judgeErrors, b.Key)
		case seen && !b.Failed:
			t.Duplicates++
			return false
		case seen:
			return false
		}
		t.seen[b.Key] = b.Failed
	}
	if b.Failed {
		t.Failed++
		if b.JudgeFailed {
			t.judgeErrors[b.Key] = b.JudgeError
		}
		return false
	}
	if t.Matches++; t.seats == 0 {
		t.seats = len(b.Seats)
	} else if t.seats != len(b.Seats) {
		t.seats = -1
	}
	t.seat = t.seat[:0]
	for _, s := range b.Seats {
		t.seat = append(t.seat, t.bot(BotOf(s)))
	}
	own := len(t.seat) > 1 && len(slices.Compact(slices.Clone(t.seat))) == 1
	if own {
		t.Own++
	}
	for i := range b.Seats {
		t.addSeat(b, i, own)
		for j := range i {
			t.addPair(b, j, i)
		}
	}
	t.addTrial(b)
	t.observe(b, t.where.add(b))
	return true
}

// addSeat counts the match of the bot in the i-th seat, unless it is its own opponent.
func (t *Tally) addSeat(b *record.Summary, i int, own bool) {
	e := &t.bots[t.seat[i]]
	if !own {
		e.add(b, i)
	}
	if detail := b.Seats[i].Detail; detail != "" {
		e.broken = max(e.broken, detail) // whatever the order of the records
	}
}

// add counts the match of a bot in the i-th seat.
func (f *figures) add(b *record.Summary, i int) {
	s := b.Seats[i]
	f.played++
	f.points = f.points.Plus(s.Score)
	var others protocols.Score
	for j, o := range b.Seats {
		if j != i {
			others = others.Plus(o.Score)
		}
	}
	if n := int64(len(b.Seats) - 1); n > 0 {
		f.against = f.against.Plus(others.Times(scale, n))
	}
	switch HalvesOf(b.Seats, i) {
	case 2:
		f.won++
	case 1:
		f.drawn++
	default:
		f.lost++
	}
	if s.Place == 1 {
		f.firsts++
	}
	for cause, n := range s.Voided {
		count(&f.voided, cause, n)
	}
	if s.Verdict != "ok" {
		count(&f.failures, s.Verdict, 1)
	}
	f.replies += int64(s.Replies)
	f.late += int64(s.Late)
	f.wallUS += s.WallUS
	f.lostUS += s.LostUS
	if s.SlowestUS > f.slowestUS || s.SlowestUS == f.slowestUS && s.RanOut {
		f.slowestUS, f.ranOut = s.SlowestUS, s.RanOut
	}
}

// HalvesOf returns the match points of the i-th seat, from 0, in halves: 2 if it is first
// alone, 1 if first with others.
func HalvesOf(seats []record.SummarySeat, i int) int64 {
	if seats[i].Place != 1 {
		return 0
	}
	for j, o := range seats {
		if j != i && o.Place == 1 {
			return 1
		}
	}
	return 2
}

// count adds n to an element of a map, which it makes if it is nil.
func count(in *map[string]int, key string, n int) {
	if *in == nil {
		*in = make(map[string]int)
	}
	(*in)[key] += n
}

func (t *Tally) addPair(b *record.Summary, i, j int) {
	if t.seat[i] == t.seat[j] {
		return
	}
	if t.seat[i] > t.seat[j] {
		i, j = j, i
	}
	key := [2]int{t.seat[i], t.seat[j]}
	d := t.pairs[key]
	if d == nil {
		d = &headToHead{}
		t.pairs[key] = d
	}
	switch b.Halves(i, j) {
	case 2:
		d.won++
	case 1:
		if len(b.Seats) == 2 && b.Seats[i].Place != 1 {
			d.neither++
		} else {
			d.drawn++
		}
	default:
		d.lost++
	}
	d.points = d.points.Plus(b.Seats[i].Score)
	d.against = d.against.Plus(b.Seats[j].Score)
	for n, seat := range []int{i, j} {
		if b.Seats[seat].Verdict != "ok" {
			d.failed[n]++
		}
	}
}

// observe groups the match, which a worker played, with those that differ from
// it only in the order of seats.
func (t *Tally) observe(b *record.Summary, worker int32) {
	t.sorted = append(t.sorted[:0], t.seat...)
	slices.Sort(t.sorted)
	game := b.PairingKey
	t.Draws = t.Draws || b.Seed != 0
	for i, n := range t.sorted {
		if i > 0 && n == t.sorted[i-1] {
			return // it plays itself, which carries no information
		}
		game = mix(game, uint64(n))
	}
	key := mix(game, uint64(b.Repetition))
	o := t.open[key]
	if o == nil {
		o = t.rooms.observation(t.sorted)
		o.game, o.drawn = game, b.Seed != 0
		t.open[key] = o
	}
	o.matches++
	o.plays.add(t.playOf(b))
	o.playedOn(worker, b, t.seat)
	for i, n := range t.seat {
		sum := &o.scores[slices.Index(o.bots, n)]
		*sum = sum.Plus(b.Seats[i].Score)
	}
	if len(o.bots) == 2 {
		first := slices.Index(t.seat, o.bots[0])
		o.halves += b.Halves(first, 1-first)
	} else if len(o.bots) > 2 {
		for _, n := range o.bots {
			o.places = append(o.places, byte(b.Seats[slices.Index(t.seat, n)].Place))
		}
	}
	if o.matches == factorial(len(o.bots)) { // all orders have been played
		t.end(o)
		t.where.samples = o.samples(t.where.samples)
		delete(t.open, key)
		t.rooms.release(o)
	}
}

// PairsOf returns the mirrored pairs of two bots that are complete, by what the first
// of them has scored. Bots are numbered in the order in which they were added.
func (t *Tally) PairsOf(bot, opponent int) strength.Pentanomial {
	d, _ := view(t.pairs, bot, opponent)
	return d.ptnml
}

// CasesOf returns on how many cases these pairs were played.
func (t *Tally) CasesOf(bot, opponent int) int {
	d, _ := view(t.pairs, bot, opponent)
	return d.cases
}

func factorial(n int) int {
	f := 1
	for ; n > 1; n-- {
		f *= n
	}
	return f
}

// count counts an observation.
func (o *observation) count(pairs map[[2]int]*headToHead, bots []entry, ends finishes) {
	if len(o.bots) == 2 {
		d := pairs[[2]int{o.bots[0], o.bots[1]}]
		d.observations++
		if o.newCase || o.drawn {
			d.cases++
		}
		d.quarters += int64(2 * o.halves / o.matches)
		if o.matches == 2 {
			d.ptnml[o.halves]++
		}
	} else {
		if len(o.bots) > 2 {
			ends.add(o.bots, o.places)
		}
		for i, a := range o.bots {
			for j, b := range o.bots[i+1:] {
				d := pairs[[2]int{a, b}]
				if d.apart == nil {
					d.apart = &spread{}
				}
				d.apart.add(int64(o.matches), o.scores[i].Minus(o.scores[i+1+j]))
			}
		}
	}
	for i, n := range o.bots {
		bots[n].obs.add(int64(o.matches), o.scores[i])
	}
}
