package serve

import (
	"slices"

	"umpire/referee/remote"
)

// conceals reports whether onlookers may not see yet what was played in a match of a game
// with hidden hands: before it is over, or where others may be played on the same deal.
func conceals(s *Server, info remote.MatchInfo) bool {
	g, err := s.game(info.Game)
	return err == nil && g.Hidden && (s.Several || isCurrent(info))
}

// concealed is why what was played in a match that is over is not shown; nil if it is.
func concealed(s *Server, info remote.MatchInfo) error {
	if isCurrent(info) || !conceals(s, info) {
		return nil
	}
	return failed(codeRunning, "hands are hidden in this game: what was played can be seen when all matches of this run are over")
}

// told is what onlookers are told of a match: the words of failures quote replies.
func told(s *Server, info remote.MatchInfo) remote.MatchInfo {
	if conceals(s, info) {
		info.Record, info.Results = "", slices.Clone(info.Results)
		for i := range info.Results {
			info.Results[i].Detail = ""
		}
	}
	return info
}
