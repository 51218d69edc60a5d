package talk

import (
	"fmt"
	"strings"

	"umpire/protocols"
)

// Compare returns an error if a judge, heard again, does not say what it said before.
// What it shows is not compared.
func Compare(again, before string) error {
	now, then := rulings(again), rulings(before)
	for i := range max(len(now), len(then)) {
		said := func(lines []string) string {
			if i < len(lines) {
				return protocols.Quote(lines[i])
			}
			return "nothing more"
		}
		if said(now) != said(then) {
			return fmt.Errorf("talk: found %s, the judge says %s now", said(then), said(now))
		}
	}
	return nil
}

// rulings returns the lines of a talk by which a match goes on.
func rulings(talk string) (list []string) {
	for line := range strings.SplitSeq(talk, "\n") {
		switch verb, _, _ := strings.Cut(line, " "); verb {
		case "say", "choice", "ask", "foul", "place", "end":
			list = append(list, line)
		}
	}
	return list
}

// Until returns the lines of a talk up to that which asks for an answer, counted from 0; all
// if it asks for no such.
func Until(talk string, answer int) string {
	end := 0
	for line := range strings.Lines(talk) {
		end += len(line)
		if seats, asks := strings.CutPrefix(line, "ask "); asks {
			if answer -= len(strings.Fields(seats)); answer < 0 {
				return talk[:end]
			}
		}
	}
	return talk
}
