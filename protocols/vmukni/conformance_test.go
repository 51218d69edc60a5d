package vmukni_test

import (
	"testing"

	"umpire/protocols/protocoltest"
	"umpire/protocols/vmukni"
)

func TestConformance(t *testing.T) { protocoltest.Run(t, vmukni.Game()) }
