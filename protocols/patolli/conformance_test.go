package patolli_test

import (
	"testing"

	"umpire/protocols/patolli"
	"umpire/protocols/protocoltest"
)

func TestConformance(t *testing.T) { protocoltest.Suite{Seeds: 2}.Run(t, patolli.Game()) }
