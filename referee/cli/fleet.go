package cli

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/cli/shell"
	"umpire/referee/fleet"
	"umpire/referee/fleet/recheck"
	"umpire/referee/keys"
	"umpire/referee/program"
	"umpire/referee/report"
	"umpire/referee/session"
)

// fleetFlags are the flags of commands whose matches can be played by workers
// on other machines. They also have --listen.
func fleetFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "nats", Usage: "spread the matches over workers by the NATS server or cluster, or umpire fleet serve, at `URL`"},
		tokenFlag("the secret of workers is in `FILE` (default: a new one, in the run folder); with --nats, that of this run (default: in UMPIRE_KEY)"),
		&cli.IntFlag{Name: "priority", Value: 1, Usage: "with --nats: get `N` times the workers' time that another run with 1 gets; up to 100"},
		&cli.StringSliceFlag{Name: "needs", Usage: "play only on workers with the label `LABEL`, and on this machine; repeatable"},
		keysFlag(keys.Worker),
		authorityFlag(),
		&cli.StringFlag{Name: "recheck", Usage: "play a random `SHARE` of the workers' matches, such as 1%, again, on this machine if it plays, and report differences"},
		&cli.BoolFlag{Name: "calibrate", Usage: "multiply a worker's budgets by what built-in bots need there, compared with this machine or, if that does not play, the first worker: 0.5 to 2"},
	}
}

func tokenFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "token-file", Usage: usage} }

// workersOf says how the matches of a command are spread over workers: with --nats, or
// --listen where nobody else is listened for; nil if they are not.
func workersOf(a *app, c *cli.Context, p session.Play) (*session.Workers, error) {
	may := c.IsSet("nats") || c.IsSet("listen")
	switch {
	case shell.Flag(c.Command, "nats") == nil:
		return nil, nil
	case c.IsSet("workers") && (!may || c.IsSet("nats")):
		return nil, usagef("--workers: found no --listen for workers with keys; those of a NATS server are its users")
	case c.IsSet("priority") && !c.IsSet("nats"):
		return nil, usagef("--priority: no other runs have the same workers; expected --nats as well")
	case c.Int("priority") < 1 || c.Int("priority") > fleet.MaxPriority:
		return nil, usagef("--priority: found %d, expected 1 to %d", c.Int("priority"), fleet.MaxPriority)
	case c.IsSet("tls-ca") && !c.IsSet("nats"):
		return nil, usagef("--tls-ca: no NATS server is connected to; expected --nats as well")
	case may && c.Bool("watch"):
		return nil, usagef("--watch: a test that is repeated is played here; leave --listen and --nats out")
	case may && c.Bool("verbose"):
		return nil, usagef("--verbose: what workers play can't be shown as it is exchanged; leave --listen and --nats out")
	}
	for _, flag := range []string{"token-file", "needs", "recheck", "calibrate"} {
		needed := may && (flag == "token-file" || flag == "needs" || !hasGuests(p)) // workers play what guests don't
		if isGiven(c, flag) && !needed {
			return nil, usagef("--%s: no workers take part; expected --listen or --nats as well", flag)
		}
	}
	w := &session.Workers{
		URL: c.String("nats"), Insecure: c.Bool("insecure"), Listen: c.IsSet("listen"), AtInterrupt: a.drain.atFirstInterrupt,
		Priority: c.Int("priority"), Calibrate: c.Bool("calibrate"),
	}
	if !isLeft(string(p.Machine.Level)) {
		w.Level = p.Machine.Level
	}
	if c.IsSet("nats") {
		if _, err := fleet.Addresses(w.URL, w.Insecure || c.IsSet("tls-ca")); err != nil {
			return nil, usagef("--nats: %w", err)
		}
	}
	var err error
	if w.Needs, err = labelsOf(c, "needs"); err != nil {
		return nil, err
	}
	if w.Recheck, err = recheckShare(c); err != nil || !may {
		return nil, err
	}
	if w.TLS, err = trusted(c.String("tls-ca")); err != nil {
		return nil, err
	}
	if !c.IsSet("nats") && !hasGuests(p) && (c.IsSet("workers") || keys.Worker.UserFile() != "") {
		if w.Keys, err = userKeys(c, keys.Worker, true); err != nil {
			return nil, err
		}
	}
	w.Token, err = readToken(c)
	if c.IsSet("nats") && fleet.UserOf(w.URL) == "" {
		w.Token = cmp.Or(w.Token, secretOfEnv())
	}
	return w, err
}

