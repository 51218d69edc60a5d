package protocoltest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"umpire/protocols"
)

// broken is a text made from that of a case; a hopeless one must be refused,
// the others may happen to be cases.
type broken struct {
	text     string
	hopeless bool
	kept     string // what the case's own text must hold if the text is accepted
}

func brokenTexts(text string, rng *rand.Rand) []broken {
	out := hopeless("", " \t\r\n\n", "\x00", "\xff\xfe"+text, randomBytes(rng, 200), strings.Repeat("9", 10_000))
	for _, line := range []string{"xyzzy", "4294967297"} { // nothing may be left unread
		out = append(out, broken{text: text + "\n" + line, kept: line}, broken{text: text + " " + line, kept: line})
	}
	for _, t := range []string{
		text + "\n0", "0\n" + text, text + "\n" + text, text[:rng.IntN(len(text))],
		strings.ReplaceAll(text, "\n", " "), strings.ReplaceAll(text, " ", "\n"), strings.Repeat("9 ", 10_000),
	} {
		out = append(out, broken{text: t})
	}
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		out = append(out, broken{text: text[:i]}, broken{text: text[strings.IndexByte(text, '\n')+1:]})
	}
	for range 5 {
		b := []byte(text)
		b[rng.IntN(len(b))] = byte(rng.IntN(256))
		out = append(out, broken{text: string(b)})
	}
	for _, token := range []string{"xyzzy", "99999999999999999999999", "-1", "1.5", "0x1"} {
		out = append(out, hopeless(replaceToken(text, token, rng))...)
	}
	for _, token := range []string{"2147483648", "4294967297", "9223372036854775808", "18446744073709551617"} {
		out = append(out, broken{text: replaceToken(text, token, rng), kept: token}) // 32 or 64 bits of it would be another number
	}
	for _, token := range []string{"", "0", "1", "1000000", "1 1", "1\n1"} {
		out = append(out, broken{text: replaceToken(text, token, rng)})
	}
	return out
}

func hopeless(texts ...string) (out []broken) {
	for _, text := range texts {
		out = append(out, broken{text: text, hopeless: true})
	}
	return out
}

// replaceToken replaces one of text's tokens by token.
func replaceToken(text, token string, rng *rand.Rand) string {
	lines := strings.Split(text, "\n")
	i := rng.IntN(len(lines))
	for strings.TrimSpace(lines[i]) == "" {
		i = (i + 1) % len(lines)
	}
	tokens := protocols.Fields(lines[i])
	tokens[rng.IntN(len(tokens))] = token
	lines[i] = strings.Join(tokens, " ")
	return strings.Join(lines, "\n")
}

// junkReplies are replies that contestants have sent, or might.
var junkReplies = []string{
	"", " ", "\t", "\r", "\x00", "1\x00", "\x001", "\x1b[2J", "\x1b]0;x\x07", "\xff\xfe", "\u2028", "\u202e1",
	"-1", "+1", "+", "-", "1.0", "1e3", "0x1", "1_0", "٣", "１", "½", "1,2", "0", "00", "8", "16", "1000",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967296", "4294967297",
	"9223372036854775807", "9223372036854775808", "18446744073709551617", "99999999999999999999", strings.Repeat("9", 10_000),
	strings.Repeat("0", 10_000), strings.Repeat("x", 1<<16), strings.Repeat("1 ", 10_000),
	"1 1", "1 1 1", "0 0", "-1 -1", "1 99999999999999999999", "1\n2", "1\r\n2", "one", "null", "{}", "%s%n", "--help", "quit",
}

func junkReply(rng *rand.Rand) string {
	if rng.IntN(4) == 0 {
		return randomBytes(rng, 1+rng.IntN(20))
	}
	return junkReplies[rng.IntN(len(junkReplies))]
}

// smallIntegers is the reply of a contestant that knows nothing about the game.
func smallIntegers(_ protocols.Match, _ int, rng *rand.Rand) string {
	if rng.IntN(4) == 0 {
		return fmt.Sprintf("%d %d", rng.IntN(10), rng.IntN(10))
	}
	return strconv.Itoa(rng.IntN(16))
}

func randomBytes(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return string(b)
}

// loosen writes a reply as untidily as every game tolerates it: with extra
// spaces, leading zeros and a carriage return; a whole output with spaces and
// carriage returns at the ends of its lines.
func loosen(text string, whole bool, rng *rand.Rand) string {
	if whole {
		return strings.ReplaceAll(text, "\n", " \r\n")
	}
	tokens := protocols.Fields(text)
	for i, token := range tokens {
		if _, ok := protocols.Number(token); ok {
			tokens[i] = strings.Repeat("0", rng.IntN(3)) + token
		}
	}
	return " " + strings.Join(tokens, " \t ") + "  \r"
}
