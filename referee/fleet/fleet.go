// Package fleet defines what a coordinator and its workers share when matches are
// played on many machines: names, messages, their bounds, and the URLs at which
// they meet. It knows no connection, clock or game. Package coordinator is an
// arena.Runner that hands out matches as package dispatch decides, package worker
// plays them, and package broker is the server between them, where umpire brings its
// own; only coordinator, worker and broker know NATS. README.md says what users see.
//
// # Requests
//
// RUN is the name of a coordinator's run, which stays the same when it is
// resumed. ID is that of a worker, derived from its secret (IDOf) or, at another server
// than umpire's, the name of its user.
//
//	umpire.hello.ID      a worker introduces itself (Hello) to all runs of the server, and gets a
//	                     Welcome from each
//	umpire.RUN.hello.ID  likewise, to one run
//	umpire.RUN.take.ID   a slot of a worker asks for matches (Take), and gets a Job, when
//	                     there is one, or an empty one if it is not to wait
//	umpire.RUN.beat.ID   a worker says every second that it is there, and which jobs it
//	                     holds (Beat), and gets its Orders
//	umpire.RUN.news      the coordinator says that orders have changed, or that it is there
//	umpire.workers       somebody who may look asks for the state of each run
//	umpire.origins       a coordinator asks a server that outlives it from where workers
//	                     connect, with which keys, and which are revoked (Origins)
//	umpire.kick          it has that server end the connection of a worker for good
//
// Nobody stores these. Who plays what is known to the coordinator alone, in its
// memory: a coordinator that begins anew hands out whatever has no record yet. That a
// worker was given a match whose record it stores meanwhile is proven by the record's place.
//
// # What is stored
//
// What must outlive the coordinator is kept by JetStream:
//
//	umpire-RUN-results   one message a subject, a second one is refused;
//	                     subjects umpire.RUN.result.ID.JOB.PLACE, by Job.At
//	umpire-RUN           object store: the programs, by digest
//	umpire-RUN-lead      key-value store: which coordinator leads the run; the newest
//	                     does, and an older one stops; and what workers are called
//
// # The life of a match
//
// The coordinator draws fixtures as there is room for them. Consecutive ones that
// are mirrors of each other (same case, same players) form a bundle, which never
// parts; short bundles are put together into a job of some tenths of a second.
// A slot of a worker takes a job, plays it and stores a record a match in the
// results stream. While it plays the next job, it waits until the records of the
// one before are stored, and only then lets go of it, which the next beat shows. Where
// another run has work, a slot that waits for a job gives up (Take.Over), and asks anew there.
//
// The coordinator verifies each record, writes it and removes it, in this
// order: the results file is the authority. What a worker has let go of without its
// records, and what a silent one holds, is given to others; late records count where
// there are none yet. What holds up a run is given to a second worker as well: the first
// record counts, and the other worker is told to stop.
package fleet

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"umpire/referee/pattern"
)

// Times of the protocol.
const (
	BeatEvery = time.Second            // between a worker's beats
	LostAfter = 6 * time.Second        // a worker that is silent for so long counts as gone
	AskWait   = 5 * time.Second        // for an answer of the server or the coordinator
	TakeWait  = time.Minute            // for a job
	Together  = 100 * time.Millisecond // the results of so long are published together
)

// Protocol is the number of this protocol. Coordinator and worker must have the same.
const Protocol = 7

// Bounds on what a worker may say, beside those of results.
const (
	MaxHello     = 64 << 10  // bytes
	MaxBeat      = 512 << 10 // bytes
	MaxSlots     = 4096      // matches at a time
	MaxAbilities = 1024
	MaxName      = 64  // bytes of a worker's name
	MaxCPUName   = 128 // bytes of a processor's name
	MaxWhy       = 300 // bytes of a reason
	MaxPriority  = 100
)

// Names are the names of a run's streams and subjects.
type Names struct{ Run string }

// Results is the stream of the records.
func (n Names) Results() string { return "umpire-" + n.Run + "-results" }

// Bucket is the object store of the programs.
func (n Names) Bucket() string { return "umpire-" + n.Run }

// Lead is the key-value store that says who coordinates, and what workers are called.
func (n Names) Lead() string { return "umpire-" + n.Run + "-lead" }

// runForm is the form of the names of a run's streams, buckets included.
var runForm = pattern.New(`^(KV_|OBJ_)?umpire-([^-]+)(-results|-lead)?$`)

// RunWith returns the run that has a stream; "" if none has.
func RunWith(stream string) string {
	if parts := runForm().FindStringSubmatch(stream); parts != nil {
		return parts[2]
	}
	return ""
}

// Result is the subject of the record that has a place in a job (Job.At); "*" and ">"
// stand for any.
func (n Names) Result(worker, job, place string) string {
	return n.subject("result." + worker + "." + job + "." + place)
}

// AnyResult is the subject of all records of a worker; "*": of all workers.
func (n Names) AnyResult(worker string) string { return n.subject("result." + worker + ".>") }

