package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"umpire/referee"
)

const (
	// maxOutputs bounds the bytes in memory of all whole outputs that are being read.
	maxOutputs = 512 << 20
	// soapCopies is how often a long request of SOAP is in memory while it is read.
	soapCopies = 5
	// longText is how many bytes of text a long one has, of which a body has one.
	longText = 4 << 10
)

// replyBody is the body of a reply.
type replyBody struct {
	Reply *string `json:"reply"`
}

// readOutput reads a body that holds a whole output. The text is unescaped as it comes, and
// no more of it is kept than may count; cut says that there is more, or that none counts.
// The rest of the body is read all the same, or the client would not read the answer.
func readOutput(w http.ResponseWriter, r *http.Request, counts bool, into *replyBody) (cut bool, err error) {
	if err := checkType(r); err != nil {
		return false, err
	}
	body := http.MaxBytesReader(w, r.Body, maxWhole)
	var problem error
	if cut = !counts; counts {
		cut, problem = parseOutput(body, referee.MaxOutput, into)
	}
	_, err = io.Copy(io.Discard, body)
	if err = bodyRead(w, err); isTooLong(err) {
		return true, nil
	}
	if err == nil {
		err = problem
	}
	return cut, err
}

// parseOutput parses a reply whose text may be long, of at most so many bytes.
func parseOutput(body io.Reader, most int, into *replyBody) (cut bool, err error) {
	in := bufio.NewReaderSize(body, 64<<10)
	var rest bytes.Buffer // the body with "" in place of the long text
	var long *string
	for {
		part, err := in.ReadSlice('"')
		if rest.Write(part); rest.Len() > maxBody {
			return false, failed(codeJSON, "found more than "+strconv.Itoa(maxBody)+" bytes besides the reply")
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF:
			if err := parseJSON(rest.Bytes(), into); err != nil {
				return false, err
			}
			if long != nil && into.Reply != nil { // the one text that such a body has
				into.Reply = long
			}
			return false, nil
		case err != nil:
			return false, err
		}
		text, err := readString(in, most)
		switch {
		case err == errCut:
			return true, nil
		case err == io.EOF:
			return false, failed(codeJSON, "the body ends before its JSON object does")
		case err != nil:
			return false, err
		case !utf8.ValidString(text):
			return false, failed(codeJSON, "the body is not UTF-8")
		case len(text) <= longText:
			quoted, err := json.Marshal(text)
			if err != nil {
				return false, err
			}
			rest.Write(quoted[1:])
		case long != nil:
			return false, failed(codeJSON, "found two long texts, expected one")
		default:
			long = &text
			rest.WriteByte('"')
		}
	}
}

// errCut says that a text is longer than it may be.
var errCut = failed(codeBody, "the text is too long")

// readString reads a string of JSON from after its first quote to its last one.
func readString(in *bufio.Reader, most int) (string, error) {
	var text strings.Builder
	for text.Len() <= most {
		c, err := in.ReadByte()
		switch {
		case err != nil:
			return "", err
		case c == '"':
			return text.String(), nil
		case c < ' ':
			return "", failed(codeJSON, "found a control character in a text, expected an escape")
		case c != '\\':
			text.WriteByte(c)
			continue
		}
		if c, err = in.ReadByte(); err != nil {
			return "", err
		}
		if at := strings.IndexByte(`"\/bfnrt`, c); at >= 0 {
			text.WriteByte("\"\\/\b\f\n\r\t"[at])
			continue
		}
		code, ok := peekCode(in, "")
		if c != 'u' || !ok {
			return "", failed(codeJSON, "found an escape that JSON does not have")
		}
		_, _ = in.Discard(4) // they were seen
		if utf16.IsSurrogate(code) {
			// A half without the other one is no character.
			low, _ := peekCode(in, `\u`)
			if code = utf16.DecodeRune(code, low); code != utf8.RuneError {
				_, _ = in.Discard(6)
			}
		}
		text.WriteRune(code)
	}
	return "", errCut
}

// peekCode returns the number of four hexadecimal digits that come after a prefix.
func peekCode(in *bufio.Reader, prefix string) (code rune, ok bool) {
	next, _ := in.Peek(len(prefix) + 4) // fewer are no digits
	digits, ok := strings.CutPrefix(string(next), prefix)
	n, err := strconv.ParseUint(digits, 16, 16)
	return rune(n), ok && err == nil && len(digits) == 4
}
