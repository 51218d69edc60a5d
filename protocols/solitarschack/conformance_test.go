package solitarschack_test

import (
	"testing"

	"umpire/protocols/protocoltest"
	"umpire/protocols/solitarschack"
)

func TestConformance(t *testing.T) { protocoltest.Run(t, solitarschack.Game()) }
