package soap

import (
	_ "embed"
	"encoding/xml"
	"strings"
)

// description describes the service at ADDRESS.
//
//go:embed service.wsdl
var description string

// WSDL describes the service at an address.
func WSDL(address string) string {
	var at strings.Builder
	_ = xml.EscapeText(&at, []byte(address)) // a builder takes all
	return strings.ReplaceAll(description, "ADDRESS", at.String())
}
