package broker

import (
	"fmt"

	"github.com/nats-io/nats-server/v2/server"

	"umpire/referee/fleet"
)

// service is a subject that workers may publish to.
type service struct {
	subject string
	answers server.ServiceRespType // one, or several
	own     bool                   // not every worker may publish to these subjects: to its own, or only onlookers
}

// services lists what workers may ask for. Several runs may answer where they don't name one.
func services(run fleet.Names) []service {
	objects := "OBJ_" + run.Bucket()
	if run.Run == "*" {
		objects = "*" // of what a stream lets read so: objects, and who leads a run
	}
	return []service{
		{fleet.HelloTo("*"), server.Streamed, true},
		{run.Beat("*"), server.Singleton, true},
		{run.Take("*"), server.Singleton, true},
		{run.AnyResult("*"), server.Singleton, true},
		{fleet.StatusSubject, server.Streamed, true},
		{"$JS.API.STREAM.INFO." + objects, server.Singleton, false},
		{"$JS.API.DIRECT.GET." + objects, server.Singleton, false},
		{"$JS.API.DIRECT.GET." + objects + ".>", server.Singleton, false},
	}
}

// workersAccount makes the account that workers are in, apart from the
// coordinator's, which has the streams. Permissions alone are not enough: the
// server, and the coordinator, answer on whatever subject a request names for
// its answer, and nobody checks whether the asker may publish there. An empty
// answer on the subject of a deletion would delete a stream. In an account of
// their own, workers reach only what is listed here, with questions and with
// answers.
func workersAccount(s *server.Server, run fleet.Names) (*server.Account, error) {
	streams := s.GlobalAccount()
	workers, err := s.RegisterAccount("workers")
	if err != nil {
		return nil, err
	}
	only := []*server.Account{workers}
	for _, one := range services(run) {
		if err := streams.AddServiceExportWithResponse(one.subject, one.answers, only); err != nil {
			return nil, fmt.Errorf("export %s: %w", one.subject, err)
		}
		if err := workers.AddServiceImport(streams, one.subject, one.subject); err != nil {
			return nil, fmt.Errorf("import %s: %w", one.subject, err)
		}
	}
	if err := streams.AddStreamExport(run.News(), only); err != nil {
		return nil, fmt.Errorf("export %s: %w", run.News(), err)
	}
	return workers, workers.AddStreamImport(streams, run.News(), "")
}
