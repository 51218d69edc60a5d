package serve_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"umpire/referee/testlevel"
)

// soapClient is a program of testdata/clients around what a tool makes from the
// description of the service. In its commands SERVICE stands for the address of
// the service, VERSION and KEY for the client's, and SOURCE for the folder of
// the programs.
type soapClient struct {
	tool  string
	probe []string   // succeeds where the tool and its library are installed
	build [][]string // run first, in a folder of the client's own
	run   []string
	env   []string
}

// soapClients lists the clients of a version.
func soapClients(version string) []soapClient {
	const python = "/usr/bin/python3" // Debian's, for which apt installs zeep
	npm := func() string {
		root, _ := exec.Command("npm", "root", "-g").Output() // without npm the probe fails
		return "NODE_PATH=" + strings.TrimSpace(string(root))
	}
	protocol := map[string]string{"1.1": "SOAP", "1.2": "SOAP12"}[version]
	compile := strings.Fields("mcs -nologo -out:client.exe SOURCE/MonoClient.cs made.cs")
	mono := strings.Fields("mono client.exe SERVICE VERSION KEY")
	return []soapClient{
		{
			tool: "zeep", probe: []string{python, "-c", "import zeep"},
			run: []string{python, "SOURCE/zeep_client.py", "SERVICE?wsdl", "VERSION", "KEY"},
		},
		{
			tool: "npm", probe: []string{"node", "-e", "require('soap')"},
			run: strings.Fields("node SOURCE/npm_client.js SERVICE?wsdl VERSION KEY"), env: []string{npm()},
		},
		{
			tool: "wsdl", probe: []string{"sh", "-c", "command -v wsdl && command -v mcs"},
			build: [][]string{
				{"wsdl", "-nologo", "-protocol:" + protocol, "-out:made.cs", "SERVICE?wsdl"},
				append(compile[:len(compile):len(compile)], "-r:System.Web.Services"),
			},
			run: mono,
		},
		{
			tool: "svcutil", probe: []string{"sh", "-c", "command -v svcutil && command -v mcs"},
			build: [][]string{
				{"svcutil", "-out:made.cs", "SERVICE?wsdl"},
				append(compile[:len(compile):len(compile)], "-d:SVCUTIL", "-r:System.ServiceModel", "-r:System.Runtime.Serialization"),
			},
			run: mono,
		},
	}
}

// command runs a command in a folder and returns what it prints; ok is false if
// it fails.
func (c soapClient) command(t *testing.T, dir string, args []string) (out string, ok bool) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), c.env...)
	var printed, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &errs
	if err := cmd.Run(); err != nil {
		t.Logf("%q: %v\n%s%s", args, err, &printed, &errs)
		return "", false
	}
	return printed.String(), true
}

// Clients that common tools make from the description play a match to its end,
// unmodified, make each reply twice, and understand a problem.
func TestGeneratedClients(t *testing.T) {
	testlevel.Needs(t, testlevel.Default) // the tools take long, and the server is raced by other tests
	t.Parallel()
	source, err := filepath.Abs("testdata/clients")
	must(t, err)
	s := open(t, t.TempDir(), nil)
	for i, version := range []string{"1.1", "1.2"} {
		for k, c := range soapClients(version) {
			name := c.tool + "-" + version
			t.Run(name, func(t *testing.T) {
				if i != k { // by default two tools speak a version each
					testlevel.Needs(t, testlevel.Thorough)
				}
				dir := t.TempDir()
				if _, ok := c.command(t, dir, c.probe); !ok {
					t.Skipf("notice: %s is not installed, so no client of it plays", c.tool)
				}
				key := s.player(name)
				values := strings.NewReplacer("SERVICE", s.server.URL+"/soap", "VERSION", version, "KEY", key, "SOURCE", source)
				s.order(map[string]any{"game": "morra", "seats": []string{"remote:" + name, "@2"}, "case": "3 1", "time_ms": 60000, "move_ms": 0})
				var out string
				for _, args := range append(c.build, c.run) {
					// No argument holds a NUL.
					filled := strings.Split(values.Replace(strings.Join(args, "\x00")), "\x00")
					var ok bool
					if out, ok = c.command(t, dir, filled); !ok {
						t.Fatal("the client fails")
					}
				}
				want := strings.ReplaceAll(`seated morra 1 of 2 NAME,@2 60000
1 move 3 1 - ok
2 move 2 - ok
3 move 2 - ok
4 over 2 - ok
1 NAME 12 1 ok 
2 @2 0 2 ok 
1 done 3 1 2 ok
fault argument: game: found "<a&b>", expected the name of a game
`, "NAME", name)
				if out != want {
					t.Errorf("found\n%s\nexpected\n%s", out, want)
				}
			})
		}
	}
}
