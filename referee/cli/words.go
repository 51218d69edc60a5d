package cli

import "umpire/referee/report"

// Short names for what many messages say.
var (
	plural = report.Plural
	number = report.Number
)
