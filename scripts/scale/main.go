//go:build linux

// Command scale measures what tournaments of very many bots and matches take,
// with results that are drawn instead of played, and how well a Swiss tournament
// ranks.
//
//	go run ./scripts/scale swiss -bots 10000 -rounds 20
//	go run ./scripts/scale queue -matches 1000000
//	go run ./scripts/scale fleet -matches 1000000
//	go run ./scripts/scale slots -workers 1000 -slots 16 -match 4s
//	go run ./scripts/scale model -help
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"umpire/referee/procfs"
)

func main() {
	commands := map[string]func(args []string) error{"swiss": swiss, "queue": queue, "fleet": fleetRun, "slots": slotsRun, "model": model}
	err := errors.New("expected swiss, queue, fleet, slots or model")
	if len(os.Args) > 1 && commands[os.Args[1]] != nil {
		err = commands[os.Args[1]](os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// peak returns the most memory that this process has had so far.
func peak() string {
	return strings.Join(strings.Fields(procfs.Value("/proc/self/status", "VmHWM")), " ")
}
