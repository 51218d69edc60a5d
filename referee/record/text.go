package record

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// text makes untrusted bytes fit for JSON.
func text(s string) string { return strings.ToValidUTF8(s, "�") }

// BotName is a bot's name as records have it: fit for JSON, and the same for names
// that look alike, in which an accent may be a character of its own.
func BotName(name string) string { return norm.NFC.String(text(name)) }
