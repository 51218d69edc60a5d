package cli_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"golang.org/x/sys/unix"

	"umpire/protocols/catalog"
	"umpire/referee/pattern"
	"umpire/referee/testlevel"
)

// display is the screen of a terminal, which knows the sequences that umpire sends.
type display struct {
	columns  int
	rows     [][]string // cells; the second of a wide character is empty
	row, col int
	wrapped  int // how many times a line was too long
}

var sequence = pattern.New(`^\x1b\[([0-9;]*)([A-Za-z])`)

// linkEnd matches the beginning and the end of a link, which take no cells.
var linkEnd = pattern.New(`^\x1b\]8;;[^\x1b]*\x1b\\`)

func (d *display) write(t *testing.T, text string) {
	for text != "" {
		text = text[len(linkEnd().FindString(text)):]
		if s := sequence().FindStringSubmatch(text); s != nil {
			d.control(t, s[1], s[2])
			text = text[len(s[0]):]
			continue
		}
		cluster, rest, width, _ := uniseg.FirstGraphemeClusterInString(text, -1)
		text = rest
		switch cluster {
		case "\r\n":
			d.row, d.col = d.row+1, 0
		case "\r":
			d.col = 0
		case "\n":
			d.row++
		default:
			d.put(cluster, width)
		}
	}
}

func (d *display) control(t *testing.T, n, command string) {
	switch count, _ := strconv.Atoi(n); command {
	case "m":
	case "A":
		d.row = max(0, d.row-max(1, count))
	case "J":
		if d.row < len(d.rows) {
			d.rows = d.rows[:d.row+1]
			d.rows[d.row] = d.rows[d.row][:min(d.col, len(d.rows[d.row]))]
		}
	default:
		t.Errorf("umpire sends the terminal \\x1b[%s%s", n, command)
	}
}

func (d *display) put(cluster string, width int) {
	if d.col+width > d.columns {
		d.row, d.col = d.row+1, 0
		d.wrapped++
	}
	for len(d.rows) <= d.row {
		d.rows = append(d.rows, nil)
	}
	for len(d.rows[d.row]) < d.col+width {
		d.rows[d.row] = append(d.rows[d.row], " ")
	}
	for i := range width {
		d.rows[d.row][d.col+i] = ""
	}
	d.rows[d.row][d.col] = cluster
	d.col += width
}

func (d *display) String() string {
	var b strings.Builder
	for _, row := range d.rows {
		b.WriteString(strings.TrimRight(strings.Join(row, ""), " ") + "\n")
	}
	return b.String()
}

// onTerminal runs umpire on a terminal, and returns what the terminal shows in
// the end and everything that was sent to it.
func onTerminal(t *testing.T, dir string, columns int, env []string, args ...string) (*display, string) {
	t.Helper()
	k := newKiller(t)
	ours, theirs := openTerminal(t, uint16(columns))
	cmd := k.command(args...)
	cmd.Dir = dir
	cmd.Env = append(append(cmd.Env, "TERM=xterm", "NO_COLOR=", "UMPIRE_ISOLATION=none", "XDG_CACHE_HOME="+t.TempDir()), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	must(t, cmd.Start())
	theirs.Close()
	var sent bytes.Buffer
	_, _ = io.Copy(&sent, ours) // ends with an error once nobody has the terminal
	ours.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, sent.String())
	}
	d := &display{columns: columns}
	d.write(t, sent.String())
	return d, sent.String()
}

// noIsolation is the notice of it, as wrapped as it may be.
var noIsolation = pattern.New(`umpire: no isolation: [^.]*\. [^.]*\s+is\s+an\s+error\n`)

// Times and sizes of processes differ from run to run.
var measured = pattern.New(` +[0-9.]+ (ms|MiB)`)

