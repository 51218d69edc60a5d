// Package scoring turns records into scores: a formula over the facts of a
// case, combined in groups, summed up and ranked. It is pure: a new formula or
// baseline never plays a match again.
package scoring

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Formula is a checked expression over Facts. It is safe for concurrent use.
type Formula struct {
	source  string
	program *vm.Program
	uses    map[string]bool // names that occur in it
}

// functions lists the functions a formula may call; the language's others read
// the clock or work on lists and texts, which formulas don't have.
var functions = []string{"abs", "ceil", "floor", "max", "min", "round"}

// Compile checks a formula: `P * X / Y`, `win > 0 ? P : P * min(X / Y, 0.5)`.
// The error points a caret at what is wrong.
func Compile(source string) (Formula, error) {
	if strings.TrimSpace(source) == "" {
		return Formula{}, fmt.Errorf("found nothing, expected an expression of %s", names())
	}
	options := []expr.Option{expr.Env(Facts{}), expr.AsFloat64(), expr.DisableAllBuiltins()}
	for _, name := range functions {
		options = append(options, expr.EnableBuiltin(name))
	}
	found := make(seen)
	program, err := expr.Compile(source, append(options, expr.Patch(found))...)
	if err != nil {
		return Formula{}, caret(source, err)
	}
	if found["$env"] {
		return Formula{}, fmt.Errorf("unknown name $env; %s\n  %s", hint, source)
	}
	return Formula{source, program, found}, nil
}

// seen collects the names in an expression.
type seen map[string]bool

// Visit notes a name; it changes nothing.
func (s seen) Visit(node *ast.Node) {
	if name, ok := (*node).(*ast.IdentifierNode); ok {
		s[name.Value] = true
	}
}

var hint = "a formula may use " + names() + " and " + strings.Join(functions, " ")

// plain translates the expression compiler's terms into ours.
var plain = strings.NewReplacer("float64", "number", "unexpected token EOF", "the formula ends too early")

// caret turns an error of the expression compiler into one that shows the
// position.
func caret(source string, err error) error {
	at := &file.Error{Message: err.Error()} // about the formula as a whole
	if errors.As(err, &at) && at.Column > utf8.RuneCountInString(source) || strings.ContainsRune(source, '\n') {
		return err
	}
	message := plain.Replace(at.Message)
	if strings.HasPrefix(message, "unknown name") {
		message += "; " + hint
	}
	return fmt.Errorf("%s\n  %s\n  %s^", message, strings.ReplaceAll(source, "\t", " "), strings.Repeat(" ", at.Column))
}

// String returns the expression.
func (f Formula) String() string { return f.source }

// Uses reports whether a name occurs in the formula.
func (f Formula) Uses(name string) bool { return f.uses[name] }

// Eval returns the value for facts, or an error if it is not a finite number.
// Without a baseline there is nothing to compare with: where the best X on a
// case is 0, Y is 0 and the value is 0.
func (f Formula) Eval(facts Facts) (float64, error) {
	if facts.Y == 0 && f.Uses("Y") {
		return 0, nil
	}
	v, err := expr.Run(f.program, facts)
	if err != nil {
		return 0, fmt.Errorf("formula %q: %w", f.source, err)
	}
	x, ok := v.(float64)
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("formula %q gives %v, expected a finite number (%s)", f.source, v, facts)
	}
	return x, nil
}
