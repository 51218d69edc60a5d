package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
	"umpire/referee/strength"
)

// Plural formats a number of things, as in "1 match" and "2 matches".
func Plural(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "ch"):
		what += "es"
	case strings.HasSuffix(what, "y") && !strings.HasSuffix(what, "ay"):
		what = strings.TrimSuffix(what, "y") + "ies"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Points says of a number, or of several of which it is the last, that they are points.
func Points(text string) string {
	if text == "1" || strings.HasSuffix(text, " 1") {
		return text + " point"
	}
	return text + " points"
}

// Number formats a score with at most two decimals, without trailing zeros.
func Number(x float64) string {
	if math.Abs(x) >= 1e15 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	text := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// exact formats a number with all its digits.
func exact(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// millis formats a time in milliseconds.
func millis(d time.Duration) string { return fmt.Sprintf("%.3f ms", float64(d.Microseconds())/1000) }

// timeUsed formats the time that a bot took; ranOut: until its time had run out,
// so that it would have taken longer.
func timeUsed(d time.Duration, ranOut bool) string {
	if ranOut && d > 0 { // old records do not say how long
		return ">" + referee.Seconds(d)
	}
	return millis(d)
}

// seatTime formats the time that a seat, from 1, took in a match. Where its time has run
// out, what it pondered may be more than what its replies took.
func seatTime(r *record.Record, seat int) string {
	took := r.Took(seat)
	if s := r.Seats[seat-1]; s.Verdict == string(protocols.KindTime) {
		return timeUsed(micros(max(took, s.ChargedUS)), true)
	}
	return millis(micros(took))
}

// micros converts a record's time.
func micros(us int64) time.Duration { return time.Duration(us) * time.Microsecond }

// seconds formats a time for JUnit; "" if none was measured.
func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 6, 64)
}

// mib formats a number of bytes in MiB; "-" if none was measured.
func mib(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// shorten cuts text that is too long for a line.
func shorten(text string) string {
	const limit = 200
	if len(text) > limit {
		return text[:limit] + "…"
	}
	return text
}

// indent indents lines by two spaces more than by, and terminates the last one;
// an empty text stays empty.
func indent(by, text string) string {
	if text == "" {
		return ""
	}
	by += "  "
	return by + strings.ReplaceAll(text, "\n", "\n"+by) + "\n"
}

// interval formats a rating with its 95 % interval.
func interval(r *strength.Rating, digits int) string {
	if r == nil {
		return "-"
	}
	text := strconv.FormatFloat(r.Value, 'f', digits, 64)
	if r.Low == nil {
		return text
	}
	return fmt.Sprintf("%s ±%s", text, strconv.FormatFloat((*r.High-*r.Low)/2, 'f', digits, 64))
}

// Listing joins words as English does: a, b and c.
func Listing(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// exactEnd is a number that may lack.
func exactEnd(x *float64) string {
	if x == nil {
		return ""
	}
	return exact(*x)
}

// rankInterval writes ranks as "2nd to 4th".
func rankInterval(r [2]int) string {
	if r[0] == r[1] {
		return ordinal(r[0])
	}
	return ordinal(r[0]) + " to " + ordinal(r[1])
}

// ordinal writes a rank in English.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
