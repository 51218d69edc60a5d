package record_test

import (
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

func TestTranscript(t *testing.T) {
	var lines []record.Said
	said := record.Transcript{Said: func(one record.Said) { lines = append(lines, one) }}
	said.Sent("1 2\n3\n")
	said.Reply(referee.Event{Reply: "4"})
	said.Sent("5\n")
	said.Reply(referee.Event{Reply: "left", Fail: &protocols.Failure{Kind: protocols.KindTime}})
	want := []record.Said{{Sent: true, Text: "1 2"}, {Sent: true, Text: "3"}, {Text: "4"}, {Sent: true, Text: "5"}, {Text: "(time)"}}
	if !slices.Equal(said.Lines, want) || !slices.Equal(lines, want) {
		t.Errorf("found %v, told of %v, expected %v", said.Lines, lines, want)
	}
	if last := said.Last(2); !slices.Equal(last, want[3:]) || len(said.Last(9)) != len(want) {
		t.Errorf("the last two are %v", last)
	}
}
