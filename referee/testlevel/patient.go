package testlevel

import (
	"flag"
	"runtime"
	"strconv"
)

// Patient is for the TestMain of tests that mostly wait: so many of those that may run
// beside others run at a time, or as many as there are processors, unless -parallel says how many.
func Patient(n int) {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(max(n, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
}
