package referee

// Bounds on what a contestant may write.
const (
	MaxLine    = 64 << 10 // bytes of one reply, including blank lines before it
	MaxOutput  = 16 << 20 // bytes of a batch task's whole output
	MaxStderr  = 16 << 20 // bytes of standard error
	StderrKept = 4 << 10  // bytes kept of standard error: half from its beginning, half from its end
)
