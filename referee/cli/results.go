package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
)

func compressFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "compress", Usage: "compress the results: results.jsonl.zst, which every command reads"}}
}

// checkCompress refuses --compress where no results are written.
func checkCompress(c *cli.Context) error {
	if c.Bool("compress") && c.String("o") == "" {
		return usagef("--compress: found no -o DIR, in which the results would be compressed")
	}
	return nil
}

// resultsIn returns the results file of a run folder; any other name is
// unchanged, and so is that of a folder with two results files, which can't be
// opened.
func resultsIn(name string) string {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if path, err := record.ResultsIn(name); err == nil {
			return path
		}
	}
	return name
}

// openRecords opens a results file, compressed or not; "-" is standard input.
func (a *app) openRecords(name string) (io.ReadCloser, error) {
	if name != "-" {
		return record.Open(name)
	}
	in, err := record.NewReader(a.in)
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	return in, nil
}
