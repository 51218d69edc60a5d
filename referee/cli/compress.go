package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
)

func compressCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "compress", Usage: "compress results files; --decompress undoes it",
		ArgsUsage: "FILE...",
		Description: `Each FILE, a results file or a run folder, is replaced by FILE.zst, about a tenth of the size,
which every command reads. The format is zstd's: zstdcat prints it. - compresses standard input
to standard output.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "decompress", Aliases: []string{"d"}, Usage: "replace each FILE.zst by FILE"},
			&cli.BoolFlag{Name: "quiet", Usage: "print nothing"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 {
				return usagef("found no file, expected `umpire compress FILE...` (- is standard input)")
			}
			for _, name := range c.Args().Slice() {
				if err := runCompress(a, c.Context, name, c.Bool("decompress"), c.Bool("quiet")); err != nil {
					return usage(err)
				}
			}
			return nil
		},
	}
}

// runCompress compresses or decompresses one results file.
func runCompress(a *app, ctx context.Context, name string, undo, quiet bool) error {
	if name == "-" {
		return compressInput(a, undo)
	}
	from, err := record.Resolve(name)
	if err != nil {
		return err
	}
	before, err := os.Stat(from)
	if err != nil {
		return err
	}
	to := ""
	if undo {
		to, err = record.DecompressFile(ctx, from, false)
	} else {
		to, err = record.CompressFile(ctx, from)
	}
	if errors.Is(err, record.ErrTorn) {
		return usagef("%s: its end is cut off, so it stays compressed; `umpire compress -d -` prints what can be read of it", from)
	}
	if err != nil {
		return err
	}
	after, err := os.Stat(to)
	if err == nil && !quiet {
		a.printf("%s: %d bytes; it was %d\n", to, after.Size(), before.Size())
	}
	return err
}

// compressInput compresses or decompresses standard input to standard output.
func compressInput(a *app, undo bool) error {
	in, err := a.files.Open("-")
	if err != nil {
		return err
	}
	defer in.Close()
	if undo {
		_, err = io.Copy(a.stdout, in)
		return err
	}
	return record.Compress(a.stdout, in)
}
