package cli_test

import (
	"regexp"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// TestMatchesFitMemory plays in a group of 600 MiB: two matches with 2 × 256 MiB would not
// fit, one does, two of 2 × 64 MiB do, and of 2 × 512 MiB not even one.
func TestMatchesFitMemory(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	m := newLimitsTest(t)
	m.group = smallGroup(t, 600<<20)
	for memory, told := range map[string]string{
		"256M": `\Aumpire: 1 match at a time, not 2: there is room for 2 contestants \(5\d\d MiB of memory are left, and each may take 256 MiB\)\n\z`,
		"64M":  `\A\z`,
		"512M": `\Aumpire: 1 match at a time, which may take more memory than there is for its 2 contestants \(5\d\d MiB .* each may take 512 MiB\)\n\z`,
	} {
		_, _, said := m.umpire(t, "tournament", "vmukni", "a=@greedy", "b=@greedy", "--case", "small#1.1", "--time", "5m",
			"--jobs", "2", "--isolation", "none", "--quiet", "--memory", memory, "-o", "fit"+memory)
		if !regexp.MustCompile(told).MatchString(said) {
			t.Errorf("--memory %s: found %q, expected %q", memory, said, told)
		}
	}
	out, code, _ := m.umpire(t, "doctor")
	if want := regexp.MustCompile(`memory: 5\d\d MiB left of 600 MiB; .*ioiwari may take`); code != 0 || !want.Match(out) {
		t.Errorf("exit code %d, found:\n%s\nexpected %v", code, out, want)
	}
}

// TestQuota: doctor says when a control group gives less CPU time than there are CPUs, and so
// many CPUs are what there is for matches.
func TestQuota(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	m := newLimitsTest(t)
	m.group = limitedGroup(t, "90000", map[string]string{"cpu": "cpu.cfs_quota_us", "": "cpu.max"})
	out, code, _ := m.umpire(t, "doctor")
	if want := regexp.MustCompile(`-- cpu_quota: 0\.90 of \d+ CPUs\n.*\n +to get it: `); code != 0 || !want.Match(out) {
		t.Errorf("exit code %d, found:\n%s\nexpected %v", code, out, want)
	}
	_, code, said := m.umpire(t, "tournament", "vmukni", "a=@greedy", "b=@greedy", "--case", "small#1.1", "--jobs", "2", "--time", "4s")
	if want := "notice: with 2 concurrent matches on 1 CPU, "; code != 0 || !strings.Contains(said, want) {
		t.Errorf("exit code %d, found %q, expected %q", code, said, want)
	}
}
