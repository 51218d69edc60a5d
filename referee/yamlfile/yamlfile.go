// Package yamlfile reads YAML, whoever has written it: a mistake is an Error with its line.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"umpire/referee/suggest"
)

const (
	// maxNodes is how many nodes a file may have, its aliases written out: a few lines can
	// stand for billions.
	maxNodes = 1_000_000
	// maxDepth is how many brackets may be open at a time, and how many entries may begin in
	// a line: the library takes the square of the depth.
	maxDepth = 100
	// maxForeign is how long a file may be, in bytes, whose author may be anybody: the
	// library takes the square of a map's keys.
	maxForeign = 256 << 10
)

// File is a file that has been parsed.
type File struct {
	name string
	text []byte
	tree *ast.File
}

// Error is a mistake in a file.
type Error struct {
	Name string // of the file
	Line int    // from 1; 0: not known
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Parse parses the text of a file of that name, which may begin with a byte order mark. The
// error is an Error.
func Parse(name string, text []byte) (*File, error) {
	f := &File{name: name, text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	return f, f.guard(func() (err error) {
		tokens := lexer.Tokenize(string(f.text))
		if err := f.checkDepth(tokens); err != nil {
			return err
		}
		if f.tree, err = parser.Parse(tokens, 0); err != nil {
			return err
		}
		anchors := make(map[string]int)
		for _, doc := range f.tree.Docs {
			if nodes(doc.Body, anchors) > maxNodes {
				return fmt.Errorf("stands for more than %d values, its aliases written out", maxNodes)
			}
		}
		return nil
	})
}

// ParseForeign parses the text of a file of that name whose author may be anybody, which
// takes seconds at most. The error is an Error.
func ParseForeign(name string, text []byte) (*File, error) {
	if len(text) > maxForeign {
		return nil, &Error{name, 0, fmt.Errorf("is longer than %d KiB", maxForeign>>10)}
	}
	return Parse(name, text)
}

// Decode parses a text and reads it into a value, but for keys that it does not have. The
// error is an Error.
func Decode(name string, text []byte, to any) error {
	f, err := Parse(name, text)
	if err != nil {
		return err
	}
	return f.Decode(to)
}

// Decode reads the file into a value, but for keys that it does not have. The error is an
// Error.
func (f *File) Decode(to any) error {
	return f.guard(func() error { return yaml.Unmarshal(f.text, to) })
}

// DecodeStrict reads the file, which must be one document, into a value that must have all
// its keys. The error is an Error, and names the nearest key that there is.
func (f *File) DecodeStrict(to any) error {
	for _, doc := range f.tree.Docs {
		if err := f.checkKeys(doc.Body, reflect.TypeOf(to), ""); err != nil {
			return err
		}
	}
	if n := len(f.tree.Docs); n > 1 {
		return f.Mistake(0, "found %d documents, expected one", n)
	}
	return f.Decode(to)
}

// Mistake is an Error in a line of the file; 0: it is not known.
func (f *File) Mistake(line int, format string, args ...any) error {
	return &Error{f.name, line, fmt.Errorf(format, args...)}
}

// wrongValue is a Mistake about the value that begins with a token of the file, and names
// its key.
func (f *File) wrongValue(t *token.Token, format string, args ...any) error {
	at := place{offset: t.Position.Offset}
	if f.tree != nil {
		for _, doc := range f.tree.Docs {
			if doc.Body != nil {
				ast.Walk(&at, doc.Body)
			}
		}
	}
	return f.Mistake(t.Position.Line, "%s%s", at.key, fmt.Sprintf(format, args...))
}

// place finds the key of what begins at an offset, such as limits.time, with what separates
// it from a message; "" if it is the whole document.
type place struct {
	offset int
	key    string
}

// Visit implements ast.Visitor.
func (p *place) Visit(n ast.Node) ast.Visitor {
	key := strings.TrimPrefix(n.GetPath(), "$.")
	if t := n.GetToken(); t != nil && t.Position.Offset == p.offset && key != "$" {
		p.key = key + ": "
	}
	return p
}

// node returns the node at a key, such as limits.time or groups[2]; nil if there is none.
func (f *File) node(key string) ast.Node {
	path, err := yaml.PathString("$." + key)
	if err != nil {
		return nil
	}
	node, _ := path.FilterFile(f.tree) // nil with an error
	return node
}

// Line is the line of the first of these keys, such as limits.time or groups[2], that is
// there; 1 if none is.
func (f *File) Line(keys ...string) int {
	for _, key := range keys {
		if node := f.node(key); node != nil && node.GetToken() != nil {
			return node.GetToken().Position.Line
		}
	}
	return 1
}

// Scalar returns the number, text or other single value at a key; ok is false if there is
// none.
func (f *File) Scalar(key string) (text string, ok bool) {
	value, ok := f.node(key).(ast.ScalarNode)
	if !ok || value.Type() == ast.NullType {
		return "", false
	}
	return fmt.Sprint(value.GetValue()), true
}

// guard calls the library, whose errors it places, and which panics at some texts.
func (f *File) guard(read func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = f.Mistake(0, "found no YAML that can be read")
		}
	}()
	err = read()
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		return f.wrongValue(wrong.Token, "found %q, expected %s", wrong.Token.Value, kindOf(wrong.DstType))
	}
	if wrong, ok := errors.AsType[*yaml.OverflowError](err); ok {
		return f.wrongValue(wrong.Token, "found %q, expected %s", wrong.SrcNum, rangeOf(wrong.DstType))
	}
	if wrong, ok := errors.AsType[*yaml.UnexpectedNodeTypeError](err); ok {
		switch wrong.Expected {
		case ast.MappingType:
			return f.wrongValue(wrong.Token, "expected lines of KEY: VALUE")
		case ast.SequenceType:
			return f.wrongValue(wrong.Token, "expected a list")
		}
	}
	if wrong, ok := errors.AsType[yaml.Error](err); ok && wrong.GetToken() != nil {
		return f.Mistake(wrong.GetToken().Position.Line, "%s", wrong.GetMessage())
	}
	if err != nil {
		err = f.Mistake(0, "%w", err)
	}
	return err
}

