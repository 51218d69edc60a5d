package cms

import (
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
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
	task   *ast.File
	values written
	name   string // of the task
}

// wrong is a mistake in task.yaml, at a key.
func (f *folder) wrong(key, format string, args ...any) error {
	return f.Mistake(Marker, f.lineOf(key), format, args...)
}

// lineOf is the line of a key of task.yaml.
func (f *folder) lineOf(key string) int {
	if p, err := yaml.PathString("$." + key); err == nil && f.task != nil {
		if node, err := p.FilterFile(f.task); err == nil && node.GetToken() != nil {
			return node.GetToken().Position.Line
		}
	}
	return 1
}