// Take is the subject on which a worker asks for jobs.
func (n Names) Take(worker string) string { return n.subject("take." + worker) }

// Beat is the subject of a worker's beats.
func (n Names) Beat(worker string) string { return n.subject("beat." + worker) }

// Hello is the subject on which a worker introduces itself to this run alone.
func (n Names) Hello(worker string) string { return n.subject("hello." + worker) }

// News is the subject on which workers hear that orders have changed.
func (n Names) News() string { return n.subject("news") }

func (n Names) subject(rest string) string { return "umpire." + n.Run + "." + rest }

// Place is where the record of the i-th match of a job is stored. Match is a hash of its name, and the
// proof the coordinator's, that the worker was given the match there.
func Place(i int, match, proof string) string { return strconv.Itoa(i) + "-" + match + "-" + proof }

// ResultOf returns what the subject of a record says but for the proof; i is -1 if it is none.
func ResultOf(subject string) (worker, job string, i int, match string) {
	parts := strings.Split(subject, ".")
	if len(parts) != 6 {
		return "", "", -1, ""
	}
	number, rest, _ := strings.Cut(parts[5], "-")
	i, err := strconv.Atoi(number)
	if err != nil {
		i = -1
	}
	match, _, _ = strings.Cut(rest, "-")
	return parts[3], parts[4], i, match
}

// LastToken returns the last part of a subject.
func LastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// RunOf returns the run of one of its subjects.
func RunOf(subject string) string { return strings.Split(subject, ".")[1] }

// HelloTo is the subject on which a worker introduces itself, to whatever runs there are.
func HelloTo(worker string) string { return "umpire.hello." + worker }

// StatusSubject is the subject of requests for the state of a run.
const StatusSubject = "umpire.workers"

// What a coordinator asks of a server that outlives it: Origins, and that the worker with an id
// connects no more; and how such a server's name begins.
const (
	OriginsSubject = "umpire.origins"
	KickSubject    = "umpire.kick"
	Standing       = "umpire-fleet-"
)

// Origin is where the latest connection of a worker comes from.
type Origin struct {
	Host    string `json:"host"`    // "": that is not known
	Key     string `json:"key"`     // name of the worker's key; "": it has the token
	Hash    string `json:"hash"`    // of the key: see keys.Hash
	Removed bool   `json:"removed"` // the key is valid no more; what was done with it counts, unless:
	Revoked bool   `json:"revoked"`
	Named   bool   `json:"named"` // what was asked for is not an id or a hash, but the name of a key
	// First is when it connected first: of two with one key that is the newer for which it is later. It
	// is zero if that is not known.
	First time.Time `json:"first"`
}

// Origins are those of the workers that a coordinator asks for, by their ids, and what is known of
// keys, whose workers may have left, by their hashes: whether they are revoked.
type Origins map[string]Origin

// labelForm is the form of a label.
var labelForm = pattern.New(`^[A-Za-z0-9._-]{1,32}$`)

// CheckLabel returns an error unless workers may have a label.
func CheckLabel(label string) error {
	if !labelForm().MatchString(label) {
		return fmt.Errorf("found %q, expected 1 to 32 letters, digits, dots, underscores or hyphens", label)
	}
	return nil
}

// LabelAbility is the key of the ability of workers with a label.
func LabelAbility(label string) string { return "label " + label }

// Inbox is the prefix of the subjects on which a client gets answers.
func Inbox(id string) string { return "_INBOX." + id }

// NewName makes up a name that fits into a subject.
func NewName() string { return strings.ToLower(rand.Text()[:12]) }

// NewSecret makes up a secret of a worker, which IDOf makes an id of.
func NewSecret() string { return strings.ToLower(rand.Text()) }

// secretForm is the form of a worker's secret.
var secretForm = pattern.New(`^[a-z0-9]{26,64}$`)

// IDOf returns the id of the worker with a secret; "" if the secret has not the form
// of one.
func IDOf(secret string) string {
	if !secretForm().MatchString(secret) {
		return ""
	}
	sum := sha256.Sum256([]byte("umpire worker " + secret))
	return hex.EncodeToString(sum[:8])
}

// Probe is an id that no worker has: a message that bears it means nothing.
const Probe = "probe"

// userForm is the form of the name of a server's user that is also a worker's id.
var userForm = pattern.New(`^[A-Za-z0-9_-]{1,32}$`)

// derivedForm is the form of an id that IDOf makes.
var derivedForm = pattern.New(`^[0-9a-f]{16}$`)

// IsUser reports whether a worker's id is the name of a user of an existing server.
func IsUser(id string) bool {
	return userForm().MatchString(id) && !derivedForm().MatchString(id) && id != Probe
}

// onlookerForm is the form of the names of clients that only look.
var onlookerForm = pattern.New(`^onlooker-[a-z0-9]{12}$`)

// NewOnlooker makes up the name of a client that only looks.
func NewOnlooker() string { return "onlooker-" + NewName() }

