package serve

import (
	"strings"
	"testing"

	"umpire/protocols/catalog"
)

// Rules are rendered from their Markdown; what others wrote as tags is text.
func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"# Title\n\nTake *one*, **flush**,\nthen `1 2`.":         "<h3>Title</h3>\n<p>Take <em>one</em>, <strong>flush</strong>,\nthen <code>1 2</code>.</p>\n",
		"- first\n  goes on\n- second\n\nSo:\n\n    drawing <\n": "<ul>\n<li>first\ngoes on</li>\n<li>second</li>\n</ul>\n<p>So:</p>\n<pre><code>drawing &lt;\n</code></pre>\n",
		"| a | b |\n| - | - |\n| 1 | 2 |":                        "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n",
		"Send <b>x</b> & wait":                                   "<p>Send &lt;b&gt;x&lt;/b&gt; &amp; wait</p>\n",
		"<script>alert(1)</script>":                              "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		"[here](javascript:alert(1))":                            "<p><a href=\"\">here</a></p>\n",
		"![a *board*](http://host/board.png)":                    "<p>a <em>board</em></p>\n",
	} {
		if got, err := markdown(text); err != nil || string(got) != want {
			t.Errorf("%q: found %q, %v, expected %q", text, got, err, want)
		}
	}
	for _, g := range catalog.Games() {
		got, err := markdown(g.Rules)
		if err != nil || !strings.HasPrefix(string(got), "<h3>") || strings.Contains(string(got), "**") {
			t.Errorf("%s: found %q, %v", g.Name, got, err)
		}
	}
}
