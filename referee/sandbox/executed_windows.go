package sandbox

import "golang.org/x/sys/windows"

// machineErrors are those for which the machine is to blame.
var machineErrors = []error{
	windows.ERROR_NOT_ENOUGH_MEMORY, windows.ERROR_OUTOFMEMORY, windows.ERROR_COMMITMENT_LIMIT, windows.ERROR_NO_SYSTEM_RESOURCES,
	windows.ERROR_TOO_MANY_OPEN_FILES, windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION,
}