// TestScreens compares what terminals of 80 and 120 columns show with the files
// of testdata/screens, which -update writes. By default the narrower ones are tried.
func TestScreens(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	bots := []string{"AVeryLongNameOfThirtyLettersXY=@greedy", "围棋大师机器人=@optimal", "@random"}
	for _, columns := range []int{80, 120} {
		for name, args := range map[string][]string{
			"help-cases": {"help", "cases"},
			"test":       {"test", "ioiwari", bots[0], "-n", "6", "--time", "0"},
			"test-cjk":   {"test", "vmukni", "围棋大师=@greedy", "-n", "3", "--time", "0"},
			"tournament": append([]string{"tournament", "ioiwari", "--cases-per-pair", "5", "--time", "0", "--no-times", "-o", "run"}, bots...),
			"score":      append([]string{"score", "ioiwari", "-n", "6", "--time", "0"}, bots...),
		} {
			t.Run(fmt.Sprintf("%s-%d", name, columns), func(t *testing.T) {
				if columns == 120 {
					testlevel.Needs(t, testlevel.Thorough)
				}
				t.Parallel()
				dir := t.TempDir()
				d, sent := onTerminal(t, dir, columns, nil, args...)
				if link := "\x1b]8;;file://" + filepath.Join(dir, "run/results.jsonl") + "\x1b\\"; name == "tournament" && !strings.Contains(sent, link) {
					t.Errorf("the results are no link, expected %q", link)
				}
				if d.wrapped > 0 {
					t.Errorf("%d lines are too long for %d columns", d.wrapped, columns)
				}
				wider := 0
				found := measured().ReplaceAllStringFunc(d.String(), func(cell string) string {
					if strings.HasSuffix(cell, " MiB") {
						return "  " + strings.Repeat("#", len(cell)-2)
					}
					// A match takes seconds on a busy machine, for which the column
					// grows from that row on.
					wider = max(wider, len(strings.TrimLeft(cell, " "))-len("999.999 ms"))
					return "  " + strings.Repeat("#", len(cell)-2-wider)
				})
				found = noIsolation().ReplaceAllString(found, "")
				golden(t, fmt.Sprintf("testdata/screens/%s-%d.txt", name, columns), found)
			})
		}
	}
}

// TestNarrowTables: on narrow terminals, too, tables fit, columns that are left out are named
// below them, and it can be seen who has won.
func TestNarrowTables(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir := t.TempDir()
	for _, format := range []string{"swiss", "knockout"} {
		onTerminal(t, dir, 80, nil, "tournament", "ioiwari", "anna-lisa=@greedy", "twin=@greedy", "@random", "--format", format, "--case", "official/01", "--time", "0", "-o", format)
	}
	for _, columns := range []int{40, 50, 60} {
		for shown, args := range map[string][]string{
			`anna-lisa +twin +([0-9].*)?anna-lisa \(tie\)\n`:                           {"standings", "knockout"},
			`rank +bot +rounds won(.*\n)+\(in a wider window also:`:                    {"standings", "swiss"},
			`case +verdict +result .*points.*\n(.*\n)+\(in a wider window also: .*mem`: {"test", "ioiwari", "@greedy", "--case", "official/01", "--time", "0"},
		} {
			d, _ := onTerminal(t, dir, columns, nil, args...)
			if d.wrapped > 0 || !regexp.MustCompile(shown).MatchString(d.String()) {
				t.Errorf("%q in %d columns: %d lines are too long, or found no %s in\n%s", args, columns, d.wrapped, shown, d)
			}
		}
	}
}

// TestGamesScreen: each game has its line, on terminals of any width.
func TestGamesScreen(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{60, 80, 120} {
		d, _ := onTerminal(t, t.TempDir(), columns, nil, "games")
		if d.wrapped > 0 {
			t.Errorf("%d lines are too long for %d columns", d.wrapped, columns)
		}
		for _, g := range catalog.Games() {
			if !strings.Contains(d.String(), "\n"+g.Name+" ") {
				t.Errorf("%d columns: found no line of %s in\n%s", columns, g.Name, d)
			}
		}
	}
}

var update = flag.Bool("update", false, "write the files of testdata/screens, instead of comparing with them")

func golden(t *testing.T, file, found string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(file, []byte(found), 0o644))
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != found {
		t.Errorf("%s: %v: found:\n%s\nexpected:\n%s\nif the new text is right: go test ./referee/cli -run TestScreens -update", file, err, found, want)
	}
}

