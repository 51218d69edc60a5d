package tournament

import (
	"path/filepath"

	"umpire/referee/program"
)

// Locate makes paths relative to Folder usable from the working directory. A
// Folder that does not exist, such as one of another machine, is ignored.
func (c *Config) Locate() {
	if c.Folder != "" && !program.Exists(c.Folder) {
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
	if file := at(c.Folder, c.Case); c.Case != "" && program.Exists(file) {
		c.Case = file
	}
}

// RunFolder returns the run folder that Output names; "" if Output is empty.
func (c *Config) RunFolder() string {
	if c.Output == "" || c.Folder == "" {
		return c.Output
	}
	return at(c.Folder, c.Output)
}

// Fix makes the configuration's paths, which are relative to the working
// directory, absolute. The language table becomes the one kept in the run
// folder.
func (c *Config) Fix(runFolder string) {
	c.Folder = at("", c.Folder)
	if c.Cases != "" {
		c.Cases = at("", c.Cases)
	}
	if c.Case != "" && program.Exists(c.Case) {
		c.Case = at("", c.Case)
	}
	if c.Languages != "" {
		c.Languages = at(runFolder, LanguagesFile)
	}
}

// at returns a path relative to a folder; "" is the working directory.
func at(folder, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
