//go:build unix

package build

// ofSystem are this system's own rows: none.
var ofSystem []byte
