package protocoltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
)

// view is all that a match shows of itself.
type view struct {
	picture string
	state   string // as JSON
	value   any    // the value State returned
	result  []protocols.Outcome
}

// look takes a view of a match and checks that it is a proper one.
func look(m protocols.Match, seats int) (view, error) {
	v := view{picture: m.String(), value: m.State(), result: slices.Clone(m.Result())}
	if err := checkPicture(v.picture); err != nil {
		return v, fmt.Errorf("picture: %w", err)
	}
	var err error
	if v.state, err = marshal(v.value); err != nil {
		return v, fmt.Errorf("state: %w", err)
	}
	if err := checkResult(v.result, seats); err != nil {
		return v, fmt.Errorf("result %+v: %w", v.result, err)
	}
	return v, nil
}

// differs returns an error that describes how two views differ, or nil.
func (v view) differs(w view) error {
	switch {
	case v.state != w.state:
		return fmt.Errorf("states %s and %s", v.state, w.state)
	case !slices.Equal(v.result, w.result):
		return fmt.Errorf("results %+v and %+v", v.result, w.result)
	case v.picture != w.picture:
		return fmt.Errorf("pictures\n%s\nand\n%s", v.picture, w.picture)
	}
	return nil
}

// quoting returns v with w's texts in the places that may quote a reply.
func (v view) quoting(w view) view {
	v.picture = w.picture
	v.result = slices.Clone(v.result)
	for i := range v.result {
		if v.result[i].Wrong != "" && w.result[i].Wrong != "" {
			v.result[i].Wrong = w.result[i].Wrong
		}
	}
	return v
}

func checkPicture(picture string) error {
	if strings.TrimSpace(picture) == "" {
		return errors.New("it is empty")
	}
	if strings.HasSuffix(picture, "\n") {
		return fmt.Errorf("%q ends with a newline", picture)
	}
	for line := range strings.SplitSeq(picture, "\n") {
		drawn := strings.HasPrefix(line, "    ") || strings.Contains(strings.TrimLeft(line, " "), "  ")
		if n := utf8.RuneCountInString(line); drawn && n > pictureColumns {
			return fmt.Errorf("a line that is no sentence has %d columns, a terminal has %d: %q", n, pictureColumns, line)
		}
	}
	return checkText(picture, "\n")
}

// pictureColumns is the room for a drawing; sentences are broken by who shows them.
const pictureColumns = 80

func marshal(state any) (string, error) {
	b, err := json.Marshal(state)
	if err != nil {
		return "", err
	}
	if !bytes.HasPrefix(b, []byte("{")) {
		return "", fmt.Errorf("%s is not a JSON object", b)
	}
	return string(b), nil
}

// checkResult checks that there is an outcome for every seat, and that ties
// share the better place: place p has p-1 seats before it.
func checkResult(result []protocols.Outcome, seats int) error {
	if len(result) != seats {
		return fmt.Errorf("%d outcomes for %d seats", len(result), seats)
	}
	for i, o := range result {
		better := 0
		for _, other := range result {
			if other.Place < o.Place {
				better++
			}
		}
		if o.Place != better+1 {
			return fmt.Errorf("seat %d has place %d, expected %d with %d seats before it", i+1, o.Place, better+1, better)
		}
		if o.Wrong != "" {
			if err := checkSentence(o.Wrong); err != nil {
				return fmt.Errorf("seat %d: %w", i+1, err)
			}
		}
	}
	return nil
}
