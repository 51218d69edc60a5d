// One round trip of a short line between two processes, the unit of the other
// figures: "pair CPU N BATCH" makes N of them, both processes on one CPU, and
// prints for each BATCH the nanoseconds a round trip, as time passes and as CPU
// time of both. "pair echo" is the child alone: it answers every line with a
// line. "pair work MS" answers after computing for so many milliseconds of CPU
// time.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double at(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int echo(double work) {
	char buf[4096];
	while (read(0, buf, sizeof buf) > 0) {
		for (double end = work ? at(CLOCK_PROCESS_CPUTIME_ID) + work : 0; work && at(CLOCK_PROCESS_CPUTIME_ID) < end;)
			;
		if (write(1, "3\n", 2) != 2)
			return 1;
	}
	return 0;
}

static int judge(const char *name) {
	char buf[64];
	int n;
	FILE *f = fopen(name, "r");
	if (!f || fscanf(f, "%d", &n) != 1)
		return 1;
	while (n-- > 0)
		if (write(1, "3\n", 2) != 2 || read(0, buf, sizeof buf) <= 0)
			return 1;
	return 42;
}

int main(int argc, char **argv) {
	if (argc == 2 && !strcmp(argv[1], "echo"))
		return echo(0);
	if (argc == 3 && !strcmp(argv[1], "judge"))
		return judge(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "work"))
		return echo(atof(argv[2]) * 1e6);
	if (argc != 4)
		return 2;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	sched_setaffinity(0, sizeof set, &set);
	int to[2], from[2], n = atoi(argv[2]), batch = atoi(argv[3]);
	if (pipe(to) || pipe(from))
		return 1;
	int child = fork();
	if (!child) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		close(to[0]), close(to[1]), close(from[0]), close(from[1]);
		_exit(echo(0));
	}
	clockid_t clock;
	if (clock_getcpuclockid(child, &clock))
		return 1;
	char buf[64];
	for (int i = 0; i < n; i += batch) {
		double start = at(CLOCK_MONOTONIC), cpu = at(CLOCK_PROCESS_CPUTIME_ID) + at(clock);
		for (int k = 0; k < batch; k++)
			if (write(to[1], "3\n", 2) != 2 || read(from[0], buf, sizeof buf) <= 0)
				return 1;
		cpu = at(CLOCK_PROCESS_CPUTIME_ID) + at(clock) - cpu;
		printf("%.1f %.1f\n", (at(CLOCK_MONOTONIC) - start) / batch, cpu / batch);
	}
	close(to[1]);
	wait(0);
	return 0;
}
