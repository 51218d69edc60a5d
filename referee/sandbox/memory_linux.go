package sandbox

import "umpire/referee/procfs"

// MemoryInUse returns how much memory can't be taken back in the control group that
// contestants are in, or on the machine if it is in none, and how much there is, in
// bytes. Both are 0 where that is unknown.
func MemoryInUse() (used, most int64) {
	var buf [16 << 10]byte
	info := procfs.Read("/proc/meminfo", buf[:])
	most = procfs.Kibibytes(info, "MemTotal:")
	used = most - procfs.Kibibytes(info, "MemAvailable:")
	mounts, _ := thisMachine().groupMounts()
	if m, ok := mounts["memory"]; ok {
		stat := procfs.Read(m.Own+"/memory.stat", buf[:])
		if n := procfs.Field(stat, "hierarchical_memory_limit "); n > 0 && n < most {
			return inGroup(m.Own+"/memory.usage_in_bytes", stat, "total_"), n
		}
		return used, most
	}
	for dir := range mounts[""].Above() {
		n := procfs.Number([]byte(procfs.FirstLine(dir + "/memory.max")))
		if n > 0 && n < most {
			used, most = inGroup(dir+"/memory.current", procfs.Read(dir+"/memory.stat", buf[:]), ""), n
		}
	}
	return used, most
}

// inGroup is the memory of a control group but for the cache of files, in bytes. The sum
// of what is mapped would not have pages that only a pipe holds.
func inGroup(usage string, stat []byte, prefix string) int64 {
	files := procfs.Field(stat, prefix+"active_file ") + procfs.Field(stat, prefix+"inactive_file ")
	return max(0, procfs.Number([]byte(procfs.FirstLine(usage)))-files)
}
