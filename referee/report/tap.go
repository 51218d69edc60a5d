package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteTAP writes suites in the Test Anything Protocol, version 14: a line for each
// check, and below one that failed a block of YAML that says why.
func WriteTAP(w io.Writer, suites []Suite) error {
	var b strings.Builder
	n := 0
	for _, s := range suites {
		for _, c := range s.Checks {
			n++
			c.tap(&b, n, s.Name)
		}
	}
	_, err := fmt.Fprintf(w, "TAP version 14\n1..%d\n%s", n, b.String())
	return err
}

// tapName escapes what would end the description of a check.
var tapName = strings.NewReplacer(`\`, `\\`, "#", `\#`)

func (c Check) tap(b *strings.Builder, n int, subject string) {
	result, verdict := "not ok", c.Verdict
	switch {
	case c.Error != "":
		verdict = "not judged"
	case verdict == "" || verdict == "ok":
		result = "ok"
	}
	fmt.Fprintf(b, "%s %d - %s\n", result, n, tapName.Replace(SafeLine(subject+": "+c.Name).fit))
	if result == "ok" {
		return
	}
	why := strings.TrimRight(c.Error+c.Detail+"\n"+c.More, "\n")
	fmt.Fprintf(b, "  ---\n  verdict: %s\n  message: %s\n  ...\n", strconv.Quote(verdict), strconv.QuoteToGraphic(why))
}
