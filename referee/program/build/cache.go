package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"umpire/referee/filelock"
	"umpire/referee/pattern"
	"umpire/referee/sandbox/rmtree"
)

// The cache holds one folder per program, named by the hash of everything that
// went into the program. The folder holds the program as `bot` (or `bot.jar`,
// or a folder of classes), or the source that is run in `src`. It is made under
// another name and renamed when complete. A lock file beside it ensures that
// only one umpire makes it.

const (
	// timeout is how long a compiler may take, not counting what it waits for the machine,
	// and a tool to tell its version. With its waits, a compiler may take mostWall.
	timeout  = 60 * time.Second
	mostWall = 10 * timeout
	// sourceFolder is the folder of an entry that holds the source.
	sourceFolder = "src"
	// keep is how long an unused program stays in the cache.
	keep = 30 * 24 * time.Hour
	// retry is how often a lock held by another process is tried.
	retry = 20 * time.Millisecond
)

// CacheDir returns the user's folder for files that umpire can make again:
// UMPIRE_CACHE, or a folder in the system's cache folder.
func CacheDir() (string, error) {
	if dir := os.Getenv("UMPIRE_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err == nil && !filepath.IsAbs(dir) {
		err = fmt.Errorf("found %q, expected an absolute path; HOME is relative", dir)
	}
	if err != nil {
		return "", fmt.Errorf("find the cache folder (UMPIRE_CACHE may name one): %w", err)
	}
	return filepath.Join(dir, "umpire"), nil
}

func (b *Builder) cache() (string, error) {
	dir := b.Cache
	if dir == "" {
		user, err := CacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(user, "build")
	}
	return dir, os.MkdirAll(dir, 0o755)
}

// compiled returns the path of a source's program, which it compiles if it is
// not in the cache.
func (b *Builder) compiled(ctx context.Context, s source, l Language, t tool) (out string, err error) {
	key := Digest(append([]string{s.digest(), l.key(), t.version}, s.of(l)...)...)
	entry, err := b.entry(ctx, key, b.Use, func(dir string) error { return b.compile(ctx, s, l, dir) })
	return filepath.Join(entry, binary), err
}

// stored returns a folder that holds only the source as it was read. Programs
// are run from it: they get exactly the files that were hashed, nobody edits
// those while they run, and files beside a single source file are out of sight.
func (b *Builder) stored(ctx context.Context, s source) (dir string, err error) {
	exact := s
	exact.single = false // its name and mode matter here
	whole := func(entry string) bool {
		if !b.Use(entry) {
			return false
		}
		found, err := readFolder(ctx, filepath.Join(entry, sourceFolder), nil)
		return err == nil && found.digest() == exact.digest()
	}
	entry, err := b.entry(ctx, Digest("source", exact.digest()), whole, func(dir string) error {
		if err := WriteFiles(filepath.Join(dir, sourceFolder), s.files); err != nil {
			return err
		}
		return settle(dir)
	})
	return filepath.Join(entry, sourceFolder), err
}

// inCache says what can be done about a file of the cache that can't be used. It
// hides the file's error, whose path would be taken for the bot's own.
func inCache(err error) error {
	if _, isFile := errors.AsType[*fs.PathError](err); isFile {
		err = fmt.Errorf("the cache can't be used: %w; UMPIRE_CACHE may name another folder", err)
	}
	return &MachineError{err}
}

// entry returns the folder of a key, which fill makes unless it is already
// there and whole.
func (b *Builder) entry(ctx context.Context, key string, whole func(entry string) bool, fill func(dir string) error) (string, error) {
	dir, err := b.cache()
	if err != nil {
		return "", &CacheError{inCache(err)}
	}
	if b.Token != nil {
		token, err := b.Token()
		if err != nil {
			return "", err
		}
		key = Digest(key, token)
	}
	entry := filepath.Join(dir, key)
	if whole(entry) {
		return entry, nil
	}
	unlock, err := lock(ctx, entry+".lock")
	switch {
	case ctx.Err() != nil && err != nil:
		return "", err
	case err != nil:
		return "", inCache(fmt.Errorf("lock the cache: %w", err))
	}
	defer unlock()
	if whole(entry) {
		return entry, nil
	}
	Prune(dir)
	temp, err := newMaking(dir, filepath.Base(entry))
	if err != nil {
		return "", inCache(err)
	}
	defer func() { _ = rmtree.Remove(temp) }()
	if err = fill(temp); err == nil {
		if err = rmtree.Remove(entry); err == nil {
			err = os.Rename(temp, entry)
		}
	}
	switch {
	case err == nil:
		b.Use(entry)
		return entry, nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.As(err, new(*Error)), errors.As(err, new(*ToolError)):
		return "", err
	}
	return "", inCache(err)
}

// compile compiles in a folder: the source goes to src, where the compiler
// runs, and the program beside it.
func (b *Builder) compile(ctx context.Context, s source, l Language, dir string) error {
	if b.Notice != nil {
		b.Notice(s.path(), l.Name)
	}
	s, class := s.renamed(l)
	args, err := compiler(s, l, class)
	if err == nil {
		err = b.call(ctx, s, l, dir, args)
	}
	if err == nil {
		err = executable(filepath.Join(dir, binary))
	}
	return err
}

