package serve

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"umpire/protocols/catalog"
)

func TestBlocks(t *testing.T) {
	long := strings.Repeat("ten bytes ", 6) + "and"
	text := "# Title\n\n" + long + "\n1 more.\nNext line.\n\n" + long + "\n| item |\n\n\n  drawing\n  below\n\nshort\nlines\n\n- item,\n  goes on\n- next\n\n## Next\n\none line\n"
	want := []block{
		{"heading", []string{"Title"}},
		{"prose", []string{long + " 1 more.\nNext line."}},
		{"lines", []string{long, "| item |", "", "  drawing", "  below", "", "short", "lines"}},
		{"list", []string{"- item,\ngoes on", "- next"}},
		{"heading", []string{"Next"}},
		{"prose", []string{"one line"}},
	}
	if got := blocksOf(text); !reflect.DeepEqual(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
	// No rules lose a word.
	for _, g := range catalog.Games() {
		var words []string
		for _, b := range blocksOf(g.Rules) {
			words = append(words, strings.Fields(b.Text())...)
		}
		rules := slices.DeleteFunc(strings.Fields(g.Rules), func(word string) bool { return strings.Trim(word, "#") == "" })
		words = slices.DeleteFunc(words, func(word string) bool { return strings.Trim(word, "#") == "" })
		if !slices.Equal(words, rules) {
			t.Errorf("%s: the rules as blocks differ", g.Name)
		}
	}
}