// secretIn returns the secret in the file that a flag names; "" if none is named.
func secretIn(c *cli.Context, flag string) (string, error) {
	path := c.String(flag)
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", usagef("--%s: %w", flag, err)
	}
	return bare(string(text)), nil
}

// secretOfEnv returns the secret in UMPIRE_KEY.
func secretOfEnv() string { return bare(os.Getenv("UMPIRE_KEY")) }

// bare returns a text without what editors put around it.
func bare(text string) string { return strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) }

// labelsOf returns the labels that a flag lists.
func labelsOf(c *cli.Context, flag string) ([]string, error) {
	for _, label := range c.StringSlice(flag) {
		if err := fleet.CheckLabel(label); err != nil {
			return nil, usagef("--%s: %w", flag, err)
		}
	}
	return c.StringSlice(flag), nil
}

// isLeft reports whether a value of --isolation leaves the level to the machine.
func isLeft(level string) bool { return level == "" || level == string(referee.LevelAuto) }

// readToken returns the secret in the file of --token-file; "" without it.
func readToken(c *cli.Context) (string, error) {
	token, err := secretIn(c, "token-file")
	if path := c.String("token-file"); err == nil && path != "" && token == "" {
		err = usagef("--token-file: %s is empty", path)
	}
	return token, err
}

// recheckShare reads --recheck: a percentage or a fraction.
func recheckShare(c *cli.Context) (float64, error) {
	text := c.String("recheck")
	if !c.IsSet("recheck") {
		return 0, nil
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, usagef("--recheck: found %q, expected a share of the matches: 1%%, or 0.01", text)
	}
	return share, nil
}

// noteRechecks says what playing matches again has shown.
func noteRechecks(a *app, found *recheck.Summary) {
	if found == nil {
		return
	}
	if found.Matches+found.Skipped == 0 {
		a.note("recheck: the sample has none of the matches that workers have played\n")
		return
	}
	if found.Matches > 0 {
		a.note("recheck: %s played again elsewhere, %d with the same outcome\n", report.Plural(found.Matches, "match"), found.Same)
	}
	for _, d := range found.Differ {
		a.note("recheck: warning: %s\n", d)
	}
	if len(found.Unsteady) > 0 {
		var bots []string
		for _, u := range found.Unsteady {
			bots = append(bots, fmt.Sprintf("%s (%s)", u.Bot, report.Plural(u.Matches, "match")))
		}
		a.note("recheck: these are not the same each time, which says nothing about workers: %s\n", strings.Join(bots, ", "))
	}
	if found.Skipped > 0 {
		a.note("recheck: %s could not be played again: nobody else could (workers at one address: only with keys), or umpire failed\n", report.Plural(found.Skipped, "match"))
	}
}

// hasGuests reports whether players from outside are asked for.
func hasGuests(p session.Play) bool { return slices.ContainsFunc(p.Entrants, program.Entrant.IsGuest) }

// trusted returns a TLS configuration that also trusts the certificate in a
// file; nil if none is named.
func trusted(file string) (*tls.Config, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("--tls-ca: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, usagef("--tls-ca: %s holds no certificate in PEM form", file)
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12, Time: time.Now}, nil
}

func authorityFlag() cli.Flag {
	return &cli.StringFlag{Name: "tls-ca", Usage: "trust the certificate in `FILE`, beside those that this machine trusts"}
}
