package strength

import "math"

// eloMean is the mean rating of a field.
const eloMean = 1500

// BradleyTerry rates bots by the model of that name: the first of a pair scores
// 1/(1+10^(-d/400)) of the points, d being the difference of their ratings. The
// ratings are the most likely ones, with the observed information. Mirrored
// matches are one observation. Every bot is also given one drawn observation
// against a player of mean strength, so that a bot that wins or loses
// everything, or has met only part of the field, also has a rating.
func BradleyTerry(bots int, pairs map[Pair]Met) Estimate {
	m := newSparse(bots, pairs)
	info := square(bots)
	fit(m.strength, func() { m.inform(); m.dense(info) }, func() []float64 { return solve(info, m.slope) })
	return Estimate{m.strength, invert(info)}
}

// dense writes the information as a matrix, whose other elements are 0.
func (m *sparse) dense(info [][]float64) {
	for i, list := range m.met {
		info[i][i] = m.diagonal[i]
		for _, o := range list {
			info[i][o.bot] = -o.weight
		}
	}
}

// ratings returns strengths in Elo, with a mean of eloMean. The intervals are those of the
// differences from it, which have these variances.
func ratings(strength, variance []float64) []*Rating {
	mean := 0.0
	for _, s := range strength {
		mean += s / float64(len(strength))
	}
	const scale = 400 / math.Ln10
	list := make([]*Rating, len(strength))
	for i, s := range strength {
		list[i] = NewRating(eloMean+scale*(s-mean), 1.96*scale*math.Sqrt(max(0, variance[i])), 10)
	}
	return list
}
