package patolli_test

import (
	"testing"

	"umpire/protocols/patolli"
	"umpire/protocols/protocoltest"
	"umpire/referee/testlevel"
)

func TestConformance(t *testing.T) {
	protocoltest.Suite{Seeds: testlevel.Times(1, 1, 2)}.Run(t, patolli.Game())
}
