package main

import (
	"math"

	"umpire/protocols/solitarschack/planner"
)

const (
	// ridge keeps the weights of features that hardly occur near zero.
	ridge = 30
	// aside is the weight in a phase of samples from the phases next to it.
	aside = 0.3
)

// fit finds the weights that come nearest to the samples, phase by phase, by
// least squares.
func fit(samples []sample) *planner.Weights {
	w := new(planner.Weights)
	phases := make([]*equations, planner.Phases)
	for i := range phases {
		phases[i] = newEquations(planner.FeatureCount)
	}
	for _, s := range samples {
		features := planner.Features(&s.state)
		at := int(s.state.Moves) / planner.PhaseLength
		phases[at].add(features, s.rest, 1)
		if at > 0 {
			phases[at-1].add(features, s.rest, aside)
		}
		if at+1 < len(phases) {
			phases[at+1].add(features, s.rest, aside)
		}
	}
	for i, e := range phases {
		for j, x := range e.solve() {
			w[i][j] = int32(math.Round(x * planner.Unit))
		}
	}
	return w
}

// rootMeanSquare returns the error of the weights on the samples they were
// fitted to.
func rootMeanSquare(samples []sample, w *planner.Weights) float64 {
	sum := 0.0
	for _, s := range samples {
		value := 0.0
		for _, f := range planner.Features(&s.state) {
			value += float64(w[s.state.Moves/planner.PhaseLength][f.Index]) * float64(f.Count) / planner.Unit
		}
		sum += (value - s.rest) * (value - s.rest)
	}
	return math.Sqrt(sum / float64(len(samples)))
}

// equations are the normal equations of a least-squares fit: the lower
// triangle.
type equations struct {
	n      int
	matrix []float64
	right  []float64
}

func newEquations(n int) *equations {
	e := &equations{n, make([]float64, n*n), make([]float64, n)}
	for i := range n {
		e.matrix[i*n+i] = ridge
	}
	return e
}

// add adds a sample with a weight. Features may be listed more than once.
func (e *equations) add(features []planner.Feature, y, weight float64) {
	for _, a := range features {
		x := weight * float64(a.Count)
		e.right[a.Index] += x * y
		row := e.matrix[int(a.Index)*e.n:]
		for _, b := range features {
			if b.Index <= a.Index {
				row[b.Index] += x * float64(b.Count)
			}
		}
	}
}

// solve solves the equations by Cholesky's decomposition, in place.
func (e *equations) solve() []float64 {
	n, m, x := e.n, e.matrix, e.right
	for i := range n {
		for j := range i + 1 {
			s := m[i*n+j]
			for k := range j {
				s -= m[i*n+k] * m[j*n+k]
			}
			if i == j {
				m[i*n+i] = math.Sqrt(s)
			} else {
				m[i*n+j] = s / m[j*n+j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= m[i*n+k] * x[k]
		}
		x[i] /= m[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= m[k*n+i] * x[k]
		}
		x[i] /= m[i*n+i]
	}
	return x
}