func (f *File) checkDepth(tokens token.Tokens) error {
	line, open, entries := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			open++
		case token.SequenceEndType, token.MappingEndType:
			open--
		case token.SequenceEntryType, token.MappingKeyType:
			entries++
		}
		if open+entries > maxDepth {
			return f.Mistake(line, "found more than %d levels, one in another", maxDepth)
		}
	}
	return nil
}

// kindOf names the kind of value that a type is read from.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return wholeNumber
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	}
	return "a map of keys and values"
}

const wholeNumber = "a whole number"

// rangeOf names the whole numbers that a type has.
func rangeOf(t reflect.Type) string {
	if t.Kind() == reflect.Uint64 {
		return fmt.Sprintf("%s from 0 to %d", wholeNumber, uint64(math.MaxUint64))
	}
	return fmt.Sprintf("%s from %d to %d", wholeNumber, math.MinInt64, math.MaxInt64)
}

// checkKeys returns an error for a key that a type does not have, and for a fraction where
// the type has whole numbers, which the decoder would cut off. Where is the path of the keys
// above it, with a dot at its end.
func (f *File) checkKeys(n ast.Node, t reflect.Type, where string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		if t.Kind() != reflect.Slice {
			return nil // the decoder says so
		}
		for _, value := range n.Values {
			if err := f.checkKeys(value, t.Elem(), where); err != nil {
				return err
			}
		}
	case *ast.MappingNode:
		for _, value := range n.Values {
			if err := f.checkKey(value, t, where); err != nil {
				return err
			}
		}
	case *ast.MappingValueNode:
		return f.checkKey(n, t, where)
	case *ast.FloatNode:
		if kindOf(t) == wholeNumber && n.Value != math.Trunc(n.Value) {
			return f.wrongValue(n.GetToken(), "found %q, expected %s", n.GetToken().Value, wholeNumber)
		}
		if kindOf(t) == wholeNumber && math.Abs(n.Value) >= 1<<53 { // the decoder would round it
			return f.wrongValue(n.GetToken(), "found %q, expected %s", n.GetToken().Value, rangeOf(t))
		}
	case *ast.StringNode:
		value := n.GetToken().Value
		_, err := strconv.ParseInt(value, 0, 64)
		_, natural := strconv.ParseUint(value, 0, 64)
		switch {
		case kindOf(t) != wholeNumber || err == nil || natural == nil:
		case errors.Is(err, strconv.ErrRange):
			return f.wrongValue(n.GetToken(), "found %q, expected %s", value, rangeOf(t))
		default:
			return f.wrongValue(n.GetToken(), "found %q, expected %s", value, wholeNumber)
		}
	}
	return nil
}

func (f *File) checkKey(n *ast.MappingValueNode, t reflect.Type, where string) error {
	if t.Kind() == reflect.Map {
		return f.checkKeys(n.Value, t.Elem(), where+n.Key.GetToken().Value+".")
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	key := n.Key.GetToken().Value
	var known []string
	for field := range t.Fields() {
		name := KeyOf(field)
		if name == key {
			return f.checkKeys(n.Value, field.Type, where+key+".")
		}
		if name != "" {
			known = append(known, where+name)
		}
	}
	if len(known) == 0 {
		return nil // a type that reads itself
	}
	return f.Mistake(n.Key.GetToken().Position.Line, "unknown key %q%s", where+key, suggest.DidYouMean(where+key, known, "the keys are "+strings.Join(known, ", ")))
}

// KeyOf returns the key that a field of a struct holds.
func KeyOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return name
}

// nodes counts the nodes that a node stands for, up to one more than maxNodes; anchors are what
// those before it stand for.
func nodes(node ast.Node, anchors map[string]int) int {
	n := 1
	add := func(more ast.Node) { n = min(maxNodes+1, n+nodes(more, anchors)) }
	switch v := node.(type) {
	case *ast.MappingNode:
		for _, one := range v.Values {
			add(one)
		}
	case *ast.MappingValueNode:
		add(v.Key)
		add(v.Value)
	case *ast.SequenceNode:
		for _, one := range v.Values {
			add(one)
		}
	case *ast.TagNode:
		add(v.Value)
	case *ast.MappingKeyNode:
		add(v.Value)
	case *ast.AnchorNode:
		add(v.Value)
		anchors[v.Name.String()] = n
	case *ast.AliasNode:
		n = min(maxNodes+1, n+anchors[v.Value.String()])
	}
	return n
}
