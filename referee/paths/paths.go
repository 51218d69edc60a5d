// Package paths shows paths in texts as users typed them: a program's traces name
// the copy that was run, and compilers the folder that they ran in. It reads no
// files, and knows nothing of programs.
package paths

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Names says how files and folders are shown. The zero value shows all texts as
// they are.
type Names struct{ list []name }

type name struct{ path, shown string }

// Add has a file or folder shown under a name, and whatever is below it below that
// name; "" is the folder that names are relative to. What was added first counts,
// and a path counts before those that it lies below.
func (n *Names) Add(path, shown string) {
	if path == "" || path == "/" || path == shown {
		return
	}
	if strings.HasPrefix(path, "/") {
		n.list = append(n.list, name{"file://" + path, shown})
	}
	n.list = append(n.list, name{path, shown})
	slices.SortStableFunc(n.list, func(a, b name) int { return len(b.path) - len(a.path) })
}

// In returns a text with all paths in it as they are shown.
func (n Names) In(text string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		found, length := n.at(text, i)
		if length == 0 {
			i++
			continue
		}
		out.WriteString(text[done:i])
		out.WriteString(found)
		i += length
		done = i
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// LastLine returns the last line that is not blank of what a program has written, with all
// paths in it as they are shown.
func (n Names) LastLine(written []byte) string {
	text := strings.TrimSpace(n.In(string(written)))
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// at returns how the path that begins at a place of a text is shown, and how many
// bytes of the text that stands for; 0: there is none.
func (n Names) at(text string, i int) (shown string, length int) {
	for _, it := range n.list {
		if text[i] != it.path[0] || !strings.HasPrefix(text[i:], it.path) || inName(text[:i]) {
			continue
		}
		rest := text[i+len(it.path):]
		switch {
		case strings.HasPrefix(rest, "/") && it.shown == "":
			return "", len(it.path) + 1
		case strings.HasPrefix(rest, "/"):
			return it.shown, len(it.path)
		case !goesOn(rest) && it.shown == "":
			return ".", len(it.path)
		case !goesOn(rest):
			return it.shown, len(it.path)
		}
	}
	return "", 0
}

// inName reports whether a text ends within a path.
func inName(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && (last == '/' || last == '.' || letter(last))
}

// goesOn reports whether a text begins within a file's name.
func goesOn(text string) bool {
	first, size := utf8.DecodeRuneInString(text)
	if first == '.' { // or the end of a sentence
		first, _ = utf8.DecodeRuneInString(text[size:])
		return len(text) > size && letter(first)
	}
	return text != "" && letter(first)
}

func letter(r rune) bool {
	return r == '-' || r == '_' || r >= utf8.RuneSelf || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}
