package build

import (
	"errors"
	"fmt"
	"strings"
)

// SplitWords splits a command line into words as a shell does, with quotes and
// backslashes but no other shell syntax.
func SplitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case ch == '\\' && !isEscape(text[i+1:]):
			word.WriteByte(ch)
			inWord = true
		case quote == '\'' && ch != '\'', quote == '"' && ch != '"' && ch != '\\':
			word.WriteByte(ch)
		case quote != 0 && ch == quote:
			quote = 0
		case ch == '\\':
			if i++; i == len(text) {
				return nil, errors.New("ends with a backslash")
			}
			if quote == '"' && text[i] != '"' && text[i] != '\\' && text[i] != '$' && text[i] != '`' {
				word.WriteByte('\\')
			}
			word.WriteByte(text[i])
			inWord = true
		case ch == '\'' || ch == '"':
			quote, inWord = ch, true
		case ch == ' ' || ch == '\t' || ch == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteByte(ch)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("has an unclosed quote %c", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("contains no command")
	}
	return words, nil
}
