package mensch

import "strconv"

// maxModulus bounds the numbers of Dice: primes A, B < m ≤ 997.
const maxModulus = 997

// Dice are the three primes that determine all rolls: X1 = B, Xk = (A·Xk-1 + B)
// mod m, and the k-th number is (Xk mod 6) + 1.
type Dice struct{ A, B, M int }

// String is the line of a case: "A B m".
func (d Dice) String() string {
	return strconv.Itoa(d.A) + " " + strconv.Itoa(d.B) + " " + strconv.Itoa(d.M)
}

// cycle returns after how many numbers the sequence repeats, at least 2 and at
// most m, and which faces it shows, by number. Multiplying by A and adding B
// permutes the numbers below m, so the sequence returns to its first number.
func (d Dice) cycle() (length int, faces [7]bool) {
	s := d.Sequence()
	for {
		faces[s.Next()] = true
		length++
		if s.x == 0 {
			return length, faces
		}
	}
}

// fair reports whether the dice suit a generated case: a cycle of at least 100
// numbers that shows all six faces.
func (d Dice) fair() bool {
	length, faces := d.cycle()
	return length >= 100 && faces == [7]bool{false, true, true, true, true, true, true}
}

// Sequence yields the numbers of Dice one after another.
type Sequence struct {
	dice Dice
	x    int // Xk; 0 before the first, since A·0 + B = X1
}

// Sequence starts the sequence of the dice.
func (d Dice) Sequence() Sequence { return Sequence{dice: d} }

// Next returns the next number, 1 to 6.
func (s *Sequence) Next() int {
	s.x = (s.dice.A*s.x + s.dice.B) % s.dice.M
	return s.x%6 + 1
}

// Roll rolls until the first number that is not a six. There always is one: the
// sequence returns to X = 0, which is a one.
func (s *Sequence) Roll() Roll {
	var r Roll
	for {
		n := s.Next()
		if n != 6 {
			r.Last = n
			return r
		}
		r.Sixes++
	}
}

// Roll holds the numbers of a roll, or those still unused: any number of sixes
// and after them at most one other number.
type Roll struct {
	Sixes int
	Last  int // 1 to 5, or 0 for none
}

// None reports whether nothing is unused.
func (r Roll) None() bool { return r == Roll{} }

// Has reports whether a number from 1 to 6 is there.
func (r Roll) Has(n int) bool {
	if n == 6 {
		return r.Sixes > 0
	}
	return r.Last == n
}

// Without is the roll after one use of a number that is there.
func (r Roll) Without(n int) Roll {
	if n == 6 {
		r.Sixes--
	} else {
		r.Last = 0
	}
	return r
}

// Numbers lists the roll's numbers; it is never nil.
func (r Roll) Numbers() []int {
	out := make([]int, 0, r.Sixes+1)
	for range r.Sixes {
		out = append(out, 6)
	}
	if r.Last > 0 {
		out = append(out, r.Last)
	}
	return out
}

// append writes the numbers, separated by spaces.
func (r Roll) append(dst []byte) []byte {
	for i := range r.Sixes {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, '6')
	}
	if r.Last > 0 {
		if r.Sixes > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, byte('0'+r.Last))
	}
	return dst
}

// String is the roll as it is printed: "6 6 2".
func (r Roll) String() string { return string(r.append(nil)) }

// primes lists the primes up to maxModulus.
func primes() []int {
	var out []int
	for n := 2; n <= maxModulus; n++ {
		if prime(n) {
			out = append(out, n)
		}
	}
	return out
}

func prime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n >= 2
}