// TestProgressLine: the line takes one row of the terminal, also when that is
// made narrower, and is gone in the end. A dumb terminal gets plain lines.
func TestProgressLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo := filepath.Join(dir, "go")
	must(t, unix.Mkfifo(fifo, 0o600))
	script := "#!/bin/sh\nread board\n[ -e first ] || { : >first; exit; }\nread on <go\n"
	write(t, filepath.Join(dir, "waits.sh"), script)
	k := killer{t: t, dir: dir}
	k.umpire = link(t, os.Args[0], filepath.Join(dir, "umpire"))
	cmd := k.command("tournament", "ioiwari", "./waits.sh", "围棋大师=@greedy", "--case", "official/01", "--jobs", "1", "--time", "0", "-o", "run")
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "TERM=xterm", "UMPIRE_ISOLATION=none")
	ours, theirs := openTerminal(t, 80)
	startOn(t, ours, theirs, cmd)

	sent := ""
	until := func(form string) []string {
		t.Helper()
		for {
			if found := regexp.MustCompile(form).FindStringSubmatch(sent); found != nil {
				sent = ""
				return found
			}
			b := make([]byte, 4096)
			n, err := ours.Read(b)
			if err != nil {
				t.Fatalf("%v: found no %s in %q", err, form, sent)
			}
			sent += string(b[:n])
		}
	}
	wide := until(`tournament [█░]+ 1/2, [0-9.]+ matches/s, \S+ left`)[0]
	if n := uniseg.StringWidth(wide); n <= 30 || n >= 80 {
		t.Errorf("in 80 columns the line takes %d: %q", n, wide)
	}
	must(t, unix.IoctlSetWinsize(int(ours.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 30}))
	// The terminal has wrapped the line, which is removed as a whole.
	narrow := until(`\r\x1b\[([0-9]+)A\x1b\[J(tournament [^\r]*…)`)
	if n := uniseg.StringWidth(narrow[2]); n >= 30 {
		t.Errorf("in 30 columns the line takes %d: %q", n, narrow[2])
	}
	if narrow[1] != "1" && narrow[1] != "2" {
		t.Errorf("a line of %q was %s rows higher", wide, narrow[1])
	}
	otherEnd(t, fifo, os.O_WRONLY).Close()
	until(`\r\x1b\[J[^\n]*Ioiwari: round-robin`)
	_, _ = io.Copy(io.Discard, ours)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestNothingWraps: what is said of the machine, of the environment and of moves fits the
// terminal, but for the variables' values, words that are too long for it, such as paths, and
// commands.
func TestNothingWraps(t *testing.T) {
	dir := t.TempDir()
	onTerminal(t, dir, 80, nil, "tournament", "ioiwari", "@greedy", "@random", "-n", "1", "--time", "0", "-o", "run")
	for command, row := range map[string]struct {
		columns int
		except  string // how lines begin that may be longer
	}{"doctor": {80, "isolation:"}, "env": {80, "[A-Z]"}, "analyse run": {40, "  umpire "}} {
		_, sent := onTerminal(t, dir, row.columns, []string{"NO_COLOR=1"}, strings.Fields(command)...)
		for line := range strings.Lines(sent) {
			parts := strings.Split(strings.TrimRight(line, "\r\n"), "\x1b[J") // the last is not progress
			line = parts[len(parts)-1]
			if uniseg.StringWidth(line) > row.columns && len(strings.Fields(line)) > 1 && !regexp.MustCompile("^"+row.except).MatchString(line) {
				t.Errorf("umpire %s: %q is too long", command, line)
			}
		}
	}
}

// TestDumbTerminal: no control sequences are sent to a terminal without them.
func TestDumbTerminal(t *testing.T) {
	_, sent := onTerminal(t, t.TempDir(), 80, []string{"TERM=dumb"}, "tournament", "ioiwari", "@greedy", "@random", "-n", "3", "--time", "0", "-o", "run")
	if strings.ContainsAny(sent, "\x1b") || !strings.Contains(sent, "Standings") {
		t.Errorf("it is sent %q", sent)
	}
}
