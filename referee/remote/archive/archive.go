// Package archive finds the finished matches of a run: how each ended, its record, and
// what happened in it. It knows nothing of HTTP, nor of who may see what.
package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"umpire/referee/record"
	"umpire/referee/remote"
)

// keptInMemory is how many records an archive without a file keeps.
const keptInMemory = 1000

// Archive finds the records of finished matches, in a results file or in
// memory. It is safe for concurrent use.
type Archive struct {
	path string

	mu      sync.Mutex
	file    *os.File       // the results; nil where there are none yet, and in memory
	end     int64          // of the whole lines in the file
	entries []entry        // the oldest first
	removed int            // entries that were there before those
	byID    map[string]int // numbers of entries, those removed included, by the ids of match and record
	lines   [][]byte       // the records of the entries, where there is no file
	names   record.Names   // of matches without players from outside, which have no id but the record's
	// numbers of entries, ascending, by who played in the match and by its game
	byPlayer, byGame map[string][]uint32
	// repetitions is how often each match was played, by its id as a first
	// repetition; with a file, without those of which byID knows that one alone.
	repetitions map[string]int
}

// Open reads a results file or that of a folder, which need not exist yet;
// with path "" records are kept in memory. The file must be plain, as it is while
// records are added. It stays open, so that its records are found also once it
// has been compressed.
func Open(path string) (*Archive, error) {
	a := &Archive{
		path: path, byID: make(map[string]int), repetitions: make(map[string]int),
		byPlayer: make(map[string][]uint32), byGame: make(map[string][]uint32),
	}
	if err := a.openFile(); err != nil || a.file == nil {
		return a, err
	}
	in := bufio.NewReaderSize(io.NewSectionReader(a.file, 0, math.MaxInt64), 1<<20)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			r, bad := record.Line{File: a.file.Name(), Number: number, Bytes: text, Whole: err == nil}.Record()
			if bad != nil && !errors.Is(bad, record.ErrTorn) {
				return nil, bad
			}
			if bad == nil {
				a.add(r, a.end, len(line))
			}
		}
		if err != nil {
			return a, nil
		}
		a.end += int64(len(line))
	}
}

// Renew reads the results file anew, which has been replaced.
func (a *Archive) Renew() error {
	now, err := Open(a.path)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file != nil {
		err = a.file.Close()
	}
	a.file, a.end, a.entries, a.removed, a.byID, a.lines = now.file, now.end, now.entries, now.removed, now.byID, now.lines
	a.names, a.byPlayer, a.byGame, a.repetitions = now.names, now.byPlayer, now.byGame, now.repetitions
	return err
}

