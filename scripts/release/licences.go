package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceName is how files are called that say under which terms the code beside them
// and below may be given on.
var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|patents)([-_.].*)?$`)

// licences returns the terms of all code of others that the program for a platform has
// in it. A module without any is an error.
func (s *source) licences(platform string) ([]byte, error) {
	goos, arch, _ := strings.Cut(platform, "/")
	c := exec.Command("go", "list", "-deps", "-json=Dir,Module,Standard", ".")
	c.Dir, c.Env, c.Stderr = s.dir, environment(goos, arch), os.Stderr
	list, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages for %s: %w", platform, err)
	}
	goRoot, err := output(s.dir, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	titles := map[string]string{filepath.Join(goRoot, "LICENSE"): "Go, its runtime and standard library, and the script that runs umpire.html: LICENSE"}
	found := map[string]bool{} // by module
	for packages := json.NewDecoder(bytes.NewReader(list)); ; {
		var p struct {
			Dir      string
			Standard bool
			Module   *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := packages.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		module := p.Module.Path + " " + p.Module.Version
		found[module] = found[module] || false
		for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
			names, err := os.ReadDir(dir)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				if name.Type().IsRegular() && licenceName.MatchString(name.Name()) && !strings.HasSuffix(name.Name(), ".go") {
					path := filepath.Join(dir, name.Name())
					titles[path] = module + ": " + strings.TrimPrefix(path, p.Module.Dir+string(filepath.Separator))
					found[module] = true
				}
			}
		}
	}
	for module, ok := range found {
		if !ok {
			err = errors.Join(err, fmt.Errorf("%s: found no licence", module))
		}
	}
	if err != nil {
		return nil, err
	}
	return joinTexts(titles)
}

// joinTexts returns the contents of files, each below its title, in the order of titles.
func joinTexts(titles map[string]string) ([]byte, error) {
	var paths []string
	for path := range titles {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(titles[a], titles[b]) })
	var all bytes.Buffer
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		line := strings.Repeat("=", 80)
		fmt.Fprintf(&all, "%s\n%s\n%s\n\n%s\n\n", line, titles[path], line, bytes.TrimSpace(text))
	}
	return all.Bytes(), nil
}
