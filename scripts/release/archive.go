package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"umpire/referee/report/browser"
	"umpire/referee/report/browser/compile"
)

// file is a file of an archive.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// ownFiles returns what stands beside the binary on all platforms: texts of the
// repository, and what the program writes itself.
func (s *source) ownFiles() (files []file, err error) {
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE"} {
		data, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, data, 0o644})
	}
	here, _, err := s.build(runtime.GOOS+"/"+runtime.GOARCH, true)
	if err != nil {
		return nil, err
	}
	for _, written := range []struct{ name, command string }{
		{"umpire.1", "man"}, {"completion/umpire.bash", "completion bash"},
		{"completion/_umpire", "completion zsh"}, {"completion/umpire.fish", "completion fish"},
	} {
		text, err := output("", here, strings.Fields(written.command)...)
		if err != nil {
			return nil, err
		}
		files = append(files, file{written.name, []byte(text + "\n"), 0o644})
	}
	page, err := s.page()
	if err != nil {
		return nil, err
	}
	return append(files, file{browser.PageName, page, 0o644}), nil
}

// page returns the page that shows results in a browser.
func (s *source) page() ([]byte, error) {
	page, err := compile.Page(context.Background(), s.dir, environment("js", "wasm"), s.version)
	if err == nil && len(page) > browser.MaxPage {
		err = fmt.Errorf("%s has %d bytes, expected at most %d", browser.PageName, len(page), int(browser.MaxPage))
	}
	return page, err
}

// archive writes the archive of a platform, and returns its name.
func (s *source) archive(out, platform string, own []file) (string, error) {
	binary, _, err := s.build(platform, true)
	if err != nil {
		return "", err
	}
	code, err := os.ReadFile(binary)
	if err != nil {
		return "", err
	}
	licences, err := s.licences(platform)
	if err != nil {
		return "", err
	}
	goos, arch, _ := strings.Cut(platform, "/")
	top := fmt.Sprintf("umpire-%s-%s-%s", s.version, goos, arch)
	name, program, write := top+".tar.gz", "umpire", writeTar
	if goos == "windows" {
		name, program, write = top+".zip", "umpire.exe", writeZip
	}
	files := append([]file{{program, code, 0o755}, {"THIRD_PARTY_LICENSES", licences, 0o644}}, own...)
	f, err := os.Create(filepath.Join(out, name))
	if err != nil {
		return "", err
	}
	return name, errors.Join(write(f, top, files, s.date), f.Close())
}

// writeTar writes files below a folder. Nothing of the machine, of its user or of the
// present gets into it.
func writeTar(w io.Writer, top string, files []file, date time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		err := archive.WriteHeader(&tar.Header{Name: top + "/" + f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: date, Format: tar.FormatUSTAR})
		if err == nil {
			_, err = archive.Write(f.data)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// writeZip is writeTar in the form that Windows opens.
func writeZip(w io.Writer, top string, files []file, date time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode)
		out, err := archive.CreateHeader(h)
		if err == nil {
			_, err = out.Write(f.data)
		}
		if err != nil {
			return err
		}
	}
	return archive.Close()
}
