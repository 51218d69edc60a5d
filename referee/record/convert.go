package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AppendIn opens the results file of a folder to add records, like Append. What
// is compressed there is decompressed first. With compress, and where the folder
// held compressed results, Finish compresses the file when all has been written.
func AppendIn(ctx context.Context, dir string, compress bool) (*Writer, error) {
	path, err := ResultsIn(dir)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, gzipSuffix) {
		return nil, fmt.Errorf("%s: nothing can be added to what gzip has compressed: gunzip it first", path)
	}
	if strings.HasSuffix(path, CompressedSuffix) {
		compress = true
		if path, err = DecompressFile(ctx, path, true); err != nil {
			return nil, err
		}
	}
	w, err := Append(path)
	if err != nil {
		return nil, err
	}
	if compress {
		w.compressed = path
	}
	return w, nil
}

// Finish closes the file and, if AppendIn was asked for it, compresses it; the
// results stay as they are if ctx has ended or it fails.
func (w *Writer) Finish(ctx context.Context) error {
	if err := w.Close(); err != nil || w.compressed == "" || ctx.Err() != nil {
		return err
	}
	if _, err := CompressFile(ctx, w.compressed); err != nil {
		return fmt.Errorf("compress %w; the results stay uncompressed", err)
	}
	return nil
}

// CompressFile replaces a results file by a compressed one, whose name has
// CompressedSuffix added. A file that begins with anything but a record stays as it is.
func CompressFile(ctx context.Context, path string) (compressed string, err error) {
	if strings.HasSuffix(path, CompressedSuffix) || strings.HasSuffix(path, gzipSuffix) {
		return "", fmt.Errorf("%s is compressed already", path)
	}
	compressed = path + CompressedSuffix
	return compressed, replaceFile(ctx, path, compressed, func(out io.Writer, in io.Reader) error {
		if err := checkFirst(path); err != nil {
			return err
		}
		if err := removeTwin(path); err != nil {
			return err
		}
		return Compress(out, in)
	})
}

// checkFirst returns an error if the first line of a file is no record.
func checkFirst(path string) error {
	in, err := Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	for line, err := range Lines(path, in) {
		if err == nil {
			_, err = line.Record()
		}
		if reason := errors.Unwrap(err); reason != nil {
			err = fmt.Errorf("its first line is not a match record: %w", reason)
		}
		return err
	}
	return nil
}

// DecompressFile replaces a compressed results file, whose name ends with
// CompressedSuffix, by one that is not compressed, and holds the records of its
// tail. If its end is cut off, the new file has what can be read if torn says so;
// otherwise the old one stays, and the error is an ErrTorn.
func DecompressFile(ctx context.Context, path string, torn bool) (plain string, err error) {
	plain, ok := strings.CutSuffix(path, CompressedSuffix)
	if !ok {
		return "", fmt.Errorf("%s: expected a name that ends with %s", path, CompressedSuffix)
	}
	if exists(plain) { // an earlier attempt was killed before it removed the old file
		return plain, removeTwin(plain)
	}
	return plain, replaceFile(ctx, path, plain, func(out io.Writer, in io.Reader) error {
		if err := checkCompressed(path); err != nil {
			return err
		}
		_, err := io.Copy(out, in)
		if torn && errors.Is(err, errTornFrame) {
			return nil
		}
		return err
	})
}

// checkCompressed returns an error if a file that is not empty is not compressed.
func checkCompressed(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	start := make([]byte, 4)
	if n, err := io.ReadFull(f, start); err != io.EOF && !IsCompressed(start[:n]) {
		return errors.New("is not compressed, whatever its name says")
	}
	return nil
}

// WithdrawnFile is the name of the file of records that count no more, beside the results.
const WithdrawnFile = "withdrawn.jsonl"

// Withdraw closes the file, moves the records of some workers from it to WithdrawnFile
// beside it, and opens it again. It returns how many there were. A death in between
// leaves the results as they were.
func (w *Writer) Withdraw(ctx context.Context, dir string, workers []string) (next *Writer, n int, err error) {
	if err := w.Close(); err != nil {
		return nil, 0, err
	}
	path := filepath.Join(dir, ResultsFile)
	if n, err = withdraw(ctx, path, filepath.Join(dir, WithdrawnFile), workers); err == nil {
		next, err = Append(path)
	}
	if err != nil {
		return nil, n, fmt.Errorf("withdraw records: %w", err)
	}
	next.compressed = w.compressed
	return next, n, nil
}

// withdraw moves the records of some workers from one file to the end of another.
func withdraw(ctx context.Context, path, to string, workers []string) (n int, err error) {
	from, err := openAlone(path, 0)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return 0, err
	}
	gone, err := Append(to)
	if err != nil {
		return 0, err
	}
	err = writeWhole(path, info.Mode().Perm(), func(out *os.File) error {
		for line, err := range Lines(path, untilDone{ctx, from}) {
			var r struct {
				Worker string `json:"worker"`
			}
			if err == nil {
				err = line.Decode(&r)
			}
			if err != nil {
				return err
			}
			in := appendable(out)
			if slices.Contains(workers, r.Worker) {
				in, n = gone.file, n+1
			}
			if _, err := in.Write(append(line.Bytes, '\n')); err != nil {
				return err
			}
		}
		return errors.Join(gone.Sync(), out.Sync(), closeBeforeChange(from))
	})
	return n, errors.Join(err, gone.Close())
}

// replaceFile replaces one file by another, which change makes from the first
// one's lines. At every moment one of them is whole: the new one appears when it
// is, and then the old one is removed. When ctx ends, the old one stays.
func replaceFile(ctx context.Context, from, to string, change func(out io.Writer, in io.Reader) error) error {
	locked, err := openAlone(from, 0)
	if err != nil {
		return err
	}
	defer locked.Close()
	info, err := locked.Stat()
	if err != nil {
		return err
	}
	err = writeWhole(to, info.Mode().Perm(), func(out *os.File) error {
		in, err := Open(from)
		if err != nil {
			return err
		}
		defer in.Close()
		return errors.Join(change(out, untilDone{ctx, in}), out.Sync())
	})
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return errors.Join(closeBeforeChange(locked), removeResults(from))
}

// untilDone reads until ctx ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (u untilDone) Read(buf []byte) (int, error) {
	if err := context.Cause(u.ctx); err != nil {
		return 0, err
	}
	return u.Reader.Read(buf)
}
