package cms

import (
	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/yamlfile"
)

// Marker is the file that makes a folder a package.
const Marker = "task.yaml"

// written holds the keys of task.yaml that are read. All others describe the task.
type written struct {
	Name        string   `yaml:"name"`
	OldName     string   `yaml:"nome_breve"`
	Title       string   `yaml:"title"`
	OldTitle    string   `yaml:"nome"`
	Time        *float64 `yaml:"time_limit"`
	OldTime     *float64 `yaml:"timeout"`
	Memory      *float64 `yaml:"memory_limit"`
	OldMemory   *float64 `yaml:"memlimit"`
	Inputs      *int     `yaml:"n_input"`
	Total       *float64 `yaml:"total_value"`
	OutputOnly  bool     `yaml:"output_only"`
	TaskType    string   `yaml:"task_type"`
	ScoreType   string   `yaml:"score_type"`
	Processes   *int     `yaml:"num_processes"`
	UserIO      string   `yaml:"user_io"`
	Compilation string   `yaml:"compilation"`
}

// folder is a package that is being read.
type folder struct {
	*tree.Tree
	*problem.Problem
	task   *yamlfile.File
	values written
	name   string // of the task
}

// wrong is a mistake in task.yaml, at a key.
func (f *folder) wrong(key, format string, args ...any) error {
	return f.Mistake(Marker, f.task.Line(key), format, args...)
}