// IsOnlooker reports whether a client's name is that of one that only looks.
func IsOnlooker(name string) bool { return onlookerForm().MatchString(name) }

// Hello introduces a worker.
type Hello struct {
	Protocol  int      `json:"protocol"`
	Start     string   `json:"start"` // random, the same in all messages of a worker until it ends
	Name      string   `json:"name"`  // of its machine, for people
	Version   string   `json:"version"`
	Binary    string   `json:"binary"` // see Build
	Isolation string   `json:"isolation"`
	CPU       string   `json:"cpu"` // model
	Slots     int      `json:"slots"`
	Abilities []string `json:"abilities"` // keys
}

// Build names a build of umpire: its system, and the hash of its executable.
type Build struct{ System, Hash string }

func (b Build) String() string { return b.System + " " + b.Hash }

// IsOther reports whether a text is another build for the same system: such builds of one
// version may play differently.
func (b Build) IsOther(text string) bool {
	system, hash, _ := strings.Cut(text, " ")
	return b.Hash != "" && hash != "" && system == b.System && hash != b.Hash
}

// Welcome is the answer to a Hello.
type Welcome struct {
	Run     string `json:"run"`
	Refused string `json:"refused"` // why the worker may not play; "" if it may
	Name    string `json:"name"`    // of the worker, as nobody else is called
	Stays   bool   `json:"stays"`   // the server outlives the run, and the worker may play for others
	// Priority is the part of the worker's time that the run gets, beside those of others.
	Priority int `json:"priority"`
	// Joined is when the worker joined, in nanoseconds of the coordinator's clock. What it had
	// asked for before is not answered.
	Joined int64 `json:"joined"`
}

// Replaced is why a worker is refused whose key another has.
const Replaced = "another worker has joined with its key"

// KeyRemoved is why a worker is refused whose key is valid no more.
const KeyRemoved = "its key has been removed"

// Take asks for a job for a slot of a worker. It replaces an earlier one of this slot.
type Take struct {
	Start string `json:"start"`          // see Hello
	Slot  int    `json:"slot"`           // from 0
	Last  string `json:"last,omitempty"` // id of the job that the slot was given last: a later one has been lost on the way
	Over  bool   `json:"over,omitempty"` // the slot waits no more: what it has asked before is answered
}

// Job holds matches that one worker plays, one after the other.
type Job struct {
	ID       string          `json:"id"`       // "": there is none for the time being
	Fixtures json.RawMessage `json:"fixtures"` // a list of arena.Fixture
	At       []string        `json:"at"`       // the places of their records: see Place
}

// Beat is a worker's report of every second.
type Beat struct {
	Start  string   `json:"start"`            // see Hello
	Busy   int      `json:"busy"`             // slots that play, or have since the last beat
	Jobs   []string `json:"jobs,omitempty"`   // ids of the jobs that it holds
	Stored uint64   `json:"stored,omitempty"` // number of its last record in the results stream
	Back   []Back   `json:"back,omitempty"`   // jobs that it gives back
	// Paused is why it takes no matches for the time being; "" if it takes some.
	Paused  string `json:"paused,omitempty"`
	Leaving bool   `json:"leaving,omitempty"` // set in the last beat of a worker that ends by itself
}

// Back is a job that a worker gives back.
type Back struct {
	Job string `json:"job"`
	Why string `json:"why"`
}

// Orders are the answer to a Beat.
type Orders struct {
	Known   bool     `json:"known"`         // false: the worker must say hello again
	Drain   bool     `json:"drain"`         // finish matches in progress, and give back those that have not begun
	Leave   bool     `json:"leave"`         // it is no longer needed
	Refused string   `json:"refused"`       // why it may not play any more; "" if it may
	End     []string `json:"end,omitempty"` // jobs whose records nobody waits for
	Waiting int      `json:"waiting"`       // jobs that wait for a slot
}

// packer packs: to make one takes longer than to use it, and one serves all.
var packer = sync.OnceValue(func() *zstd.Encoder {
	e, _ := zstd.NewWriter(nil) // which is valid
	return e
})

// Pack makes data smaller.
func Pack(data []byte) []byte { return packer().EncodeAll(data, nil) }

// packed begins what Pack returns, and no JSON.
const packed = "\x28\xb5\x2f\xfd"

// NewUnpacker returns what undoes Pack, of at most so many bytes, and leaves what is not packed as
// it is. Calls of it may be concurrent.
func NewUnpacker(most uint64) func(data []byte) ([]byte, error) {
	decoder := sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(most)) // these are valid
		return d
	})
	return func(data []byte) ([]byte, error) {
		if !bytes.HasPrefix(data, []byte(packed)) {
			return data, nil
		}
		return decoder().DecodeAll(data, nil)
	}
}

// Tidy makes an untrusted text one short line of at most so many bytes.
func Tidy(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text[:min(len(text), 4*most)], ""))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return strings.TrimSpace(text)
}

// RefusedError says why a coordinator refuses a worker.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return "the coordinator refuses this worker: " + e.Why }
