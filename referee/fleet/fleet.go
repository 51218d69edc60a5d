// Package fleet plays matches on many machines: a Coordinator is an
// arena.Runner that gives fixtures to workers over NATS JetStream and collects
// their records. It is the only package that knows NATS. It knows nothing of
// tournaments, scores, flags or terminals.
//
// # Streams and subjects
//
// RUN is the name of a coordinator's run, which stays the same when it is
// resumed. All that is stored is in two streams and a bucket:
//
//	umpire-RUN-work      work queue; subjects umpire.RUN.work.CLASS.JOB
//	umpire-RUN-results   one message a subject, a second one is refused;
//	                     subjects umpire.RUN.result.JOB.N and umpire.RUN.result.JOB.back
//	umpire-RUN           object store: the programs, by digest
//
// The rest are requests that nobody stores:
//
//	umpire.hello.ID      a worker introduces itself (hello), and gets a welcome
//	umpire.RUN.beat.ID   a worker says every second that it is there (beat), and
//	                     gets its orders
//	umpire.RUN.news      the coordinator says that orders have changed
//	umpire.workers       somebody who may look asks for the state of the run
//
// A CLASS is a set of abilities that a job needs, such as an interpreter of a
// certain version. Each class has a consumer of its own, since those of a work
// queue may not overlap; a worker fetches from the consumers of the classes
// that its orders list.
//
// # Who may do what
//
// With an embedded server the coordinator connects in-process and may do
// everything. A worker connects with the token, by WebSocket, and may say hello
// and beat, fetch and acknowledge work, give results, and read programs. It
// learns nothing else, and can change nothing else: it is in an account of its
// own, to which only these subjects are exported (services). Its id is the name
// of its connection, which the permissions repeat in the subjects: it can't
// speak as another, nor read what another is answered. The ticket of its welcome
// goes with its results, so that crew.giver knows whose they are.
//
// What it can do with what it may: fetch jobs and not play them, acknowledge
// jobs that others play, and give wrong results. Jobs without results are given
// again; results are inspected (queue.inspect), and a worker with a wrong one is
// dropped. So is one that holds jobs for too long, or too many (holding.go): the
// server adds to what workers say of their jobs who says it. A server named by a
// URL gives what permissions its operator has configured.
//
// # The life of a fixture
//
// Coordinator.Run draws fixtures as there is room for them (queue.room).
// Consecutive ones that are mirrors of each other (same case, same players)
// form a bundle, which never parts; short bundles are put together into a job
// of some tenths of a second. The job is published, and pending holds each of
// its fixtures until it has a record.
//
// A slot of a worker fetches one job, says that it is in progress while it
// plays, and publishes a record a fixture; those of short matches go together.
// While it plays the next job, it waits until all records of the one before are
// stored, and only then acknowledges that job with confirmation. So a slot has
// two jobs at most, and begins only one. A worker that dies leaves the
// job unacknowledged: after ackWait the next worker gets it, and what the first
// one had finished is refused as a second result. Where its job was given out in
// other jobs since, a late result counts if there is none yet (queue.past).
//
// The coordinator takes each result (queue.take), checks that it is a record of
// a pending fixture and, if it comes from a worker elsewhere, that it is valid,
// and calls done; then it acknowledges the result, with all before it. A worker
// whose record is not valid is dismissed, and its job is given to another.
// Acknowledged results but the last ones are removed (Coordinator.trim). The
// results file that done writes is the authority: when a run is resumed, the
// work queue is emptied and filled again with what is missing in that file, and
// results that were stored but not yet written are matched with their fixtures
// by the record's id and the bots' names. Jobs have random names, so that a
// match that is played again is not taken for the earlier one.
//
// A job that was acknowledged although it lacks results is found by queue.audit.
//
// A record with an error, and a job that maxTries workers took and none
// finished, is tried again fixture by fixture; after maxTries the error is the
// fixture's record. What failed on one worker, or is played a second time to
// compare workers (recheck), is for a certain other one: it has a class of its
// own, as if to be that worker were an ability.
//
// # What holds up a run
//
// A beat names the jobs that a worker plays. When all fixtures are drawn, and
// one has been played for unusually long while another worker is idle,
// queue.hurry gives the job to that worker as well, in a class that this worker
// alone has (only). Both give their results under the same subjects, so
// that the stream refuses the second. No time that a worker tells is compared
// with another clock.
//
// A worker that was stopped for a time does what any umpire does then: see package
// stall.
//
// Coordinator.Drain empties the work queue and, by their orders, has workers
// begin no more; Run ends when nobody plays and all results are taken.
// Worker.Stop does the same to one worker.
//
// # Files
//
//	fleet.go        names, messages, times
//	server.go       the embedded server, the secret, permissions
//	address.go      URLs of servers
//	dial.go         connections to servers, and why there is none
//	accounts.go     what workers reach of the server
//	coordinator.go  streams, consumers, Run
//	queue.go        jobs, results; what is under way
//	collect.go      fetches results
//	again.go        matches that are given to workers once more
//	tend.go         removes results that the run folder has; notices a full disk
//	crew.go         workers: hello, beat, orders
//	inspection.go   what workers say and give is judged; those that are dropped
//	recheck.go      matches that are played again on another worker
//	abilities.go    what jobs need and workers have: classes
//	worker.go       a worker: connection, orders, fetching
//	slot.go         a worker plays a job and publishes its records
//	pause.go        a worker whose contestants wait for CPUs
//	programs.go     programs on their way, by digest
//	straggler.go    jobs that hold up a run, and second workers
//	returned.go     jobs that workers gave back
//	holding.go      jobs that are held for too long, and workers that hold too many
//	hosts.go        where workers come from; those from where others were dropped
//	drain.go        matches in progress finish, and no more begin
//	status.go       the state of a run, as people see it; what workers have done
//	meter.go        rates
//	look.go         an onlooker asks for the state of a run
package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"

	"umpire/referee/arena"
	"umpire/referee/program"
	"umpire/referee/record"
)

