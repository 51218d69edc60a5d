//go:build ignore

// A remote player for umpire in Go, without any module. It plays vmukni; for
// another game change choose().
//
//	UMPIRE_KEY=the-key-umpire-printed go run client.go http://127.0.0.1:8370 [MATCHES]
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// YOUR STRATEGY: the reply to the lines sent since your last turn. Here: each way in turn.
func choose(game string, turn int, lines []string) string {
	return strconv.Itoa(1 + turn*13%15)
}

// answer holds the members of all answers.
type answer struct {
	State, Ticket, Game, Verdict, Detail string
	Seat                                 int
	Players, Lines                       []string
	Reply                                *string
	Results                              json.RawMessage
	Error                                *struct{ Code, Message string }
}

// request makes a request, and repeats it until it is answered: every request may be repeated.
func request(method, path, secret string, body any) answer {
	for ; ; time.Sleep(time.Second) {
		a, err := once(method, path, secret, body)
		switch {
		case err != nil:
			log.Print("no answer, trying again: ", err)
			continue
		case a.Error == nil:
			return a
		}
		switch a.Error.Code {
		case "ticket": // umpire was started again: the match does not count
			return answer{State: "void", Detail: a.Error.Message}
		case "rate", "full", "slow", "stopping":
			log.Print(a.Error.Message, ", trying again")
		default:
			log.Fatalf("%s: %s", a.Error.Code, a.Error.Message)
		}
	}
}

func once(method, path, secret string, body any) (a answer, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return a, err
	}
	r, err := http.NewRequest(method, strings.TrimSuffix(os.Args[1], "/")+"/api/v1/"+path, bytes.NewReader(text))
	if err != nil {
		return a, err
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: time.Minute}
	response, err := client.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	return a, json.NewDecoder(response.Body).Decode(&a)
}

// play plays one match and returns the last answer.
func play(seat answer) answer {
	turn := 1
	a := request("GET", "seat/turns/1?wait=30", seat.Ticket, nil)
	for a.State != "over" && a.State != "void" {
		if a.State == "wait" {
			a = request("GET", fmt.Sprintf("seat/turns/%d?wait=30", turn), seat.Ticket, nil)
			continue
		}
		// In the state "done" this program was started again: it reads what it replied.
		if a.Reply == nil {
			reply := choose(seat.Game, turn, a.Lines)
			a.Reply = &reply
		}
		a = request("PUT", fmt.Sprintf("seat/turns/%d?wait=30", turn), seat.Ticket, map[string]string{"reply": *a.Reply})
		turn++
	}
	return a
}

func main() {
	matches := 1
	if len(os.Args) > 2 {
		matches, _ = strconv.Atoi(os.Args[2])
	}
	for matches > 0 {
		seat := request("POST", "join", os.Getenv("UMPIRE_KEY"), map[string]int{"wait": 30})
		if seat.State == "wait" {
			continue
		}
		log.Println("seat", seat.Seat, "of", seat.Players)
		end := play(seat)
		fmt.Println(end.State, end.Verdict, string(end.Results), end.Detail)
		if end.State == "over" { // a void match is played again
			matches--
		}
	}
}
