package report

import (
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
)

// Manual describes a command, or the whole program, to its users.
type Manual struct {
	Name     string // as typed, such as "umpire test"
	About    string // a phrase
	Synopsis string // how it is called
	// Description is paragraphs, separated by empty lines, whose line breaks
	// have no meaning. A line that begins with two spaces is an item of a list: a
	// label, two spaces, and text, which goes on in lines indented more.
	Description string
	Lists       []ManualList // commands or flags
	Examples    []string     // command lines
}

// ManualList is a titled list in a manual.
type ManualList struct {
	Title string
	Items []ManualItem
}

// ManualItem explains a flag or a command.
type ManualItem struct {
	Label string // what is typed
	Text  string
}

// Indentations of the help.
const (
	helpIndent = 2
	helpLabel  = 22 // the widest label with text beside it
)

// Text returns the manual as help, no wider than room if words allow.
func (m Manual) Text(room int) string {
	var b strings.Builder
	b.WriteString(wrap(m.Name+" - "+m.About, room, helpIndent) + "\n\n")
	b.WriteString("Usage:\n  " + wrapAfter(m.Synopsis, room, helpIndent, helpIndent+2) + "\n")
	for _, part := range paragraphs(m.Description) {
		b.WriteString("\n")
		if len(part.Items) == 0 {
			b.WriteString(wrap(part.Title, room, 0) + "\n")
			continue
		}
		if part.Title != "" {
			b.WriteString(wrap(part.Title, room, 0) + "\n")
		}
		b.WriteString(itemsText(part.Items, room))
	}
	for _, list := range m.Lists {
		b.WriteString("\n" + list.Title + ":\n" + itemsText(list.Items, room))
	}
	if len(m.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, line := range m.Examples {
			b.WriteString("  " + wrapAfter(line, room, helpIndent, helpIndent+4) + "\n")
		}
	}
	return b.String()
}

// itemsText returns a list: labels, and texts in a column beside them.
func itemsText(items []ManualItem, room int) string {
	label := 0
	for _, item := range items {
		if n := Width(item.Label); n <= helpLabel {
			label = max(label, n)
		}
	}
	column := helpIndent + label + gap
	if label == 0 || room > 0 && column > room/2 {
		column = helpIndent + 4
	}
	var b strings.Builder
	for _, item := range items {
		b.WriteString(strings.Repeat(" ", helpIndent) + item.Label)
		at := helpIndent + Width(item.Label)
		if at+gap > column {
			b.WriteString("\n")
			at = 0
		}
		b.WriteString(strings.Repeat(" ", column-at) + wrapAfter(item.Text, room, column, column) + "\n")
	}
	return b.String()
}

// paragraphs splits a description. A part is a paragraph, its title, or a list
// with what introduces it.
func paragraphs(text string) (parts []ManualList) {
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var part ManualList
		for line := range strings.SplitSeq(block, "\n") {
			words, indent := strings.TrimSpace(line), len(line)-len(strings.TrimLeft(line, " "))
			label, explained, isItem := strings.Cut(words, "  ")
			switch last := len(part.Items) - 1; {
			case indent == helpIndent && isItem:
				part.Items = append(part.Items, ManualItem{label, strings.TrimSpace(explained)})
			case last >= 0 && indent > helpIndent:
				part.Items[last].Text += " " + words
			case last >= 0:
				parts = append(parts, part)
				part = ManualList{Title: words}
			default:
				part.Title = strings.TrimSpace(part.Title + " " + words)
			}
		}
		if part.Title != "" || len(part.Items) > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

// ManPage returns a manual page in the form of man(7): a program with its
// commands.
func ManPage(program Manual, commands []Manual, version string) []byte {
	var b strings.Builder
	name, _, _ := strings.Cut(program.Name, " ")
	b.WriteString("% " + name + " 1 \"\" \"" + name + " " + version + "\"\n\n# NAME\n\n" + program.Name + " - " + markdownText(program.About) + "\n")
	b.WriteString("\n# SYNOPSIS\n\n" + markdownText(program.Synopsis) + "\n")
	if program.Description != "" {
		b.WriteString("\n# DESCRIPTION\n" + program.descriptionSource())
	}
	b.WriteString("\n# COMMANDS\n")
	for _, c := range commands {
		b.WriteString("\n## " + markdownText(c.Synopsis) + "\n\n" + markdownText(c.About) + "\n" + c.descriptionSource())
		for _, list := range c.Lists {
			b.WriteString("\n### " + list.Title + "\n" + itemsSource(list.Items))
		}
		b.WriteString(examplesSource(c.Examples, "\n### Examples\n"))
	}
	b.WriteString(examplesSource(program.Examples, "\n# EXAMPLES\n"))
	return md2man.Render([]byte(b.String()))
}

// descriptionSource returns the description in Markdown.
func (m Manual) descriptionSource() string {
	var b strings.Builder
	for _, part := range paragraphs(m.Description) {
		if part.Title != "" {
			b.WriteString("\n" + markdownText(part.Title) + "\n")
		}
		b.WriteString(itemsSource(part.Items))
	}
	return b.String()
}

func itemsSource(items []ManualItem) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString("\n**" + markdownText(item.Label) + "**\n: " + markdownText(item.Text) + "\n")
	}
	return b.String()
}

func examplesSource(lines []string, title string) string {
	if len(lines) == 0 {
		return ""
	}
	return title + "\n```\n" + strings.Join(lines, "\n") + "\n```\n"
}

// markdownText escapes what Markdown would take for markup.
func markdownText(text string) string {
	return markdownSpecial.Replace(text)
}

var markdownSpecial = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`)
