package kattis

import (
	"errors"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
)

// Marker is the file that makes a folder a package.
const Marker = "problem.yaml"

// folder is a package that is being read: its files, and the problem that they make.
type folder struct {
	*tree.Tree
	problem *problem.Problem
}

// decode reads a YAML file.
func (f *folder) decode(name string, to any) error {
	text, err := f.Text(name)
	if err != nil {
		return err
	}
	if err := tree.DecodeYAML(text, to); err != nil {
		return f.yamlMistake(name, err)
	}
	return nil
}

// lineIn is the first line of a file that begins with a key; 0 if there is none.
func (f *folder) lineIn(name, key string) int {
	text, _ := f.Text(name)
	for n, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " -\"'"), key) {
			return n + 1
		}
	}
	return 0
}

// yamlMistake is an error of the YAML reader, with its line.
func (f *folder) yamlMistake(name string, err error) error {
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		return f.Mistake(name, wrong.Token.Position.Line, "found %q, expected %s", wrong.Token.Value, kindOf(wrong.DstType))
	}
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		return f.Mistake(name, at.GetToken().Position.Line, "%s", at.GetMessage())
	}
	return f.Mistake(name, 0, "%w", err)
}

// kindOf names the kind of value that a type is read from.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64, reflect.Int:
		return "a number"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	}
	return "a map of keys and values"
}
