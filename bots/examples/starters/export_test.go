package starters

var PartsOf = partsOf
