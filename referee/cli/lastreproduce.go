package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/session"
)

// source is where a reproduction takes the match and the bot from.
type source struct {
	file  string
	bot   string           // as the user named it; "": the recorded one, if it is built in
	last  session.LastTest // where the file is that of the last test
	known bool             // last is set
}

// reproductionSource reads the arguments [FILE] [BOT]. Without FILE it is the
// last test; without BOT, too, the bot of that test.
func reproductionSource(args []string) (s source, err error) {
	switch {
	case len(args) > 2:
		return s, usagef("found %d arguments, expected `umpire reproduce [FILE] [BOT]`", len(args))
	case len(args) == 2:
		return source{file: args[0], bot: args[1]}, nil
	case len(args) == 1 && session.IsResults(args[0]):
		return source{file: args[0]}, nil
	}
	if len(args) == 1 {
		if files := program.ParseEntrant("", args[0]).Files(); len(files) == 1 && !exists(files[0]) {
			return s, usagef("%s: no such file, expected results or a bot: `umpire reproduce [FILE] [BOT]`", args[0])
		}
	}
	s.known = true
	if s.file, s.last, err = session.LastOfAll(); errors.Is(err, fs.ErrNotExist) {
		return s, usagef("found no FILE, and no earlier test, expected `umpire reproduce [FILE] [BOT]`")
	}
	if err != nil {
		return s, usage(err)
	}
	s.bot = s.last.Bot
	if len(args) == 1 {
		s.bot = args[0]
	}
	return s, nil
}

// lastFailed finds the record with an id in the last test or, without an id, the
// first match that failed.
func lastFailed(a *app, file, id string) (first record.Record, err error) {
	if id != "" {
		return a.files.One(session.Pick{Files: []string{file}, ID: id})
	}
	first, failed, played, err := a.files.FirstFailed(file)
	switch {
	case err != nil:
		return first, err
	case played == 0:
		return first, usagef("the last test has no match that was played")
	case failed == 0 && played > 1:
		return first, usagef("no match failed in the last test, so --id must say which is meant: umpire replay %s --list", quote(session.LinkToLast(file)))
	case failed > 1:
		a.note("umpire: case %s, the first of %d matches that failed in the last test; --id chooses another\n", first.Case.Name, failed)
	}
	return first, nil
}

// prepare takes over what the bot of the last test was built and started with,
// unless the user has set it. It returns the folder of the bot.
func (s source) prepare(isSet func(string) bool, set func(name, value string) error) (folder string, err error) {
	if !s.known || s.bot != s.last.Bot {
		return "", nil
	}
	for name, value := range s.last.Flags {
		if isSet(name) {
			continue
		}
		if err := set(name, value); err != nil {
			return "", fmt.Errorf("--%s of the last test: %w", name, err)
		}
	}
	if wd, err := os.Getwd(); err == nil && wd == s.last.Folder {
		return "", nil
	}
	return s.last.Folder, nil
}
