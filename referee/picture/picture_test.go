package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"umpire/protocols"
)

var choices = []protocols.Choice{{Reply: "7", Label: "cell 7"}, {Reply: "up left", Label: "up left"}}

const (
	head = `<svg xmlns="http://www.w3.org/2000/svg" class="own" viewBox="0 0 9 9" role="img" aria-label="Position">`
	open = `<svg viewBox="0 0 9 9">`
)

// TestClean: what a picture may hold stays, and all else goes.
func TestClean(t *testing.T) {
	for _, test := range []struct{ name, svg, want string }{
		{"shapes", `<rect x="1" y="2.5" width="3px" height="-4e1" rx=".5"/><circle cx="1" cy="1" r="1" fill="#ff0000" stroke="rgb(1, 2, 3)"/>`,
			`<rect height="-4e1" rx=".5" width="3" x="1" y="2.5"></rect><circle cx="1" cy="1" fill="#ff0000" r="1" stroke="rgb(1, 2, 3)"></circle>`},
		{"path", `<path d="M1 2l3,-4a1 1 0 01.5.5z" fill-rule="evenodd"/>`, `<path d="M1 2l3,-4a1 1 0 01.5.5z" fill-rule="evenodd"></path>`},
		{"text", `<text x="1" y="2" font-size="3">a &lt;b&gt; &amp; <![CDATA[<script>]]><tspan dx="1">c</tspan></text>`,
			`<text font-size="3" x="1" y="2">a &lt;b&gt; &amp; &lt;script&gt;<tspan dx="1">c</tspan></text>`},
		{"space between", " \n<g>\n <g/> words </g>\n", "<g><g></g></g>"},
		{"classes, ids and keys", `<g class="drawn seat" id="picture" data-key="k"/>`, `<g class="own-drawn own-seat" data-key="own-k" id="own-picture"></g>`},
		{"an id twice", `<g id="a"/><g id="a"/>`, `<g id="own-a"></g><g></g>`},
		{"use", `<defs><g id="a"/></defs><use href="#a" x="1"/>`, `<defs><g id="own-a"></g></defs><use href="#own-a" x="1"></use>`},
		{"use of another file", `<use href="other.svg#a"/><use href="https://example.com/#a"/><use xlink:href="#a"/>`, `<use></use><use></use><use></use>`},
		{"gradient", `<linearGradient id="a"><stop offset="0.5" stop-color="red"/></linearGradient><rect fill="url(#a)" stroke="url(http://example.com/#a)"/>`,
			`<linearGradient id="own-a"><stop offset="0.5" stop-color="red"></stop></linearGradient><rect fill="url(#own-a)"></rect>`},
		{"transform", `<g transform="translate(1,2) rotate(45)"/>`, `<g transform="translate(1,2) rotate(45)"></g>`},
		{"not the seat's replies", `<g data-reply="8"/><g data-reply=""/>`, `<g></g><g></g>`},

		{"script", `<script>alert(1)</script><g onclick="alert(1)" onload="alert(1)"/>`, `<g></g>`},
		{"style", `<style>*{display:none}</style><g style="position:fixed"/>`, `<g></g>`},
		{"pages", `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><rect/></body></foreignObject><iframe src="/"/>`, ``},
		{"images", `<image href="https://example.com/"/><feImage href="x"/><filter id="f"/><g filter="url(#f)"/>`, `<g></g>`},
		{"links", `<a href="https://example.com/"><rect/></a>`, ``},
		{"motion", `<rect><animate attributeName="href" to="x"/><set/></rect>`, `<rect></rect>`},
		{"other namespaces", `<x:rect xmlns:x="urn:x"/><rect xmlns="http://www.w3.org/1999/xhtml"/><p:circle xmlns:p="http://www.w3.org/2000/svg" p:r="1" xml:base="x"/>`, `<circle></circle>`},
		{"within words", `<title>a<script>b</script></title><desc><svg/></desc><text><rect/><a>x</a>y</text>`, `<title>a</title><desc></desc><text>y</text>`},
		{"another root", `<svg/><symbol/><mask/><pattern/><marker/>`, ``},
		{"outside in colours", `<g fill="url(javascript:alert(1))" stroke="expression(1)" font-family="a;b:url(x)"/>`, `<g></g>`},
		{"comments", `<!-- <rect/> --><?x y?>`, ``},
		{"roles", `<g role="alert" tabindex="9" aria-live="assertive" aria-label="x"/>`, `<g aria-label="x"></g>`},
	} {
		want := head + test.want + "</svg>"
		if strings.Contains(test.want, "<title>") {
			want = strings.Replace(want, ` aria-label="Position"`, "", 1)
		}
		got, err := Clean(open+test.svg+"</svg>", nil)
		if err != nil || got != want {
			t.Errorf("%s: found\n%s, error %v, expected\n%s", test.name, got, err, want)
		}
	}
}

