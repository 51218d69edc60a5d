package program

import "path/filepath"

// Place returns how a bot is told from others from run to run, whatever is in
// its files at the time: its path, the name of a built-in bot, or a command
// line with the folder it is run in. Label is what the user named, and folder
// the base of relative paths; "" is the working directory.
func Place(folder, label string) string {
	_, what := SplitName(label)
	files := Files(folder, label)
	if len(files) == 1 && (!isCommandLine(what) || exists(Resolver{Folder: folder}.at(what))) {
		return files[0]
	}
	if len(files) == 0 && !isCommandLine(what) {
		return what // it is built in
	}
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	return folder + "\n" + what
}
