//go:build ignore

// What a judge says to umpire and hears from it: see `umpire help topic own-games`.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

var (
	seats int      // of the match
	seed  uint64   // to draw from, and from nothing else
	given []string // the lines of the case

	in  = bufio.NewReader(os.Stdin)
	out = bufio.NewWriter(os.Stdout)
)

func tell(words ...any) { fmt.Fprintln(out, words...) }

func hear() string {
	out.Flush()
	line, err := in.ReadString('\n')
	if err != nil {
		os.Exit(0)
	}
	return strings.TrimSuffix(line, "\n")
}

func begin() {
	var lines int
	fmt.Sscanf(hear(), "match 1 %d %d %d", &seats, &seed, &lines)
	for range lines {
		given = append(given, hear())
	}
}

func each(verb, text string) { tell(verb, strings.ReplaceAll(text, "\n", "\n"+verb+" ")) }

func show(text string)             { each("show", text) }
func showTo(seat int, text string) { each(fmt.Sprint("show-to ", seat), text) }
func svg(text string)              { tell("svg", text) }
func note(text string)             { each("note", text) }
func say(seat int, text string)    { each(fmt.Sprint("say ", seat), text) }
func foul(seat int, why string)    { tell("foul", seat, why) }
func refuse(line int, why string)  { tell("refuse", line, why); hear() }

// choice says what a seat may reply, before it is asked.
func choice(seat int, reply any) { tell("choice", seat, reply) }

// ask asks a seat; ok is false if it has failed. For several: tell("ask", 1, 2), and heard for each.
func ask(seat int) (reply string, ok bool) { tell("ask", seat); return heard(seat) }

func heard(seat int) (reply string, ok bool) {
	return strings.CutPrefix(hear(), fmt.Sprintf("reply %d ", seat))
}

// end ends the match: a score for each seat, higher is better.
func end(scores ...any) { tell(append([]any{"end"}, scores...)...); out.Flush(); os.Exit(0) }
