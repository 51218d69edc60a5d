package testlevel

import (
	"fmt"
	"testing"
)

func TestEvery(t *testing.T) {
	for word, want := range map[string]string{"": "[0 3]", "thorough": "[0 1 2 3 4]"} {
		t.Run("level "+word, func(t *testing.T) {
			at(t, false, word)
			var ran []int
			for n := range 5 {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					Every(t, n, 3)
					ran = append(ran, n)
				})
			}
			if got := fmt.Sprint(ran); got != want {
				t.Errorf("found %s, expected %s", got, want)
			}
		})
	}
}
