package sandboxtest

import (
	"os"
	"os/exec"
	"path/filepath"
)

// FastPython has tests find the python3 first that starts in the least time: that of the
// system, or what a version manager's shim starts. The shim takes ten times as long, and
// what it starts four times.
func FastPython() {
	const system = "/usr/bin/python3"
	dir := filepath.Dir(system)
	if exec.Command(system, "-c", "").Run() != nil {
		out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
		if err != nil {
			return
		}
		dir = filepath.Dir(string(out))
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}