// Times of the protocol.
const (
	beatEvery = time.Second            // between a worker's beats, and reports that a job is in progress
	lostAfter = 5 * time.Second        // a worker that is silent for so long counts as gone
	ackWait   = 6 * time.Second        // a job that nobody reports on for so long is given to another worker
	askWait   = 5 * time.Second        // for an answer of the server or the coordinator
	fetchWait = 4 * time.Second        // for one job
	turnWait  = time.Second / 4        // for one job, of a worker that has several classes
	backTime  = 2 * time.Second        // for a job that is given back
	tidyTime  = 10 * time.Second       // for what must be done after an interrupt
	together  = 100 * time.Millisecond // the results of so long are published together
)

// maxTries is how many workers are given a fixture before its record is an
// error.
const maxTries = 3

// names are the names of a run's streams and subjects.
type names struct{ run string }

func (n names) work() string               { return "umpire-" + n.run + "-work" }
func (n names) results() string            { return "umpire-" + n.run + "-results" }
func (n names) bucket() string             { return "umpire-" + n.run }
func (n names) subject(rest string) string { return "umpire." + n.run + "." + rest }
func (n names) job(class, job string) string {
	return n.subject("work." + class + "." + job)
}
func (n names) result(job string, i int) string {
	return n.subject(fmt.Sprintf("result.%s.%d", job, i))
}

// resultOf returns the job of a result's subject, and the number of the match
// in it; -1 if it is none.
func resultOf(subject string) (job string, n int) {
	parts := strings.Split(subject, ".")
	n, err := strconv.Atoi(parts[len(parts)-1])
	if err != nil {
		n = -1
	}
	return parts[max(0, len(parts)-2)], n
}

func (n names) back(job string) string { return n.subject("result." + job + ".back") }

// acks are the subjects on which workers acknowledge jobs, or say that they are in
// progress.
func (n names) acks() string { return "$JS.ACK." + n.work() + ".>" }

func (n names) beat(worker string) string { return n.subject("beat." + worker) }
func (n names) news() string              { return n.subject("news") }

// helloTo is the subject on which a worker introduces itself, to whatever run.
func helloTo(worker string) string { return "umpire.hello." + worker }

// newName makes up a name that fits into a subject.
func newName() string { return strings.ToLower(rand.Text()[:12]) }

// hello introduces a worker.
type hello struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"` // of its machine, for people
	Version   string            `json:"version"`
	Isolation string            `json:"isolation"`
	CPU       string            `json:"cpu"` // model
	Slots     int               `json:"slots"`
	Abilities []program.Ability `json:"abilities"`

	host   string // from which it comes; "" if that is not known
	ticket string // see welcome
}

