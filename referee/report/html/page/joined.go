package page

import (
	"strings"
	"unicode"
)

// Some scripts and emoji are written with characters that can't be seen, and that a terminal
// is not shown. A page shows them where they do something, so that no two names look alike
// that differ in them: joiners, and spaces of their own width.
const (
	nonJoiner        = '\u200c'
	joiner           = '\u200d'
	noBreakSpace     = '\u00a0' // in a name it would look like a space
	ideographicSpace = '\u3000'
)

const unseen = "\u200c\u200d\u00a0\u3000"

// joined applies f, which makes such characters visible, to what is between those that a
// page shows.
func joined(text string, line bool, f func(string) string) string {
	if !strings.ContainsAny(text, unseen) {
		return f(text)
	}
	var out strings.Builder
	done, before := 0, rune(0)
	for i, r := range text {
		if strings.ContainsRune(unseen, r) {
			after := ' '
			for _, after = range text[i+len(string(r)):] {
				break
			}
			if r == noBreakSpace && !line || shows(before, r, after) {
				out.WriteString(f(text[done:i]) + string(r))
				done = i + len(string(r))
			}
		}
		before = r
	}
	return out.String() + f(text[done:])
}

// shows reports whether a joiner, or a wide space, shows between two characters.
func shows(before, r, after rune) bool {
	switch r {
	case ideographicSpace:
		return isWide(before) && isWide(after)
	case joiner:
		return isEmoji(before) && isEmoji(after) || strings.ContainsRune(viramas, before)
	case nonJoiner:
		return strings.ContainsRune(viramas, before) && unicode.IsLetter(after) ||
			isArabic(before) && !strings.ContainsRune(unjoined, before) && isArabic(after) && after != 'ء'
	}
	return false
}

// viramas suppress the vowel of a letter of an Indic script, which joins the next one; unjoined
// are Arabic letters that no next one is joined to.
const (
	viramas  = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2"
	unjoined = "ءآأؤإاةدذرزوٱٲٳٵٶٷڈډڊڋڌڍڎڏڐڑڒړڔڕږڗژڙۀۃۄۅۆۇۈۉۊۋۍۏەۮۯ"
)

func isArabic(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) }

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// isEmoji reports whether a rune is part of one: a picture, its colour or its variant.
func isEmoji(r rune) bool {
	return r == '\ufe0f' || r == '↔' || r == '↕' || r >= '\u2640' && unicode.Is(unicode.So, r) || r >= '\U0001f3fb' && r <= '\U0001f3ff'
}
