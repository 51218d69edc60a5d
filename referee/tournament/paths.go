package tournament

import (
	"os"
	"path/filepath"
)

// Locate makes paths that begin at Folder such as can be used from the working
// directory. A folder that is not there, as of another machine, is none.
func (c *Config) Locate() {
	if c.Folder != "" && !exists(c.Folder) {
		c.Folder = ""
	}
	if c.Folder == "" {
		return
	}
	for _, p := range []*string{&c.Cases, &c.Languages} {
		if *p != "" {
			*p = at(c.Folder, *p)
		}
	}
	if file := at(c.Folder, c.Case); c.Case != "" && exists(file) {
		c.Case = file
	}
}

// RunFolder is the run folder that Output names; "" if it names none.
func (c *Config) RunFolder() string {
	if c.Output == "" || c.Folder == "" {
		return c.Output
	}
	return at(c.Folder, c.Output)
}

// Fix makes the configuration's paths, which begin at the working directory,
// absolute. Its language table is the one kept in the run folder.
func (c *Config) Fix(runFolder string) {
	c.Folder = at("", c.Folder)
	if c.Cases != "" {
		c.Cases = at("", c.Cases)
	}
	if c.Case != "" && exists(c.Case) {
		c.Case = at("", c.Case)
	}
	if c.Languages != "" {
		c.Languages = at(runFolder, LanguagesFile)
	}
}

// at is a path as seen from a folder; "" is the working directory.
func at(folder, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
