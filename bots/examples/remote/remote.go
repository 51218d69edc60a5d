// Package remote holds programs that play at another machine's umpire, one for each
// language. The comment at the head of each says how to run it.
package remote

import "embed"

// Files are the programs.
//
//go:embed client.go client.js client.py client.sh Client.cs
var Files embed.FS
