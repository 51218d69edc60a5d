package html

import (
	"bytes"
	"fmt"
	"html/template"
	"math"

	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
)

// pairsName is the page that compares two bots, which its address names as in #1,2.
const pairsName = "pairs.html"

// compared is the data of that page.
type compared struct {
	listed
	Sure [][3]int `json:"sure"` // two rows of the standings, and the likelihood that the first is the stronger bot, in thousandths
}

// pairsView is that page.
type pairsView struct {
	chrome
	Data template.HTML
	More int // the page knows as many matches; 0: all
}

// pairLink compares two rows of the standings.
func pairLink(root string, row, opponent int) string {
	return fmt.Sprintf("%s%s#%d,%d", root, pairsName, row+1, opponent+1)
}

// writePairs writes the page that compares two bots by the matches of a list.
func (s *Site) writePairs(list listed, matches int) error {
	data := compared{listed: list}
	place := make(map[string]int)
	for i, row := range s.table.Rows {
		place[row.Bot] = i
	}
	for _, p := range s.table.Pairs {
		if sure, ok := s.view.Superior(p); ok {
			data.Sure = append(data.Sure, [3]int{place[p.Bot], place[p.Opponent], int(math.Round(1000 * sure))})
		}
	}
	packed, err := page.Pack(data)
	if err != nil {
		return err
	}
	v := pairsView{chrome: s.newChrome("Head to head", "", page.Style()+siteText, page.UnpackScript(), listText, pairsText), Data: packed}
	v.Policy += "; " + replay.FramePolicy
	if matches < s.Matches() {
		v.More = matches
	}
	var b bytes.Buffer
	if err := sitePages().ExecuteTemplate(&b, "pairs", v); err != nil {
		return err
	}
	return s.write(pairsName, b.Bytes())
}
