package build

import _ "embed"

// ofSystem are this system's own rows.
//
//go:embed languages_windows.yaml
var ofSystem []byte
