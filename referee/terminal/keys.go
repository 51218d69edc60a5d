package terminal

// Key is a key that was pressed: a character, or one of the keys below.
type Key rune

// The keys that are no character, and what Wait returns where no key was
// pressed.
const (
	Left Key = -1 - iota
	Right
	Up
	Down
	Home
	End
	PageUp
	PageDown
	Resized // the terminal has another size
	Elapsed // the time is up
)

// Characters that terminals send for keys.
const (
	Enter     Key = '\r'
	Space     Key = ' '
	Backspace Key = 0x7f
	CtrlD     Key = 0x04

	ctrlC  Key = 0x03
	ctrlZ  Key = 0x1a
	escape     = 0x1b
)

// finals are the last bytes of the sequences that keys send after ESC [ or
// ESC O.
var finals = map[byte]Key{'A': Up, 'B': Down, 'C': Right, 'D': Left, 'H': Home, 'F': End}

// numbered are the keys that send ESC [ NUMBER ~.
var numbered = map[string]Key{"1": Home, "7": Home, "4": End, "8": End, "5": PageUp, "6": PageDown}

// keys reads keys from what a terminal sends. It keeps the beginning of a
// sequence until the rest comes.
type keys struct{ left []byte }

// read returns the keys in what was sent next. What is no known key is left out.
func (k *keys) read(sent []byte) (list []Key) {
	text := append(k.left, sent...)
	for len(text) > 0 {
		if text[0] != escape {
			if text[0] < 0x80 {
				list = append(list, Key(text[0]))
			}
			text = text[1:]
			continue
		}
		key, n := sequence(text)
		if n == 0 {
			break
		}
		if key != 0 {
			list = append(list, key)
		}
		text = text[n:]
	}
	k.left = append([]byte(nil), text...)
	return list
}

// maxSequence is the most bytes of a sequence; a longer one is none.
const maxSequence = 16

// sequence reads the escape sequence that a text begins with: its key, 0 if it
// is not known, and its length, 0 if there is more to come.
func sequence(text []byte) (Key, int) {
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
			number := text[2 : 2+i]
			for j, digit := range number {
				if digit == ';' { // followed by which of Shift, Alt and Ctrl were held
					number = number[:j]
					break
				}
			}
			return numbered[string(number)], i + 3
		case b >= '@': // the end of any sequence
			return finals[b], i + 3
		}
	}
	return 0, 0
}
