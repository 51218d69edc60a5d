package problem

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// maxAlternatives is how many patterns one with braces may stand for.
const maxAlternatives = 1000

// Glob is a pattern of paths, as in submissions.yaml of Kattis: * stands for anything but a
// slash, {a,b} for either, and nothing else is special.
type Glob []string

// ParseGlob reads a pattern.
func ParseGlob(pattern string) (Glob, error) {
	if strings.Contains(pattern, "**") {
		return nil, errors.New("** is not part of the format: expected * for each name of a path")
	}
	list, err := expand(pattern)
	if err != nil {
		return nil, err
	}
	escape := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `?`, `\?`)
	for i := range list {
		list[i] = escape.Replace(strings.Trim(list[i], "/"))
	}
	return list, nil
}

// expand returns the patterns without braces that one stands for.
func expand(pattern string) ([]string, error) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		if strings.Contains(pattern, "}") {
			return nil, errors.New("found } without {")
		}
		return []string{pattern}, nil
	}
	var parts []string
	depth, from, end := 0, open+1, -1
	for i := open; i < len(pattern) && end < 0; i++ {
		switch c := pattern[i]; {
		case c == '{':
			depth++
		case c == ',' && depth == 1:
			parts, from = append(parts, pattern[from:i]), i+1
		case c == '}':
			if depth--; depth == 0 {
				parts, end = append(parts, pattern[from:i]), i
			}
		}
	}
	if end < 0 {
		return nil, errors.New("found { without }")
	}
	var list []string
	for _, part := range parts {
		more, err := expand(pattern[:open] + part + pattern[end+1:])
		if list = append(list, more...); err != nil {
			return nil, err
		}
		if len(list) > maxAlternatives {
			return nil, errors.New("stands for more than 1000 patterns")
		}
	}
	return list, nil
}

// Matches reports whether it matches a path.
func (g Glob) Matches(name string) bool {
	return slices.ContainsFunc(g, func(pattern string) bool {
		is, _ := path.Match(pattern, name)
		return is
	})
}

// Covers reports whether it matches a path, or one that leads there.
func (g Glob) Covers(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if g.Matches(name) {
			return true
		}
	}
	return false
}
