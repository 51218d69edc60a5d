package polygon

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
)

// element is an element of problem.xml, with the line where it begins.
type element struct {
	name       string
	line       int
	attributes map[string]string
	text       []byte
	children   []*element
}

// maxDepth is how deep elements may lie in each other.
const maxDepth = 100

// parse reads a document, whose root it returns. Line is that of an error.
func parse(text []byte) (root *element, line int, err error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	encoding := "" // that is not known
	d.CharsetReader = func(name string, _ io.Reader) (io.Reader, error) {
		encoding = name
		return nil, errors.ErrUnsupported
	}
	open := []*element{{}}
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if encoding != "" {
			return nil, line, fmt.Errorf("found encoding %q, expected UTF-8", encoding)
		}
		if err != nil {
			if wrong, ok := errors.AsType[*xml.SyntaxError](err); ok {
				return nil, wrong.Line, errors.New(wrong.Msg)
			}
			return nil, line, err
		}
		top := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, line: line, attributes: make(map[string]string)}
			for _, a := range t.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			top.children = append(top.children, e)
			if open = append(open, e); len(open) > maxDepth {
				return nil, line, fmt.Errorf("found elements more than %d deep", maxDepth)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.text = append(top.text, t...)
		}
	}
	root = open[0].child("problem")
	if root == nil {
		return nil, 1, errors.New("found no element <problem>")
	}
	return root, 0, nil
}

// child returns the first element of a path below; nil if there is none.
func (e *element) child(path ...string) *element {
	for _, name := range path {
		list := e.list(name)
		if len(list) == 0 {
			return nil
		}
		e = list[0]
	}
	return e
}

// list returns the elements of a name directly below; those of nil are none.
func (e *element) list(name string) []*element {
	if e == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.children), func(c *element) bool { return c.name != name })
}

// value is the text of an element below; "" if there is none.
func (e *element) value(name string) string {
	if c := e.child(name); c != nil {
		return string(bytes.TrimSpace(c.text))
	}
	return ""
}

// at is the line of an element below or, if there is none, of the element itself.
func (e *element) at(path ...string) int {
	if c := e.child(path...); c != nil {
		return c.line
	}
	return e.line
}

// addPaths adds the files that the element, and those below it, name.
func (e *element) addPaths(to map[string]bool) {
	if name := e.attributes["path"]; name != "" {
		to[path.Clean(name)] = true
	}
	for _, c := range e.children {
		c.addPaths(to)
	}
}