// call calls a compiler or a check in a folder, in whose src it puts the source
// meanwhile.
func (b *Builder) call(ctx context.Context, s source, l Language, dir string, args []string) error {
	c := Command{Dir: filepath.Join(dir, sourceFolder), Args: args}
	err := WriteFiles(c.Dir, s.files)
	if err == nil && b.Prepare != nil {
		err = b.Prepare(ctx, c)
	}
	if err != nil {
		return err
	}
	output, err := b.run(ctx, c, "the compiler")
	if lack, ok := errors.AsType[*ToolError](err); ok {
		return l.notRun(lack.Reason)
	}
	if err == nil && l.Compile != "" {
		err = made(dir)
	}
	if err == nil {
		err = rmtree.Remove(c.Dir)
	}
	if err == nil {
		err = settle(dir)
	}
	return blame(err, Error{Language: l.Name, Output: output, Dir: c.Dir, Files: s.names()})
}

// blame completes the error of a source whose compiler has failed. Others stay as they
// are, as do those of umpire on the way to a program.
func blame(err error, source Error) error {
	failed, ok := errors.AsType[*FailedError](err)
	if !ok {
		return err
	}
	source.Reason = failed.Reason
	return &source
}

// run runs a command, which may take no longer than a compiler. What has succeeded
// counts, however late umpire learns of it.
func (b *Builder) run(ctx context.Context, c Command, what string) ([]byte, error) {
	run := b.Run
	if run == nil {
		run = Plain
	}
	limited, cancel := context.WithCancel(ctx)
	timer := newTimer(b.Stalled)
	c.Look = timer.look
	var clock sync.WaitGroup
	var over error
	clock.Go(func() {
		over = timer.await(limited, what)
		cancel()
	})
	output, err := run(limited, c)
	late := limited.Err() != nil
	cancel()
	clock.Wait()
	if late && errors.As(err, new(*FailedError)) {
		err = cmp.Or(over, ctx.Err())
	}
	return output, err
}

// plainStart matches the beginning of a name that no compiler mistakes for
// anything else: a word that begins with - is an option, one with @ a file of
// options.
var plainStart = pattern.New(`^[\pL\pN_.]`)

// plain returns the name of a file in the working folder as a word that can only
// be a file's.
func plain(name string) string {
	if plainStart().MatchString(name) {
		return name
	}
	return "./" + name
}

// compiler returns the compiler's command line; the program is made beside the
// folder the compiler runs in.
func compiler(s source, l Language, class string) (args []string, err error) {
	names := s.of(l)
	for i, n := range names {
		if strings.HasPrefix(filepath.Base(n), "@") {
			return nil, &Error{
				Language: l.Name, Files: s.names(),
				Reason: fmt.Errorf("%s: found a name that begins with @, which compilers take for a file of options", n),
			}
		}
		names[i] = plain(n)
	}
	args = fill(l.Compile, map[string]string{
		"{source}": names[0], "{out}": filepath.Join("..", binary), "{class}": class,
	})
	if i := slices.Index(args, "{sources}"); i >= 0 {
		args = slices.Replace(args, i, i+1, names...)
	}
	args[0], err = exec.LookPath(args[0])
	return args, err
}

// executable marks a linker's output as executable, since the linker can't do
// that at every level of isolation.
func executable(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // it has another name, and is not itself executed
	}
	return os.Chmod(path, 0o755)
}

// made returns an error if a compiler has left nothing beside the source.
func made(dir string) error {
	found, err := os.ReadDir(dir)
	if err == nil && !slices.ContainsFunc(found, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "bot") }) {
		err = &FailedError{errors.New("the compiler succeeded but made no program")}
	}
	return err
}

// settle makes umpire the owner of a compiler's output. An isolated compiler
// may run as another user, and is controlled by its source: a link that it
// leaves could lead anywhere, and a bot may read what the link leads to.
func settle(dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := os.FileMode(0o755)
		switch {
		case d.IsDir():
		case !d.Type().IsRegular():
			return &FailedError{fmt.Errorf("the compiler made %s, which is neither a file nor a folder", filepath.Base(path))}
		default:
			info, err := d.Info()
			if err != nil {
				return err
			}
			mode = 0o444 | info.Mode().Perm()&0o755
			if mode&0o100 != 0 {
				mode |= 0o111
			}
		}
		if err := own(path); err != nil {
			return err
		}
		return os.Chmod(path, mode)
	})
}

// making begins the name of a folder in which an entry is made, by the holder
// of the entry's lock.
const making = "making-"

// newMaking makes the folder in which an entry is made. The caller holds the
// entry's lock, so an existing folder was left by an umpire that was killed.
func newMaking(dir, entry string) (string, error) {
	path := filepath.Join(dir, making+entry)
	if err := rmtree.Remove(path); err != nil {
		return "", err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		return "", err
	}
	return path, os.Chmod(path, 0o755) // a bot may run under another user than umpire
}

// removeLeft removes an abandoned folder in which an entry was being made.
func removeLeft(dir, name string) {
	entry, ok := strings.CutPrefix(name, making)
	if !ok {
		return
	}
	lock, err := os.OpenFile(filepath.Join(dir, entry+".lock"), os.O_RDWR, 0)
	locked := false
	if err == nil {
		defer lock.Close()
		locked, err = filelock.Try(lock)
	}
	if locked || errors.Is(err, os.ErrNotExist) {
		_ = rmtree.Remove(filepath.Join(dir, name))
	}
}

// lock locks a file exclusively, also within this process, and creates it if
// necessary. Waiting ends with ctx; the holder of a lock is compiling, and that
// has a timeout.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(retry)
	defer tick.Stop()
	for {
		locked, err := filelock.Try(f)
		if locked {
			return func() { f.Close() }, nil
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, context.Cause(ctx)
		case <-tick.C:
		}
	}
}
