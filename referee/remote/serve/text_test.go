package serve

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"umpire/protocols/catalog"
)

// Rules are rendered from their Markdown; what others wrote as tags is text.
func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"# Title\n\nTake *one*, **flush**,\nthen `1 2`.":         "<h3>Title</h3>\n<p>Take <em>one</em>, <strong>flush</strong>,\nthen <code>1 2</code>.</p>\n",
		"- first\n  goes on\n- second\n\nSo:\n\n    drawing <\n": "<ul>\n<li>first\ngoes on</li>\n<li>second</li>\n</ul>\n<p>So:</p>\n<pre><code>drawing &lt;\n</code></pre>\n",
		"| a | b |\n| - | - |\n| 1 | 2 |":                        "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n",
		"Send <b>x</b> & wait":                                   "<p>Send &lt;b&gt;x&lt;/b&gt; &amp; wait</p>\n",
		"<script>alert(1)</script>":                              "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		"[here](javascript:alert(1))":                            "<p><tt>here</tt></p>\n",
		"[here](&#74;avascript:alert(1)) <javascript:x>":         "<p><tt>here</tt> <tt>javascript:x</tt></p>\n",
		"<div onclick=x>\n\n*y*\n</div>":                         "<p>&lt;div onclick=x&gt;\n</p>\n<p><em>y</em></p>\n<p>&lt;/div&gt;</p>\n",
		"[x](http://h/\"onclick=y)":                              "<p><a href=\"http://h/%22onclick=y\">x</a></p>\n",
		"![a *board*](http://host/board.png)":                    "<p>a <em>board</em></p>\n",
	} {
		if got := rulesToHTML(text); string(got) != want {
			t.Errorf("%q: found %q, expected %q", text, got, want)
		}
	}
	for _, g := range catalog.Games() {
		got := rulesToHTML(g.Rules)
		if !strings.HasPrefix(string(got), "<h3>") || strings.Contains(string(got), "**") {
			t.Errorf("%s: found %q", g.Name, got)
		}
	}
}

// TestNames: two play against each other; of more that is not said.
func TestNames(t *testing.T) {
	type seat struct{ Player string }
	for _, test := range []struct {
		seats []seat
		want  string
	}{
		{[]seat{{"eve"}, {"bob"}}, "eve against bob"},
		{[]seat{{"eve"}, {"bob"}, {"ann"}}, "eve · bob · ann"},
	} {
		var text strings.Builder
		if err := templates().ExecuteTemplate(&text, "names", struct{ Seats []seat }{test.seats}); err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile("<[^>]*>").ReplaceAllString(text.String(), ""); got != test.want {
			t.Errorf("found %q, expected %q", got, test.want)
		}
	}
}

var (
	rulesTag  = regexp.MustCompile(`^</?(h[1-6]|p|em|strong|code|pre|ul|ol|li|a|table|thead|tbody|tfoot|tr|th|td|blockquote|hr|br|tt)\b`)
	rulesLink = regexp.MustCompile(`(?i)(href|src)="([^"]*)"`)
)

// FuzzRules: whatever the author of a game writes, his rules bring no tag of their own and
// no link but to other pages.
func FuzzRules(f *testing.F) {
	for _, text := range []string{"[a](javascript:x)", "<img src=x onerror=y>", "![a](b)\n\n<div>\n| a |\n|-|\n", "[a]: data:x\n[a]", "<a&#58;b>", "```x y\n<b>\n```", "<http://h>", "|- \n|\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out := string(rulesToHTML(text))
		for i := range out {
			if out[i] == '<' && !rulesTag.MatchString(out[i:]) {
				t.Fatalf("%q: found tag %.40q", text, out[i:])
			}
		}
		for _, link := range rulesLink.FindAllStringSubmatch(out, -1) {
			if scheme, _, has := strings.Cut(link[2], ":"); link[1] != "href" || has && !slices.Contains([]string{"http", "https", "ftp", "mailto"}, strings.ToLower(scheme)) && !strings.Contains(scheme, "/") {
				t.Fatalf("%q: found link %q", text, link[0])
			}
		}
	})
}
