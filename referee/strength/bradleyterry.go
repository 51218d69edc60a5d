package strength

// eloMean is the mean rating of a field.
const eloMean = 1500

// BradleyTerry rates bots by the model of that name: the first of a pair scores
// 1/(1+10^(-d/400)) of the points, d being the difference of their ratings. The
// ratings are the most likely ones, with the observed information. Mirrored
// matches are one observation. Every bot is also given one drawn observation
// against a player of mean strength, so that a bot that wins or loses
// everything, or has met only part of the field, also has a rating.
func BradleyTerry(bots int, pairs map[Pair]Met) Estimate {
	m := newBradleyTerry(bots, pairs)
	for range 100 {
		if m.step() < 1e-10 {
			break
		}
	}
	m.inform()
	return Estimate{m.strength, invert(m.info)}
}

// bradleyTerry is the state of the estimation.
type bradleyTerry struct {
	n, won   [][]float64 // observations of a pair, and the points of the first
	strength []float64
	info     [][]float64 // minus the second derivatives of the log likelihood
	slope    []float64
}

func newBradleyTerry(bots int, pairs map[Pair]Met) *bradleyTerry {
	m := &bradleyTerry{
		n: square(bots), won: square(bots), info: square(bots),
		strength: make([]float64, bots), slope: make([]float64, bots),
	}
	for key, d := range pairs {
		a, b := key.A, key.B
		points := float64(d.Quarters) / 4
		m.n[a][b], m.n[b][a] = float64(d.Observations), float64(d.Observations)
		m.won[a][b], m.won[b][a] = points, float64(d.Observations)-points
	}
	return m
}

// inform computes slope and info at the current strengths.
func (m *bradleyTerry) inform() {
	for i := range m.strength {
		// The drawn observation against the mean.
		p := logistic(m.strength[i])
		m.slope[i], m.info[i][i] = 0.5-p, p*(1-p)
		for j, n := range m.n[i] {
			if j == i {
				continue
			}
			m.info[i][j] = 0
			if n > 0 {
				p := logistic(m.strength[i] - m.strength[j])
				m.slope[i] += m.won[i][j] - n*p
				m.info[i][i] += n * p * (1 - p)
				m.info[i][j] = -n * p * (1 - p)
			}
		}
	}
}

// step takes one step of Newton's method, shortened if too long, and returns
// the full length.
func (m *bradleyTerry) step() float64 {
	m.inform()
	return advance(m.strength, solve(m.info, m.slope))
}
