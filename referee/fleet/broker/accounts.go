package broker

import (
	"fmt"

	"github.com/nats-io/nats-server/v2/server"

	"umpire/referee/fleet"
)

// services lists what a worker may ask for, and whether several may answer; "*": any worker. The
// configuration in referee/fleet/README.md says the same of other servers.
func services(run fleet.Names, worker string) map[string]server.ServiceRespType {
	objects := "OBJ_" + run.Bucket()
	if run.Run == "*" {
		objects = "*" // of what a stream lets read so: objects, and who leads a run
	}
	return map[string]server.ServiceRespType{
		fleet.HelloTo(worker):                  server.Streamed,
		fleet.StatusSubject:                    server.Streamed,
		run.Beat(worker):                       server.Singleton,
		run.Take(worker):                       server.Singleton,
		run.AnyResult(worker):                  server.Singleton,
		"$JS.API.STREAM.INFO." + objects:       server.Singleton,
		"$JS.API.DIRECT.GET." + objects:        server.Singleton,
		"$JS.API.DIRECT.GET." + objects + ".>": server.Singleton,
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
	for subject, answers := range services(run, "*") {
		if err := streams.AddServiceExportWithResponse(subject, answers, only); err != nil {
			return nil, fmt.Errorf("export %s: %w", subject, err)
		}
		if err := workers.AddServiceImport(streams, subject, subject); err != nil {
			return nil, fmt.Errorf("import %s: %w", subject, err)
		}
	}
	if err := streams.AddStreamExport(run.News(), only); err != nil {
		return nil, fmt.Errorf("export %s: %w", run.News(), err)
	}
	return workers, workers.AddStreamImport(streams, run.News(), "")
}
