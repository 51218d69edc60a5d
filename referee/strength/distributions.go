package strength

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Gonum's package of distributions would link its linear algebra, 1.3 MB, of which
// standings need nothing.

// normalCDF is the distribution function of the standard normal distribution.
func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// normalDensity is the density of the standard normal distribution.
func normalDensity(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

// StudentCDF is the distribution function of Student's t distribution.
func StudentCDF(freedom, x float64) float64 {
	tail := 0.5 * mathext.RegIncBeta(freedom/2, 0.5, freedom/(x*x+freedom))
	if x > 0 {
		return 1 - tail
	}
	return tail
}

// Student is the 97.5 % point of Student's t distribution.
func Student(degrees int64) float64 {
	freedom := float64(degrees)
	t := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-0.975))
	return math.Sqrt(freedom * (1 - t) / t)
}

// CoinCDF is the probability that of n throws of a coin at most k show heads.
func CoinCDF(n, k int) float64 {
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k)+1, 0.5)
}
