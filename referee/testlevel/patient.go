package testlevel

import (
	"flag"
	"runtime"
	"strconv"
)

// Patient is for the TestMain of tests that mostly wait: more of those that may run
// beside others run at a time than there are processors, unless -parallel says how many.
func Patient() {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(max(6, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
}