// TestReplies: what the seat may reply can be clicked, and reached by the keyboard.
func TestReplies(t *testing.T) {
	got, err := Clean(open+`<rect data-reply=" 07"/><g data-reply="up left" aria-label="there"/><g data-reply="8"/></svg>`, choices)
	want := strings.Replace(head, "img", "group", 1) + `<rect aria-label="cell 7" data-reply=" 07" role="button" tabindex="0"></rect>` +
		`<g aria-label="there" data-reply="up left" role="button" tabindex="0"></g><g></g></svg>`
	if err != nil || got != want {
		t.Errorf("found\n%s, error %v, expected\n%s", got, err, want)
	}
}

// TestNoPicture: what is no picture, or more of one than a page can show, is refused.
func TestNoPicture(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("<g>", n) + strings.Repeat("</g>", n) }
	laughs := `<g id="a0"><g/><g/><g/><g/><g/><g/><g/><g/><g/><g/></g>`
	for _, pair := range []string{"10", "21", "32", "43", "54", "65"} {
		laughs += `<g id="a` + pair[:1] + `">` + strings.Repeat(`<use href="#a`+pair[1:]+`"/>`, 10) + "</g>"
	}
	for _, test := range []struct{ name, svg, want string }{
		{"nothing", "", "found no element, expected svg"},
		{"text", "hello", `found "hello" outside of svg`},
		{"a page", "<html><body/></html>", `found "html", expected svg`},
		{"not closed", open + "<g>", "not well-formed XML: unexpected EOF"},
		{"closed twice", open + "</g></svg>", "not well-formed XML: element <svg> closed by </g>"},
		{"a contestant's bytes", open + "<text>a < b</text></svg>", "not well-formed XML: expected element name after <"},
		{"two", open + "</svg>" + open + "</svg>", `found "svg" after the end of svg`},
		{"entities", `<!DOCTYPE svg [<!ENTITY a "b">]>` + open + "<text>&a;</text></svg>", "found <!DOCTYPE, expected elements and text alone"},
		{"unknown entity", open + "<text>&nbsp;</text></svg>", "not well-formed XML: invalid character entity &nbsp;"},
		{"control character", open + "<text>\x01</text></svg>", "not well-formed XML: illegal character code U+0001"},
		{"no size", "<svg/>", "viewBox of svg: found \"\", expected four numbers"},
		{"flat", `<svg viewBox="0 0 9 0"/>`, "viewBox of svg: found \"0 0 9 0\", expected four numbers, the last two above 0"},
		{"huge", open + `<rect width="1e9"/></svg>`, `width of rect: found "1e9", expected numbers of at most 1000000`},
		{"infinite", open + `<path d="M1e999 0"/></svg>`, `d of path: found "1e999", expected numbers`},
		{"percent", open + `<rect width="100%"/></svg>`, `width of rect: found "100%", expected numbers`},
		{"deep", open + nested(64) + "</svg>", "found elements 65 deep, expected at most 64"},
		{"long", open + strings.Repeat("<g/>", 20000) + "</svg>", "bytes, expected at most 65536"},
		{"long when written", open + strings.Repeat("<g/>", 15000) + "</svg>", "bytes when written anew, expected at most 65536"},
		{"uses itself", open + `<g id="a"><use href="#a"/></g></svg>`, "found an element that uses itself"},
		{"uses itself through another", open + `<g id="a"><use href="#b"/></g><clipPath id="b"><use href="#a"/></clipPath></svg>`, "found an element that uses itself"},
		{"uses a lot", open + laughs + "</svg>", "found more than 20000 elements, those used again included"},
	} {
		if got, err := Clean(test.svg, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: found %.99q, error %v, expected %s", test.name, got, err, test.want)
		}
	}
	if _, err := Clean(open+nested(63)+"</svg>", nil); err != nil {
		t.Error(err)
	}
	if got, err := Clean(`<svg width="30px" height="20"/>`, nil); err != nil || !strings.Contains(got, `viewBox="0 0 30 20"`) {
		t.Errorf("found %s, error %v", got, err)
	}
}

