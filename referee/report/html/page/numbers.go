package page

// Numbers numbers values from 0, in the order in which they come.
type Numbers[T comparable] struct {
	Values []T // without repetitions

	number map[T]int
}

// Of returns the number of a value.
func (n *Numbers[T]) Of(value T) int {
	number, ok := n.number[value]
	if !ok {
		if n.number == nil {
			n.number = make(map[T]int)
		}
		number = len(n.Values)
		n.number[value] = number
		n.Values = append(n.Values, value)
	}
	return number
}
