package shell

import "bytes"

// key is a key that was pressed: a character, or one of the keys below.
type key rune

// The keys that are no character, and what waitForKey returns where no key was
// pressed.
const (
	left key = -1 - iota
	right
	up
	down
	home
	end
	pageUp
	pageDown
	resized // the terminal has another size
	elapsed // the time is up
)

// Characters that terminals send for keys.
const (
	enter     key = '\r'
	space     key = ' '
	backspace key = 0x7f
	ctrlD     key = 0x04

	ctrlC  key = 0x03
	ctrlZ  key = 0x1a
	escape     = 0x1b
)

// finals are the last bytes of the sequences that keys send after ESC [ or
// ESC O.
var finals = map[byte]key{'A': up, 'B': down, 'C': right, 'D': left, 'H': home, 'F': end}

// numbered are the keys that send ESC [ NUMBER ~.
var numbered = map[string]key{"1": home, "7": home, "4": end, "8": end, "5": pageUp, "6": pageDown}

// keyReader reads keys from what a terminal sends. It keeps the beginning of a
// sequence until the rest comes.
type keyReader struct{ unread []byte }

// read returns the keys in what was sent next. What is no known key is left out.
func (k *keyReader) read(sent []byte) (list []key) {
	text := append(k.unread, sent...)
	for len(text) > 0 {
		if text[0] != escape {
			if text[0] < 0x80 {
				list = append(list, key(text[0]))
			}
			text = text[1:]
			continue
		}
		pressed, n := sequence(text)
		if n == 0 {
			break
		}
		if pressed != 0 {
			list = append(list, pressed)
		}
		text = text[n:]
	}
	k.unread = append([]byte(nil), text...)
	return list
}

// maxSequence is the most bytes of a sequence; a longer one is none.
const maxSequence = 16

// sequence reads the escape sequence that a text begins with: its key, 0 if it
// is not known, and its length, 0 if there is more to come.
func sequence(text []byte) (key, int) {
	switch {
	case len(text) == 1:
		return 0, 0
	case text[1] != '[' && text[1] != 'O':
		return 0, 1 // Esc alone
	}
	for i, b := range text[2:] {
		switch {
		case i == maxSequence:
			return 0, i + 2
		case b == '~':
			number, _, _ := bytes.Cut(text[2:2+i], []byte(";")) // followed by which of Shift, Alt and Ctrl were held
			return numbered[string(number)], i + 3
		case b >= '@': // the end of any sequence
			return finals[b], i + 3
		}
	}
	return 0, 0
}