// FuzzClean: whatever comes, what goes out is well-formed, holds nothing but what is
// allowed, and is not changed by being cleaned again.
func FuzzClean(f *testing.F) {
	for _, svg := range []string{
		`<rect data-reply="7" x="1"/><text class="a b">c&#x9;</text>`, `<title>a</title><use href="#a"/><g id="a" transform="scale(2)"/>`,
		`<script>1</script><a href="x"><g/></a><style/>`, `<path d="M1-2.5.5e3z" stroke-dasharray="1, 2"/>`, `<g fill="url(#a)" clip-path="url(#b)"/>`,
		`<![CDATA[ <x> ]]><!-- -->`, `<rect width="5 px" font-family="a, b"/>`, `<x:g xmlns:x="http://www.w3.org/2000/svg" x:id="a"/>`,
	} {
		f.Add(open+svg+"</svg>", "7")
	}
	f.Add(`<?xml version="1.0"?><svg width="1" height="2" aria-label="&quot;"/>`, "")
	f.Fuzz(func(t *testing.T, svg, reply string) {
		choices := []protocols.Choice{{Reply: reply, Label: reply}}
		got, err := Clean(svg, choices)
		if err != nil {
			return
		}
		d := xml.NewDecoder(strings.NewReader(got))
		for depth := 0; ; {
			token, err := d.RawToken()
			if errors.Is(err, io.EOF) {
				break
			}
			switch e := token.(type) {
			case xml.StartElement:
				if depth++; (depth == 1) != (e.Name.Local == "svg") || depth > 1 && !elements()[e.Name.Local] || e.Name.Space != "" {
					t.Fatalf("found element %v in %s", e.Name, got)
				}
				checkAttributes(t, e, depth == 1, choices)
			case xml.EndElement:
				depth--
			case xml.CharData:
			default:
				t.Fatalf("found %T, error %v in %s", e, err, got)
			}
		}
		if again, err := Clean(got, choices); err != nil || again != got {
			t.Fatalf("cleaned again: error %v, found\n%s, expected\n%s", err, again, got)
		}
	})
}

func checkAttributes(t *testing.T, e xml.StartElement, root bool, choices []protocols.Choice) {
	t.Helper()
	seen := make(map[string]bool)
	for _, a := range e.Attr {
		name := a.Name.Local
		switch allowed := attributes()[name] != nil || name == "role" || name == "tabindex"; {
		case a.Name.Space != "" || seen[name]:
		case root && (name == "xmlns" || name == "viewBox" || name == "role" || name == "aria-label" || name == "class" && a.Value == "own"),
			!root && allowed && name != "class" && name != "id" && name != "data-key" && name != "data-reply",
			!root && allowed && strings.HasPrefix(a.Value, prefix),
			!root && name == "data-reply" && protocols.Tidy(a.Value) == protocols.Tidy(choices[0].Reply):
			seen[name] = true
			continue
		}
		t.Fatalf("found attribute %v=%q of %s", a.Name, a.Value, e.Name.Local)
	}
}
