package soap

import "slices"

// operation is what can be called.
type operation struct {
	name   string
	args   []field
	result string // type; "" if it returns nothing
}

// field is an argument, or a result, with its type in the schema.
type field struct{ name, kind string }

// operations lists the operations in the order of the description.
var operations = []operation{
	{"Join", []field{{"key", "xs:string"}, {"game", "xs:string"}, {"session", "xs:string"}, {"wait", "xs:int"}}, "tns:SeatInfo"},
	{"NextTurn", []field{{"ticket", "xs:string"}, {"turn", "xs:int"}, {"wait", "xs:int"}}, "tns:TurnInfo"},
	{"Reply", []field{{"ticket", "xs:string"}, {"turn", "xs:int"}, {"text", "xs:string"}, {"wait", "xs:int"}}, "tns:TurnInfo"},
	{"Leave", []field{{"ticket", "xs:string"}}, ""},
}

// indexOf returns the index of an operation; -1 if there is none with the name.
func indexOf(name string) int {
	return slices.IndexFunc(operations, func(op operation) bool { return op.name == name })
}
