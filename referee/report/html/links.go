package html

import (
	"fmt"
	"net/url"

	"umpire/referee/standings"
)

// viewerName is the file of a site's viewer.
const viewerName = "viewer.html"

// pairsName is the page that compares two bots, which its address names as in #1,2.
const pairsName = "pairs.html"

// rowsOf is the row of each bot in the standings, by the name that is shown.
func rowsOf(of *standings.Standings) map[string]int {
	rows := make(map[string]int, len(of.Rows))
	for i, row := range of.Rows {
		rows[row.Bot] = i
	}
	return rows
}

// botLink is the page of the bot in that row of the standings.
func botLink(row int) string { return fmt.Sprintf("bots/%d.html", row+1) }

// caseLink lists the matches of a row of the standings on a case.
func caseLink(root string, row int, name string) string {
	return fmt.Sprintf("%smatches.html#bot=%d&case=%s", root, row+1, url.QueryEscape(name))
}

// pairLink compares two rows of the standings.
func pairLink(root string, row, opponent int) string {
	return fmt.Sprintf("%s%s#%d,%d", root, pairsName, row+1, opponent+1)
}

// listName is the name of the n-th page that lists matches, from 1.
func listName(n int) string {
	if n == 1 {
		return "matches.html"
	}
	return fmt.Sprintf("matches-%d.html", n)
}
