package soap

import (
	"encoding/xml"
	"strings"
)

// WSDL describes the SOAP service at an address.
func WSDL(address string) string {
	var at strings.Builder
	_ = xml.EscapeText(&at, []byte(address)) // a builder takes all
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions name="Umpire" targetNamespace="urn:umpire:v1" xmlns:tns="urn:umpire:v1"
    xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/">
  <wsdl:types>
    <xs:schema targetNamespace="urn:umpire:v1" elementFormDefault="qualified">
`)
	for _, op := range operations {
		b.WriteString(elementOf(op.name, op.args...))
		if op.result == "" {
			b.WriteString(elementOf(op.name + "Response"))
		} else {
			b.WriteString(elementOf(op.name+"Response", field{op.name + "Result", op.result}))
		}
	}
	b.WriteString(schemaTypes)
	b.WriteString("    </xs:schema>\n  </wsdl:types>\n")
	for _, op := range operations {
		for _, part := range []string{op.name, op.name + "Response"} {
			b.WriteString(`  <wsdl:message name="` + part + `"><wsdl:part name="parameters" element="tns:` + part + `"/></wsdl:message>` + "\n")
		}
	}
	b.WriteString(`  <wsdl:message name="Problem"><wsdl:part name="fault" element="tns:Problem"/></wsdl:message>` + "\n")
	b.WriteString(`  <wsdl:portType name="UmpireSoap">` + "\n")
	for _, op := range operations {
		b.WriteString(`    <wsdl:operation name="` + op.name + `"><wsdl:input message="tns:` + op.name + `"/><wsdl:output message="tns:` + op.name +
			`Response"/><wsdl:fault name="Problem" message="tns:Problem"/></wsdl:operation>` + "\n")
	}
	b.WriteString("  </wsdl:portType>\n")
	for _, port := range []struct{ name, prefix string }{{"UmpireSoap", "soap"}, {"UmpireSoap12", "soap12"}} {
		b.WriteString(`  <wsdl:binding name="` + port.name + `" type="tns:UmpireSoap">` + "\n")
		b.WriteString(`    <` + port.prefix + `:binding transport="http://schemas.xmlsoap.org/soap/http" style="document"/>` + "\n")
		for _, op := range operations {
			body := `<` + port.prefix + `:body use="literal"/>`
			b.WriteString(`    <wsdl:operation name="` + op.name + `"><` + port.prefix + `:operation soapAction="urn:umpire:v1/` + op.name + `" style="document"/>` +
				`<wsdl:input>` + body + `</wsdl:input><wsdl:output>` + body + `</wsdl:output>` +
				`<wsdl:fault name="Problem"><` + port.prefix + `:fault name="Problem" use="literal"/></wsdl:fault></wsdl:operation>` + "\n")
		}
		b.WriteString("  </wsdl:binding>\n")
	}
	b.WriteString(`  <wsdl:service name="Umpire">` + "\n")
	for _, port := range []struct{ name, prefix string }{{"UmpireSoap", "soap"}, {"UmpireSoap12", "soap12"}} {
		b.WriteString(`    <wsdl:port name="` + port.name + `" binding="tns:` + port.name + `"><` + port.prefix + `:address location="` + at.String() + `"/></wsdl:port>` + "\n")
	}
	b.WriteString("  </wsdl:service>\n</wsdl:definitions>\n")
	return b.String()
}

// elementOf describes the element that wraps the arguments or the result of an operation.
func elementOf(name string, fields ...field) string {
	var b strings.Builder
	b.WriteString(`      <xs:element name="` + name + `"><xs:complexType><xs:sequence>`)
	for _, f := range fields {
		optional := ` minOccurs="0" nillable="true"`
		if f.kind == "xs:int" {
			optional = ""
		}
		b.WriteString(`<xs:element name="` + f.name + `" type="` + f.kind + `"` + optional + `/>`)
	}
	b.WriteString("</xs:sequence></xs:complexType></xs:element>\n")
	return b.String()
}

const schemaTypes = `      <xs:element name="Problem"><xs:complexType><xs:sequence>
        <xs:element name="code" type="xs:string"/><xs:element name="message" type="xs:string"/>
      </xs:sequence></xs:complexType></xs:element>
      <xs:complexType name="SeatInfo"><xs:sequence>
        <xs:element name="state" type="xs:string"/><xs:element name="ticket" type="xs:string"/>
        <xs:element name="match" type="xs:string"/><xs:element name="game" type="xs:string"/>
        <xs:element name="seat" type="xs:int"/><xs:element name="seats" type="xs:int"/>
        <xs:element name="players"><xs:complexType><xs:sequence>
          <xs:element name="player" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>
        </xs:sequence></xs:complexType></xs:element>
        <xs:element name="timeMs" type="xs:long"/><xs:element name="moveMs" type="xs:long"/>
        <xs:element name="startMs" type="xs:long"/><xs:element name="graceMs" type="xs:long"/>
      </xs:sequence></xs:complexType>
      <xs:complexType name="TurnInfo"><xs:sequence>
        <xs:element name="turn" type="xs:int"/><xs:element name="state" type="xs:string"/>
        <xs:element name="lines"><xs:complexType><xs:sequence>
          <xs:element name="line" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>
        </xs:sequence></xs:complexType></xs:element>
        <xs:element name="reply" type="xs:string" minOccurs="0"/>
        <xs:element name="whole" type="xs:boolean"/><xs:element name="leftMs" type="xs:long"/>
        <xs:element name="verdict" type="xs:string"/><xs:element name="detail" type="xs:string"/>
        <xs:element name="results"><xs:complexType><xs:sequence>
          <xs:element name="result" type="tns:Result" minOccurs="0" maxOccurs="unbounded"/>
        </xs:sequence></xs:complexType></xs:element>
      </xs:sequence></xs:complexType>
      <xs:complexType name="Result"><xs:sequence>
        <xs:element name="seat" type="xs:int"/><xs:element name="player" type="xs:string"/>
        <xs:element name="score" type="xs:decimal"/><xs:element name="place" type="xs:int"/>
        <xs:element name="verdict" type="xs:string"/><xs:element name="detail" type="xs:string"/>
      </xs:sequence></xs:complexType>
`
