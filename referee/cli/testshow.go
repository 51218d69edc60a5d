package cli

import "strings"

// again is the command that plays one case of this run again. What --case named
// is the only one, and may be a file or a text, which no set knows by its name.
func (s *session) again(command, name string) string {
	if s.c.IsSet("case") {
		name = s.c.String("case")
	}
	words := []string{"umpire", command, s.game.Name}
	for _, b := range s.bots {
		words = append(words, quote(b.Label))
	}
	words = append(words, "--case", quote(name))
	for _, f := range []string{"cases", "time", "time-per-move", "startup", "clock", "memory", "isolation", "pondering", "languages"} {
		if s.c.IsSet(f) {
			words = append(words, "--"+f, quote(s.c.String(f)))
		}
	}
	return strings.Join(words, " ")
}

// quote quotes a word for a shell, if it needs that.
func quote(word string) string {
	if word != "" && word[0] != '#' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-#") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
