package vmukni_test

import (
	"testing"

	"umpire/protocols/vmukni"
	"umpire/protocols/protocoltest"
)

func TestConformance(t *testing.T) { protocoltest.Run(t, vmukni.Game()) }
