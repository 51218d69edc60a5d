package record

import (
	"os"
	"strings"
	"testing"

	"umpire/referee"
)

// TestReadmeHasAll: the README names every field and every verdict.
func TestReadmeHasAll(t *testing.T) {
	text, err := os.ReadFile("README.md")
	must(t, err)
	all := allForms()
	for name, f := range map[string]*form{
		"record": all.record, "case": all.caseOf, "limits": all.limits, "seat": all.seat, "event": all.event,
		"exchange": all.record.get("exchanges").of, "void": all.void,
	} {
		for _, m := range f.members {
			if !strings.Contains(string(text), "`"+m.name+"`") {
				t.Errorf("found no `%s` of a %s", m.name, name)
			}
		}
	}
	for _, cause := range referee.Causes {
		if !strings.Contains(string(text), "| `"+string(cause)+"` | ") {
			t.Errorf("found no cause %s", cause)
		}
	}
	for _, v := range referee.Verdicts {
		if !strings.Contains(string(text), "| `"+string(v.Verdict)+"` | "+v.Short+" |") {
			t.Errorf("found no verdict %s, %s", v.Verdict, v.Short)
		}
	}
}
