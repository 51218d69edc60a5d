package report

import (
	"bytes"
	"strconv"
	"strings"

	"umpire/referee/fleet/status"
)

// MetricsType is the content type of FleetMetrics.
const MetricsType = "text/plain; version=0.0.4; charset=utf-8"

// metric is one line of values.
type metric struct {
	labels []string // names and values by turns
	value  float64
}

// label is the metric's labels, as they are written.
func (m metric) label() string {
	if len(m.labels) == 0 {
		return ""
	}
	var list []string
	for i := 0; i < len(m.labels); i += 2 {
		list = append(list, m.labels[i]+`="`+labelEscapes.Replace(strings.ToValidUTF8(m.labels[i+1], "\uFFFD"))+`"`)
	}
	return "{" + strings.Join(list, ",") + "}"
}

// FleetMetrics returns the fleet's state in the text format of Prometheus. HELP says
// what each value is, and its unit if it has one.
func FleetMetrics(f *status.Fleet) []byte {
	var b bytes.Buffer
	one := func(name, kind, help string, value float64) { family(&b, name, kind, help, []metric{{value: value}}) }
	family(&b, "umpire_info", "gauge", "The run and umpire's version, as labels; always 1.",
		[]metric{{[]string{"run", f.Run, "version", f.Umpire}, 1}})
	one("umpire_up_seconds", "gauge", "Time since the coordinator began, in seconds.", float64(f.UpUS)/1e6)
	one("umpire_draining", "gauge", "1 if the run was interrupted, so that matches in progress finish and no more begin; else 0.", truth(f.Draining))
	one("umpire_matches_done", "gauge", "Matches that have a record, those of earlier runs that were resumed among them.", float64(f.Done))
	one("umpire_matches_planned", "gauge", "Matches of the run, or of its rounds so far; 0 if not known yet.", float64(f.Total))
	one("umpire_records_total", "counter", "Records that workers have given, one for each match.", float64(f.Records))
	one("umpire_records_with_error_total", "counter", "Records of matches that could not be played.", float64(f.Errors))
	one("umpire_duplicate_results_total", "counter", "Second results of a match, which were refused.", float64(f.Duplicates))
	one("umpire_jobs_returned_total", "counter", "Jobs of one or more matches that workers gave back.", float64(f.Returned))
	one("umpire_jobs_seconded_total", "counter", "Jobs that were given to a second worker, since they were held up.", float64(f.Seconds))
	one("umpire_jobs_failed_total", "counter", "Jobs that no worker finished.", float64(f.Failed))
	one("umpire_workers_refused_total", "counter", "Workers that were refused.", float64(f.Refused))
	one("umpire_workers_silent_total", "counter", "Workers that fell silent.", float64(f.Silent))
	workerMetrics(&b, f)
	return b.Bytes()
}

func workerMetrics(b *bytes.Buffer, f *status.Fleet) {
	states := make(map[string]float64)
	each := func(value func(status.Worker) float64) (list []metric) {
		for _, w := range f.Workers {
			if w.There() {
				list = append(list, metric{[]string{"worker", w.ID, "name", w.Name}, value(w)})
			}
		}
		return list
	}
	var counts, info []metric
	for _, w := range f.Workers {
		if states[w.State]++; w.There() {
			info = append(info, metric{[]string{"worker", w.ID, "name", w.Name, "isolation", w.Isolation, "cpu", w.CPU}, 1})
		}
	}
	for _, state := range []string{status.Plays, status.Waits, status.Pauses} {
		counts = append(counts, metric{[]string{"state", state}, states[state]})
	}
	family(b, "umpire_workers", "gauge", "Workers that take part, by what they do.", counts)
	family(b, "umpire_worker_info", "gauge", "A worker's isolation and CPU, as labels; always 1.", info)
	family(b, "umpire_worker_slots", "gauge", "Matches that a worker can play concurrently.", each(func(w status.Worker) float64 { return float64(w.Slots) }))
	family(b, "umpire_worker_matches_playing", "gauge", "Matches that a worker plays.", each(func(w status.Worker) float64 { return float64(w.Busy) }))
	family(b, "umpire_worker_records_total", "counter", "Records that a worker has given.", each(func(w status.Worker) float64 { return float64(w.Matches) }))
	family(b, "umpire_worker_heard_seconds", "gauge", "Time since a worker's last word, in seconds.", each(func(w status.Worker) float64 { return float64(w.HeardUS) / 1e6 }))
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// family writes a metric with all its values; one that has none is left out.
func family(b *bytes.Buffer, name, kind, help string, list []metric) {
	if len(list) == 0 {
		return
	}
	b.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
	for _, m := range list {
		b.WriteString(name + m.label() + " " + strconv.FormatFloat(m.value, 'g', -1, 64) + "\n")
	}
}

// labelEscapes are those of a label's value.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
