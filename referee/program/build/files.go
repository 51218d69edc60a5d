package build

import (
	"context"
	"io/fs"
	"os"
)

// File is a file that a bot is made of.
type File struct {
	Name string      `json:"name"` // relative to its folder, with slashes
	Mode fs.FileMode `json:"mode"`
	Data []byte      `json:"data"`
}

// ReadFiles reads the file or the folder that a bot is made of. The sum is Program.Source
// of a program made of it.
func ReadFiles(ctx context.Context, path string) (list []File, folder bool, sum string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, "", err
	}
	read := readFile
	if info.IsDir() {
		read = readFolder
	}
	s, err := Await(ctx, func() (source, error) { return read(ctx, path) })
	return s.files, info.IsDir(), s.digest(), err
}