// openFile opens the results file if it is there.
func (a *Archive) openFile() error {
	if a.path == "" || a.file != nil {
		return nil
	}
	name, err := record.Resolve(a.path)
	if err != nil {
		return err
	}
	if a.file, err = os.Open(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Add adds a record whose line was written to the end of the file.
func (a *Archive) Add(r record.Record, line []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.openFile(); err != nil {
		return err
	}
	if a.path == "" {
		a.lines = append(a.lines, bytes.Clone(line))
	}
	a.add(r, a.end, len(line))
	a.end += int64(len(line))
	if a.path == "" && len(a.entries) > keptInMemory {
		a.removeOldest()
	}
	return nil
}

// removeOldest removes the oldest record from memory.
func (a *Archive) removeOldest() {
	old := a.entries[0].info()
	a.entries, a.lines = a.entries[1:], a.lines[1:]
	for _, id := range []string{old.ID, old.Record} {
		if a.byID[id] == a.removed {
			delete(a.byID, id)
		}
	}
	for _, seat := range old.Seats {
		removeNumber(a.byPlayer, seat.Player, a.removed)
	}
	removeNumber(a.byGame, old.Game, a.removed)
	a.removed++
}

// addNumber adds the number of the newest entry to those under a name.
func addNumber(lists map[string][]uint32, name string, number int) {
	list := lists[name]
	if len(list) == 0 || list[len(list)-1] != uint32(number) {
		lists[name] = append(list, uint32(number))
	}
}

// removeNumber removes the number of the oldest entry from those under a name.
func removeNumber(lists map[string][]uint32, name string, number int) {
	list := lists[name]
	if len(list) > 0 && list[0] == uint32(number) {
		list = list[1:]
	}
	if lists[name] = list; len(list) == 0 {
		delete(lists, name)
	}
}

// add adds a record whose line is at an offset and has so many bytes.
func (a *Archive) add(r record.Record, offset int64, size int) {
	if r.Match == "" {
		r.Name = a.names.Next(&r)
	}
	e := newEntry(infoOf(r), offset, size)
	info, number := e.info(), a.removed+len(a.entries) // its strings are parts of e
	a.entries = append(a.entries, e)
	a.byID[info.ID] = number
	if info.Record != "" && r.Name == "" {
		a.byID[info.Record] = number
	}
	for _, seat := range info.Seats {
		addNumber(a.byPlayer, seat.Player, number)
	}
	addNumber(a.byGame, info.Game, number)
	n := max(1, r.Repetition)
	r.Repetition = 1
	first := r.Identity()
	if known, ok := a.byID[first]; n > 1 || !ok || known != number || a.path == "" {
		a.repetitions[first] = max(a.repetitions[first], n)
	}
}

// entry returns the entry with an id; ok is false if there is none. The caller
// holds mu.
func (a *Archive) entry(id string) (e entry, line []byte, ok bool) {
	number, ok := a.byID[id]
	if !ok {
		return "", nil, false
	}
	if a.path == "" {
		line = a.lines[number-a.removed]
	}
	return a.entries[number-a.removed], line, true
}

// Next returns the repetition that a match is now, and counts it.
func (a *Archive) Next(r record.Record) int {
	r.Repetition = 1
	first := r.Identity()
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.byID[first]; ok {
		a.repetitions[first] = max(a.repetitions[first], 1)
	}
	a.repetitions[first]++
	return a.repetitions[first]
}

// infoOf describes a finished match to everybody.
func infoOf(r record.Record) remote.MatchInfo {
	r = remote.Public(r)
	info := remote.MatchInfo{ID: cmp.Or(r.Match, r.Called()), Game: r.Game, State: remote.Over, Record: r.ID}
	if r.Error != "" {
		info.State, info.Detail, info.Record = remote.Void, r.Error, ""
	}
	info.Started, _ = time.Parse(time.RFC3339, r.Started) // of a record that umpire has written
	info.Steps = len(r.Events)
	for i, s := range r.Seats {
		left := remote.BudgetOf(r.Limits).Left(s.Kind, time.Duration(s.ChargedUS)*time.Microsecond, 0)
		info.Seats = append(info.Seats, remote.SeatSeen{Seat: i + 1, Player: s.Bot, Kind: s.Kind, Verdict: s.Verdict, LeftMS: left})
	}
	if r.Error == "" {
		info.Results = remote.ResultsOf(r)
	}
	return info
}

// Find returns what is known of a finished match; ok is false if there is none
// with the id.
func (a *Archive) Find(id string) (info remote.MatchInfo, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e, _, ok := a.entry(id)
	if !ok {
		return info, false
	}
	return e.info(), true
}

// Position returns the number of the match with an id, or with "" the number that
// the next match will have; ok is false if there is none with the id.
func (a *Archive) Position(id string) (number int, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if id == "" {
		return a.removed + len(a.entries), true
	}
	number, ok = a.byID[id]
	return number, ok
}

// Before yields the finished matches with numbers below end, newest first: those
// of a player and of a game, unless they are "". Others may be among them if both
// are given.
func (a *Archive) Before(end int, player, game string) iter.Seq[remote.MatchInfo] {
	a.mu.Lock()
	entries, removed := a.entries, a.removed // entries are only added to, and cut
	listed := a.byPlayer[player]             // and so are the lists
	if game != "" && (player == "" || len(a.byGame[game]) < len(listed)) {
		listed = a.byGame[game]
	}
	a.mu.Unlock()
	return func(yield func(remote.MatchInfo) bool) {
		next := func(number int) bool { return number >= removed && yield(entries[number-removed].info()) }
		if player == "" && game == "" {
			for number := end - 1; next(number); number-- {
			}
			return
		}
		n, _ := slices.BinarySearch(listed, uint32(end))
		for _, number := range slices.Backward(listed[:n]) {
			if !next(int(number)) {
				return
			}
		}
	}
}

// Record reads the record of a finished match; ok is false if there is none
// with the id.
func (a *Archive) Record(id string) (r record.Record, ok bool, err error) {
	a.mu.Lock()
	e, line, ok := a.entry(id)
	a.mu.Unlock()
	if !ok {
		return r, false, nil
	}
	if a.path != "" {
		offset, size := e.line()
		line = make([]byte, size)
		if _, err := a.file.ReadAt(line, offset); err != nil {
			return r, true, fmt.Errorf("%s: read the record at byte %d: %w", a.file.Name(), offset, err)
		}
	}
	if err = json.Unmarshal(line, &r); err != nil || r.Match != e.info().ID && (r.Match != "" || !r.IsCalled(e.info().ID)) {
		return r, true, fmt.Errorf("found no longer the record of match %s: %w", id, cmp.Or(err, errors.New("it is another one")))
	}
	return r, true, nil
}
