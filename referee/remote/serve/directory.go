package serve

import (
	"iter"
	"slices"

	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/archive"
	"umpire/referee/remote/house"
)

// directory finds matches, and knows what onlookers may be told of these.
type directory struct {
	hub     *remote.Hub
	archive *archive.Archive
	games   house.Games
	several bool // matches may be on the same deal
	shared  bool // others are to play the cases of matches that are over
}

// list yields the matches that are known, newest first, from the one after
// match before on, if that is not ""; ok is false if there is no such match. Finished
// matches of others than a player, a game and a state may be left out, unless these are "".
func (d *directory) list(before, player, game string, state remote.State) (list iter.Seq[remote.MatchInfo], ok bool) {
	var tables []remote.MatchInfo
	known := make(map[string]bool)
	for _, t := range d.hub.Tables() {
		info := d.told(t.Info())
		known[info.ID] = true
		tables = append(tables, info)
	}
	end, ok := d.archive.Position(before)
	if i := slices.IndexFunc(tables, func(m remote.MatchInfo) bool { return m.ID == before }); i >= 0 {
		tables = tables[i+1:]
		end, ok = d.archive.Position("")
	} else if before != "" {
		tables = nil
	}
	return func(yield func(remote.MatchInfo) bool) {
		for _, info := range tables {
			if !yield(info) {
				return
			}
		}
		if isCurrent(remote.MatchInfo{State: state}) {
			return // none of these are finished
		}
		for info := range d.archive.Before(end, player, game) {
			if !known[info.ID] && !yield(d.told(info)) {
				return
			}
		}
	}, ok
}

// match finds a match by its id or that of its record.
func (d *directory) match(id string) (remote.MatchInfo, error) {
	if t := d.hub.Table(id); t != nil {
		return d.told(t.Info()), nil
	}
	if info, ok := d.archive.Find(id); ok {
		return d.told(info), nil
	}
	return remote.MatchInfo{}, failed(codeMatch, "there is no match "+remote.Quote(id))
}

func isCurrent(m remote.MatchInfo) bool {
	return m.State == remote.Waiting || m.State == remote.Running
}

// conceals reports whether onlookers may not see yet what was played in a match: of a game
// with hidden hands before it is over, or where others may be played on the same deal; of any
// where others are to play the same case.
func (d *directory) conceals(info remote.MatchInfo) bool {
	g, err := d.games.Find(info.Game)
	return d.shared || err == nil && g.Hidden && (d.several || isCurrent(info))
}

// concealed is why what was played in a match that is over is not shown; nil if it is.
func (d *directory) concealed(info remote.MatchInfo) error {
	switch {
	case isCurrent(info) || !d.conceals(info):
		return nil
	case d.shared:
		return failed(codeRunning, "others have to play this case, too: what was played can be seen when all matches of this run are over")
	}
	return failed(codeRunning, "hands are hidden in this game: what was played can be seen when all matches of this run are over")
}

// told removes from a match what onlookers may not know of it yet: the words of failures
// quote replies.
func (d *directory) told(info remote.MatchInfo) remote.MatchInfo {
	if d.conceals(info) {
		info.Record, info.Results = "", slices.Clone(info.Results)
		for i := range info.Results {
			info.Results[i].Detail = ""
		}
	}
	return info
}

// viewer is the viewer of a game; nil if it has none.
func (d *directory) viewer(game string) []byte {
	g, _ := d.games.Find(game)
	return g.Viewer
}

// record reads the record of a finished match.
func (d *directory) record(id string) (record.Record, error) {
	found, ok, err := d.archive.Record(id)
	if err == nil && !ok {
		err = failed(codeMatch, "there is no record of this match")
	}
	return found, err
}
