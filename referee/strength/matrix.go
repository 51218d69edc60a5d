package strength

import "math"

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	cells := make([]float64, n*n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n]
	}
	return rows
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// fit finds the most likely strengths by Newton's method: inform computes what follows
// from the strengths as they are, as it does from the last ones at the end, and step is
// the next step.
func fit(strength []float64, inform func(), step func() []float64) {
	for range 100 {
		inform()
		if advance(strength, step()) < 1e-10 {
			break
		}
	}
	inform()
}

// advance adds a step to strengths, shortened if too long, and returns its full
// length.
func advance(strength, by []float64) (far float64) {
	for _, d := range by {
		far = max(far, math.Abs(d))
	}
	shrink := 1 / max(1, far)
	for i, d := range by {
		strength[i] += d * shrink
	}
	return far
}

// bisect returns, after so many steps, about the last number on the way from one to another
// of which something holds that holds at its beginning, and no more from some number on.
func bisect(from, to float64, steps int, holds func(float64) bool) float64 {
	for range steps {
		if middle := (from + to) / 2; holds(middle) {
			from = middle
		} else {
			to = middle
		}
	}
	return from
}

// cholesky factors a positive definite matrix.
func cholesky(a [][]float64) [][]float64 {
	l := square(len(a))
	for i := range a {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(sum)
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return l
}

func solve(a [][]float64, b []float64) []float64 { return solveFactored(cholesky(a), b) }

func solveFactored(l [][]float64, b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range b {
		x[i] = b[i]
		for k := range i {
			x[i] -= l[i][k] * x[k]
		}
		x[i] /= l[i][i]
	}
	for i := len(b) - 1; i >= 0; i-- {
		for k := i + 1; k < len(b); k++ {
			x[i] -= l[k][i] * x[k]
		}
		x[i] /= l[i][i]
	}
	return x
}

func invert(a [][]float64) [][]float64 {
	l, inverse := cholesky(a), square(len(a))
	unit := make([]float64, len(a))
	for i := range a {
		unit[i] = 1
		copy(inverse[i], solveFactored(l, unit))
		unit[i] = 0
	}
	return inverse
}
