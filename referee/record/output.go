package record

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files by which a folder of umpire's own is known, beside its results file.
const (
	RunConfigFile = "tournament.yaml" // of a tournament
	RunInfoFile   = "run.json"        // likewise
	SiteMarker    = ".umpire-report"  // of a report
)

// IsOutput reports whether a folder is one that umpire has written: a tournament, other
// results, or a report.
func IsOutput(dir string) bool {
	has := func(name string) bool { return exists(filepath.Join(dir, name)) }
	return has(SiteMarker) || has(RunConfigFile) && has(RunInfoFile) || has(ResultsFile+CompressedSuffix) || has(ResultsFile+gzipSuffix) ||
		beginsWithRecord(filepath.Join(dir, ResultsFile))
}

// IsOutputOf reports whether a file or folder of a folder that IsOutput is there since umpire
// wrote results among other files.
func IsOutputOf(name string) bool {
	return strings.HasPrefix(name, ResultsFile) || slices.Contains([]string{RunConfigFile, RunInfoFile, "languages.yaml", "stderr", "fleet"}, name)
}

// beginsWithRecord reports whether a results file is there, and begins as umpire's do or is
// empty: others may have files of that name.
func beginsWithRecord(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin, err := io.ReadAll(io.LimitReader(f, 5))
	return err == nil && (len(begin) == 0 || bytes.Equal(begin, []byte(`{"v":`)))
}
