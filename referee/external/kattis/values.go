package kattis

import (
	"fmt"
	"strings"
)

// wordsOf are the words of a type: one, several, or a list.
func wordsOf(value any) (words []string) {
	switch v := value.(type) {
	case string:
		return strings.Fields(v)
	case []any:
		for _, one := range v {
			words = append(words, fmt.Sprint(one))
		}
	case nil:
	default:
		words = append(words, fmt.Sprint(v))
	}
	return words
}

// listOf are arguments, given as a list or as words.
func listOf(value any) (args []string, err error) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			switch one.(type) {
			case map[string]any, []any, nil:
				return nil, fmt.Errorf("found %v, expected a list of words such as [a, b]", one)
			}
			args = append(args, fmt.Sprint(one))
		}
		return args, nil
	case map[string]any:
		return nil, fmt.Errorf("found a map, expected a list of words such as [a, b]")
	case string:
		return strings.Fields(v), nil
	}
	return []string{fmt.Sprint(value)}, nil
}
