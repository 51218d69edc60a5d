package cli

import (
	"slices"

	"github.com/urfave/cli/v2"
)

func compressFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "compress", Usage: "compress the results when the run ends: results.jsonl.zst, which every command reads; until then they take ten times the room"}}
}

// picturesFlag is a flag of the commands that play many matches.
func picturesFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{
		Name: "pictures", Usage: "keep what the judge of a game of one's own draws, and what it says of positions and of what replies are worth",
	}}
}

func isPictures(f cli.Flag) bool { return slices.Contains(f.Names(), "pictures") }

// checkCompress refuses --compress where no results are written.
func checkCompress(c *cli.Context) error {
	if c.Bool("compress") && c.String("o") == "" {
		return usagef("--compress: found no -o DIR, in which the results would be compressed")
	}
	return nil
}
