// Package scoring turns records into scores: a formula over the facts of a
// case, combined in groups, summed up and ranked. It is pure: a new formula or
// baseline never plays a match again.
package scoring

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
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

	dividesByY bool // so that its sign matters
}

// functions lists the functions a formula may call; the language's others read
// the clock or work on lists and texts, which formulas don't have.
var functions = []string{"abs", "ceil", "floor", "max", "min", "round"}

// operators lists the operators of two operands that formulas have.
var operators = strings.Fields("+ - * / ** ^ == != < <= > >= and && or ||")

// Compile checks a formula: `P * X / Y`, `win > 0 ? P : P * min(X / Y, 0.5)`.
// The error points a caret at what is wrong.
func Compile(source string) (Formula, error) {
	if strings.TrimSpace(source) == "" {
		return Formula{}, fmt.Errorf("found nothing, expected an expression of %s", names())
	}
	for _, comment := range []string{"//", "/*"} {
		if at := strings.Index(source, comment); at >= 0 {
			return Formula{}, caret(source, unlisted(utf8.RuneCountInString(source[:at])).Bind(file.NewSource(source)))
		}
	}
	options := []expr.Option{expr.Env(Facts{}), expr.AsFloat64(), expr.DisableAllBuiltins()}
	for _, name := range functions {
		options = append(options, expr.EnableBuiltin(name))
	}
	found := &scan{names: make(map[string]bool), guarded: make(map[ast.Node]bool)}
	program, err := expr.Compile(source, append(options, expr.Patch(found))...)
	if found.wrong != nil {
		err = found.wrong.Bind(file.NewSource(source))
	}
	if err != nil {
		return Formula{}, caret(source, err)
	}
	if found.names["$env"] {
		return Formula{}, fmt.Errorf("unknown name $env; %s\n  %s", hint, source)
	}
	if program.Node().Type().Kind() != reflect.Float64 {
		return Formula{}, fmt.Errorf("expected a number in every case, found a truth value in some\n  %s", source)
	}
	return Formula{source, program, found.names, found.dividesByY}, nil
}

// scan looks at an expression, and makes all its numbers floating-point ones, which
// don't overflow.
type scan struct {
	names      map[string]bool
	guarded    map[ast.Node]bool // names whose sign a function takes away
	dividesByY bool
	wrong      *file.Error // the first part that formulas don't have
}

// Visit looks at a node whose parts have been visited.
func (s *scan) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		s.names[n.Value] = true
	case *ast.IntegerNode:
		ast.Patch(node, &ast.FloatNode{Value: float64(n.Value)})
	case *ast.BuiltinNode:
		if n.Name == "abs" || n.Name == "max" {
			eachName(n, func(name *ast.IdentifierNode) { s.guarded[name] = true })
		}
	case *ast.BinaryNode:
		if !slices.Contains(operators, n.Operator) {
			s.refuse(n)
		}
		if n.Operator == "/" {
			eachName(n.Right, s.divisor)
		}
	case *ast.FloatNode, *ast.UnaryNode, *ast.ConditionalNode, *ast.VariableDeclaratorNode, *ast.CallNode: // a call is of an unknown name
	default:
		s.refuse(n)
	}
}

func (s *scan) refuse(n ast.Node) {
	if s.wrong == nil {
		s.wrong = unlisted(n.Location().From)
	}
}

// unlisted is the error about a part of the language that formulas don't have.
func unlisted(at int) *file.Error {
	return &file.Error{
		Location: file.Location{From: at},
		Message:  "this can't be part of a formula; " + hint + ", numbers, " + strings.Join(operators, " ") + " not !, A ? B : C, let NAME = A; B",
	}
}

func eachName(in ast.Node, do func(*ast.IdentifierNode)) {
	ast.Find(in, func(n ast.Node) bool {
		if name, ok := n.(*ast.IdentifierNode); ok {
			do(name)
		}
		return false
	})
}

// divisor notes that a name is divided by: Y, or one that may stand for it.
func (s *scan) divisor(n *ast.IdentifierNode) {
	isFact := slices.ContainsFunc(facts, func(f fact) bool { return f.name == n.Value })
	if (n.Value == "Y" || !isFact) && !s.guarded[n] {
		s.dividesByY = true
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
