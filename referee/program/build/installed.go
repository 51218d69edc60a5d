package build

import (
	"context"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Installed is a row of the table with what this machine has of its tools.
type Installed struct {
	Language
	Path    string // of the compiler, or else of the interpreter
	Version string // its first line; "" where the row asks for none
	// Toolchain is that of the programs that are built with it.
	Toolchain string
	Row       string // the same for equal rows on all machines
	Err       error  // why the row can't be used; nil: it can
	Broken    bool   // Err is not about a tool that is missing
}

// Installed returns the rows of the table, each with what is installed.
func (b *Builder) Installed(ctx context.Context) []Installed {
	rows := make([]Installed, len(b.Languages))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, l := range b.Languages {
		group.Go(func() error {
			rows[i] = b.installed(ctx, l)
			return nil
		})
	}
	_ = group.Wait()
	return rows
}

func (b *Builder) installed(ctx context.Context, l Language) Installed {
	row := Installed{Language: l}
	t, err := b.tool(ctx, l)
	if err != nil {
		row.Err, row.Broken = err, l.Missing() == ""
		return row
	}
	row.Path, row.Toolchain, row.Row = t.real, l.toolchain(t), l.row()
	if l.Compile != "" || row.Path == "" {
		row.Path, row.Err = exec.LookPath(l.tools()[0])
	}
	if l.Version != "" {
		row.Version, _, _ = strings.Cut(t.version, "\n")
	}
	return row
}
