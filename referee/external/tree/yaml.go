package tree

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxNodes is how many nodes a file of YAML may have, its aliases written out: a few lines can
// stand for billions.
const maxNodes = 1_000_000

// DecodeYAML reads YAML of a package, whose author may be anybody.
func DecodeYAML(text []byte, to any) error {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return err
	}
	anchors := make(map[string]int)
	for _, doc := range file.Docs {
		if nodes(doc.Body, anchors) > maxNodes {
			return fmt.Errorf("stands for more than %d values, its aliases written out", maxNodes)
		}
	}
	return yaml.Unmarshal(text, to)
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
