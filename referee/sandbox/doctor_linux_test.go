package sandbox

import (
	"encoding/json"
	"regexp"
	"testing"

	"umpire/referee"
)

func TestDoctor(t *testing.T) {
	r, err := Doctor()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(r, "", " ")
	must(t, err)
	t.Logf("%s", text)
	if len(r.Levels) != len(referee.Levels()) || !r.Levels[0].OK {
		t.Errorf("levels %+v", r.Levels)
	}
	l, _, err := Choose(referee.LevelAuto, "")
	if err != nil || l.Level() != r.Auto {
		t.Errorf("auto is %v (%v), the report says %s", l, err, r.Auto)
	}
	for _, c := range r.Checks {
		if !regexp.MustCompile(`^[a-z_]+$`).MatchString(c.Name) || c.Found == "" || c.Means == "" || !c.OK && c.Get == "" {
			t.Errorf("incomplete: %+v", c)
		}
	}
}
