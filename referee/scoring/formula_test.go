package scoring

import (
	"strings"
	"testing"
)

func TestFormula(t *testing.T) {
	facts := Facts{P: 4, X: 150, Y: 200, Win: 0.5, Tie: 0.5, OK: 1, Place: 1, Seats: 2, Wall: 0.25, CPU: 0.125}
	for source, want := range map[string]float64{
		"P * (win + tie / 2)":        3,
		"P * X / Y":                  3,
		"X":                          150,
		"P * ok":                     4,
		"win > 0 ? P : 0":            4,
		"P * min(1, X / Y)":          3,
		"round(P * X / 7) / 2":       43,
		"P * (1 - wall / 2) + cpu":   3.625,
		"place + seats - loss":       3,
		"let best = X / Y; P * best": 3,
		"7":                          7,
		"1000000000*10000000000*X":   1.5e21, // beyond 64 bits
		"9223372036854775807 + 1":    9223372036854775808,
		"1 < X < 200 ? -P ^ 2 : 0":   -16,
	} {
		f, err := Compile(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := f.Eval(facts); err != nil || got != want {
			t.Errorf("%s: found %v, %v, expected %v", source, got, err, want)
		}
	}
}

// A formula that cannot be right is refused with a caret under the place.
func TestFormulaErrors(t *testing.T) {
	for _, row := range []struct {
		source, message string
		caret           int // column from 0; -1: none
	}{
		{"P * wins", "unknown name wins; a formula may use P X Y win tie loss ok place seats wall cpu", 4},
		{"P * X / y", "unknown name y", 8},
		{"ö + X", "unknown name ö", 0},
		{"X + ö + Z", "unknown name ö", 4},
		{"P *", "the formula ends too early", 2},
		{"P * (win", "the formula ends too early", 7},
		{"win > 0", "expected number, but got bool", 0},
		{"win ? P : 0", "non-bool expression (type number) used as condition", 0},
		{`P + "1"`, "this can't be part of a formula; a formula may use P X", 4},
		{"now()", "unknown name now", 0},
		{"len(P)", "unknown name len", 0},
		{"X +\t* Y", "unexpected token", 4},
		{"ö = P // X", "this can't be part of a formula", 6},
		{"P /* X */", "this can't be part of a formula", 2},
		{"X % 7", "this can't be part of a formula", 2},
		{"7 % 2", "this can't be part of a formula", 2},
		{"P; 1", "this can't be part of a formula", 0},
		{"[P, X][0]", "this can't be part of a formula", 0},
		{`{"a": P}.a`, "this can't be part of a formula", 1},
		{"X in 1..3 ? P : 0", "this can't be part of a formula", 6},
		{"P ?? 1", "this can't be part of a formula", 2},
		{"true ? P : 0", "this can't be part of a formula", 0},
		{"win > 0 ? P > 1 : P", "expected a number in every case", -1},
		{"", "found nothing", -1},
		{" \n", "found nothing", -1},
		{"$env", "unknown name $env", -1},
	} {
		_, err := Compile(row.source)
		if err == nil {
			t.Errorf("%q: found no error", row.source)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if !strings.Contains(lines[0], row.message) {
			t.Errorf("%q: found %q, expected %q", row.source, lines[0], row.message)
		}
		if row.caret >= 0 && (len(lines) != 3 || lines[2] != "  "+strings.Repeat(" ", row.caret)+"^") {
			t.Errorf("%q: found\n%v\nexpected a caret in column %d", row.source, err, row.caret)
		}
	}
}

func TestFormulaNotFinite(t *testing.T) {
	for source, facts := range map[string]Facts{
		"P / win":     {P: 4},
		"X / (P - P)": {},
		"X ** 1000":   {X: 10},
	} {
		f, err := Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Eval(facts); err == nil || !strings.Contains(err.Error(), "expected a finite number") {
			t.Errorf("%s: found %v, %v, expected an error", source, got, err)
		}
	}
}

// Where Y is 0 the case gives 0, whatever is divided by it; but only where the
// formula uses Y.
func TestFormulaWithoutBaseline(t *testing.T) {
	for source, want := range map[string]float64{"P * X / Y": 0, "P + X / Y": 0, "X": 5, "max(X, P)": 5} {
		f, err := Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Eval(Facts{P: 1, X: 5}); err != nil || got != want {
			t.Errorf("%s: found %v, %v, expected %v", source, got, err, want)
		}
	}
}

func FuzzFormula(f *testing.F) {
	for _, s := range []string{"P * X / Y", "win ? 1 : 0", "min(", "X[0]", "ö", "let a = P; a", "P\n*", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		formula, err := Compile(source)
		if err == nil {
			_, _ = formula.Eval(Facts{P: 1, X: 2, Y: 3})
		}
	})
}
