// Package scoring turns records into scores: a formula over the facts of a
// case, summed up in groups. It is pure: a new formula or baseline never plays
// a match again.
package scoring

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Facts are what a formula may use: the facts of one case for one submission.
// Where a case is played more than once, they are means over its matches.
type Facts struct {
	P     float64 `expr:"P"` // what the case is worth
	X     float64 `expr:"X"` // the submission's score there
	Y     float64 `expr:"Y"` // the baseline
	Win   float64 `expr:"win"`
	Tie   float64 `expr:"tie"`
	Loss  float64 `expr:"loss"`
	OK    float64 `expr:"ok"` // 1 if the verdict is ok, else 0
	Place float64 `expr:"place"`
	Seats float64 `expr:"seats"`
	Wall  float64 `expr:"wall"` // seconds
	CPU   float64 `expr:"cpu"`  // seconds
}

// Formula is a checked expression over Facts. It is safe for concurrent use.
type Formula struct {
	source  string
	program *vm.Program
}

// Compile checks a formula. The error points a caret at what is wrong.
func Compile(source string) (Formula, error) {
	program, err := expr.Compile(source, expr.Env(Facts{}), expr.AsFloat64())
	if err != nil {
		return Formula{}, fmt.Errorf("formula: %w", caret(source, err))
	}
	return Formula{source, program}, nil
}

// caret makes an error of the expression's compiler one that shows the place.
func caret(source string, err error) error {
	var at *file.Error
	if !errors.As(err, &at) || at.Column > len(source) || strings.ContainsRune(source, '\n') {
		return err
	}
	hint := ""
	if strings.HasPrefix(at.Message, "unknown name") {
		hint = "; a formula may use P X Y win tie loss ok place seats wall cpu"
	}
	return fmt.Errorf("%s%s\n  %s\n  %s^", at.Message, hint, source, strings.Repeat(" ", at.Column))
}

// String is the expression.
func (f Formula) String() string { return f.source }

// Eval is the value for facts; an error if it is not a finite number. Without
// a baseline there is nothing to compare with: where the best X on a case is 0,
// Y is 0 and the value is 0.
func (f Formula) Eval(facts Facts) (float64, error) {
	if facts.Y == 0 && f.uses("Y") {
		return 0, nil
	}
	v, err := expr.Run(f.program, facts)
	if err != nil {
		return 0, fmt.Errorf("formula %q: %w", f.source, err)
	}
	x, _ := v.(float64)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("formula %q gives %v, expected a finite number (%+v)", f.source, x, facts)
	}
	return x, nil
}

// uses tells whether the formula has the name.
func (f Formula) uses(name string) bool {
	words := strings.FieldsFunc(f.source, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	return slices.Contains(words, name)
}
