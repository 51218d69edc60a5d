package session

import "path/filepath"

// fromHere returns a path relative to the working folder, if it lies below that.
func fromHere(path string) string {
	here, _ := filepath.Abs("")
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// shown is a path as it is shown to users: where it was unpacked from an archive, it is that in
// the archive.
func (u *Umpire) shown(path string) string {
	for root, archive := range u.unpacked {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(archive, rel)
		}
	}
	return fromHere(path)
}