// welcome is the answer to a hello.
type welcome struct {
	Run     string `json:"run"`
	Refused string `json:"refused"` // why the worker may not play; "" if it may
	Name    string `json:"name"`    // of the worker, as nobody else is called
	Ticket  string `json:"ticket"`  // by which the coordinator knows whose a result is
}

// beat is a worker's report of every second.
type beat struct {
	Busy   int   `json:"busy"`   // slots that play, or have since the last beat
	Played int64 `json:"played"` // matches since it joined
	// Jobs are the ids of the jobs that it plays.
	Jobs []string `json:"jobs,omitempty"`
	// Duplicates are its results that were refused, since the match had one.
	Duplicates int64 `json:"duplicates,omitempty"`
	// Paused is why it takes no matches at present; "" if it takes some.
	Paused string `json:"paused,omitempty"`
	// Leaving is set in the last beat of a worker that ends by itself.
	Leaving bool    `json:"leaving,omitempty"`
	Waiting float64 `json:"waiting,omitempty"` // share of their time that contestants wait for CPUs, if it pauses for that
}

// orders are the answer to a beat.
type orders struct {
	Known   bool     `json:"known"`   // false: the worker must say hello again
	Classes []string `json:"classes"` // from which it fetches
	Drain   bool     `json:"drain"`   // finish matches in progress, and give back those that have not begun
	Brief   bool     `json:"brief"`   // other classes may come at any time: it must not wait long for a job
	Leave   bool     `json:"leave"`   // it is no longer needed
	Refused string   `json:"refused"` // why it may not play any more; "" if it may
}

// job holds matches that one worker plays, one after the other.
type job struct {
	ID       string          `json:"id"`
	Fixtures []arena.Fixture `json:"fixtures"`
	// At are the numbers under which the results are stored; nil: those of the
	// fixtures in the list.
	At []int `json:"at,omitempty"`
}

// at is the number under which the result of the i-th fixture is stored.
func (j *job) at(i int) int {
	if i < len(j.At) {
		return j.At[i]
	}
	return i
}

// Headers of results.
const (
	headTicket   = "Umpire-Ticket"   // of the worker
	headEncoding = "Umpire-Encoding" // zstd, or absent
	headReturned = "Umpire-Returned" // why the job is given back
)

// largeResult is the size in bytes from which results are compressed.
const largeResult = 8 << 10

// packer and unpacker return what packs and unpacks results: to make one takes
// longer than to use it, and one serves all.
var (
	packer = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)))
	})
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(record.MaxRecord))
	})
)

// resultMessage is a record on its way to the coordinator.
func resultMessage(subject, ticket string, r record.Record) (*nats.Msg, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	msg := &nats.Msg{Subject: subject, Data: data, Header: nats.Header{headTicket: {ticket}}}
	if len(data) >= largeResult {
		e, err := packer()
		if err != nil {
			return nil, err
		}
		msg.Data = e.EncodeAll(data, nil)
		msg.Header.Set(headEncoding, "zstd")
	}
	return msg, nil
}

// unpackResult returns the record of a result, as a line of a results file.
func unpackResult(header nats.Header, data []byte) ([]byte, error) {
	if header.Get(headEncoding) != "zstd" {
		return data, nil
	}
	d, err := unpacker()
	if err != nil {
		return nil, err
	}
	if data, err = d.DecodeAll(data, nil); err != nil {
		return nil, fmt.Errorf("unpack record: %w", err)
	}
	return data, nil
}

// failed returns the record of a fixture that could not be played.
func failed(f arena.Fixture, version string, why error) record.Record {
	r := f.Record()
	r.Umpire = version
	r.Finish(noResult, why, time.Now(), 0)
	return r
}

// Why work ends.
var (
	errEnded    = errors.New("the run has ended")                                  // so a worker ends as well
	errOtherRun = errors.New("there is another run")                               // where the worker's coordinator was, so it begins anew
	errDrained  = fmt.Errorf("matches in progress are over: %w", context.Canceled) // after Drain
	errUnbegun  = errors.New("it finishes what it plays, and begins no more")      // after Drain or Worker.Stop
	errLeft     = errors.New("it ends")                                            // after Worker.Stop
)
